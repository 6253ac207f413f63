import type { Insertable, Selectable, Transaction } from 'kysely';
import type { EventKind } from '../../domain/clients/client-event.ts';
import type { ChainHead, EntryValues } from '../../domain/members/index.ts';
import type { Engine } from '../engines/engine.ts';
import type { LockedWorkspace } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { UnitOfWork, WorkspaceUnitOfWork } from '../unit-of-work.ts';
import { type EventChanges, newEvent } from './client-events.ts';
import { applyIndexChanges, removeLists } from './client-index/apply-index-changes.ts';
import type { IndexedRow } from './client-index/combination.ts';
import { IndexChanges } from './client-index/index-changes.ts';
import type { IndexLevels } from './client-index/levels.ts';
import { WordChanges } from './word-changes.ts';

type Row = Selectable<Tables['clients']>;
type EventRow = Insertable<Tables['client_events']>;

/**
 * A change to a workspace in progress. Its parts write rows and collect here what else has to be written: history lines,
 * changes to the counted index and to the words, and the last ids. All of that is written when the parts are done. A long
 * change may write its history lines and words after each part.
 */
export class ClientUnitOfWork implements WorkspaceUnitOfWork {
  readonly engine: Engine;
  readonly db: Transaction<Tables>;
  readonly workspaceId: number;
  readonly actor: string;
  readonly at: number;
  /** The last ids that were assigned. */
  readonly lastIds: { lastGroupId: number; lastClientId: number };
  readonly levels: IndexLevels;
  readonly #indexChanges = new IndexChanges();
  readonly #removedGroups: number[] = [];
  #wordChanges = new WordChanges();
  #events: Iterable<EventRow>[] = [];
  readonly #changes: EventChanges[] = [];
  #version: number;
  #isVersionUsed = false;
  #changed = false;

  constructor(work: UnitOfWork, levels: IndexLevels, workspaceId: number, row: LockedWorkspace) {
    this.engine = work.engine;
    this.db = work.db;
    this.actor = work.actor.name;
    this.at = work.at;
    this.workspaceId = workspaceId;
    this.#version = row.version + 1;
    this.lastIds = { lastGroupId: row.last_group_id, lastClientId: row.last_client_id };
    this.levels = levels;
  }

  /** Of the workspace after this change, or after the present part of it. */
  get version(): number {
    return this.#version;
  }

  get changed(): boolean {
    return this.#changed;
  }

  markChanged(): void {
    this.#changed = true;
  }

  /** Must be called for every row of a client that is inserted. */
  noteAdded(row: Row): void {
    this.#indexChanges.add(row);
    this.#wordChanges.note(row.id, undefined, row);
  }

  /** Must be called for every row of a client that is updated. */
  noteChanged(before: Row, after: Row): void {
    this.#indexChanges.replace(before, after);
    this.#wordChanges.note(after.id, before, after);
  }

  /** The same for a client of which only its group or a status changes, on which its words do not depend. */
  noteMoved(before: IndexedRow, after: IndexedRow): void {
    this.#indexChanges.replace(before, after);
  }

  /** Must be called for every group that is removed. Its clients must have been moved or removed before. */
  noteGroupRemoved(groupId: number): void {
    this.#changed = true;
    this.#removedGroups.push(groupId);
  }

  /** Must be called for every row of a client that is deleted. */
  noteRemoved(row: Row): void {
    this.#indexChanges.remove(row);
    this.#wordChanges.note(row.id, row, undefined);
  }

  addEvent(clientId: number, kind: EventKind, changed?: EventChanges): void {
    if (changed) this.#changes.push(changed);
    this.addEvents([newEvent(this, clientId, kind, changed)]);
  }

  /** The lines may be created lazily while they are written, because an import has many of them. */
  addEvents(events: Iterable<EventRow>): void {
    this.#changed = true;
    this.#events.push(events);
  }

  /** Called before each part of a long change. A client has one history line per version, and may be changed in every part. */
  beginPart(): void {
    if (this.#isVersionUsed) this.#version++;
    this.#isVersionUsed = false;
  }

  /** Writes the history lines and words now, so that the end of a long change, which others wait for, does not take long. */
  async endPart(): Promise<void> {
    const { engine, db, workspaceId } = this;
    this.#isVersionUsed ||= this.#events.length > 0;
    for (const events of this.#events) await engine.insertMany(db, 'client_events', events);
    await engine.words.save(db, workspaceId, this.#wordChanges.inOrder());
    this.#events = [];
    this.#wordChanges = new WordChanges();
  }

  /** What has changed, if it is one client. */
  get onlyChange(): EntryValues | undefined {
    const [change, ...more] = this.#changes;
    if (!change || more.length > 0) return undefined;
    return { from: { ...change.from }, to: { ...change.to }, reason: change.reason ?? null };
  }

  /**
   * `activity` is the end of the chain of activity entries. `version` is that of the workspace afterwards, which is higher if
   * several changes are written together.
   */
  async finish(activity: ChainHead, version = this.version): Promise<void> {
    const { engine, db, workspaceId, levels } = this;
    await this.endPart();
    const write = { engine, db, workspaceId, version };
    await applyIndexChanges(write, this.#indexChanges, levels);
    for (const groupId of this.#removedGroups) await removeLists(write, groupId);
    await db
      .updateTable('workspaces')
      .set({
        version,
        last_group_id: this.lastIds.lastGroupId,
        last_client_id: this.lastIds.lastClientId,
        activity_count: activity.count,
        activity_hash: activity.hash,
      })
      .where('id', '=', workspaceId)
      .execute();
  }
}
