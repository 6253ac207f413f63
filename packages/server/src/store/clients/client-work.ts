import type { Insertable, Transaction } from 'kysely';
import type { EventFields, EventKind } from '../../domain/clients/client-event.ts';
import type { Engine } from '../engines/engine.ts';
import type { LockedWorkspace } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { Work, WorkspaceWork } from '../work.ts';
import { newEvent } from './client-events.ts';
import { applyChanges } from './client-index/apply-changes.ts';
import { IndexChanges } from './client-index/index-changes.ts';
import type { Levels } from './client-index/levels.ts';

type EventRow = Insertable<Tables['client_events']>;

/**
 * A change of one workspace while it is in progress. Its parts write rows and note here what else follows from them: lines
 * of histories, places in lists and numbers. All of that is written once, when the parts are done.
 */
export class ClientWork implements WorkspaceWork {
  readonly engine: Engine;
  readonly db: Transaction<Tables>;
  readonly workspaceId: number;
  readonly actor: string;
  readonly at: number;
  readonly version: number;
  /** The numbers that were handed out last. */
  readonly numbers: { lastGroupId: number; lastClientId: number };
  /** What is added to and taken from the lists. */
  readonly places = new IndexChanges();
  readonly levels: Levels;
  readonly #events: Iterable<EventRow>[] = [];
  #changed = false;

  constructor(work: Work, levels: Levels, workspaceId: number, row: LockedWorkspace) {
    this.engine = work.engine;
    this.db = work.db;
    this.actor = work.actor.name;
    this.at = work.at;
    this.workspaceId = workspaceId;
    this.version = row.version + 1;
    this.numbers = { lastGroupId: row.last_group_id, lastClientId: row.last_client_id };
    this.levels = levels;
  }

  get changed(): boolean {
    return this.#changed;
  }

  touch(): void {
    this.#changed = true;
  }

  addEvent(clientId: number, kind: EventKind, changed?: { from?: EventFields; to?: EventFields }): void {
    this.addEvents([newEvent(this, clientId, kind, changed)]);
  }

  /** Lines of histories. They may be made only as they are written, because an import has many. */
  addEvents(events: Iterable<EventRow>): void {
    this.#changed = true;
    this.#events.push(events);
  }

  async finish(): Promise<void> {
    const { engine, db, workspaceId, version, levels } = this;
    for (const events of this.#events) await engine.insertMany(db, 'client_events', events);
    await applyChanges({ engine, db, workspaceId, version }, this.places, levels);
    await db
      .updateTable('workspaces')
      .set({ version, last_group_id: this.numbers.lastGroupId, last_client_id: this.numbers.lastClientId })
      .where('id', '=', workspaceId)
      .execute();
  }
}
