import { type Insertable, sql, type Transaction } from 'kysely';
import type { AccountRecorder, Actor, WorkspaceRecorder } from '../domain/change.ts';
import type { EventFields, EventKind } from '../domain/client-event.ts';
import { Failure } from '../domain/failure.ts';
import { isActingMember } from '../domain/member.ts';
import { type Entry, newEntry, saveEntries } from './activity.ts';
import { newEvent } from './client-events.ts';
import { applyChanges } from './client-index/apply-changes.ts';
import { IndexChanges } from './client-index/index-changes.ts';
import type { Levels } from './client-index/levels.ts';
import type { Engine } from './engines/engine.ts';
import { INSTALLATION_ID } from './installation.ts';
import type { Tables } from './tables.ts';

/** What the parts of one change share: the transaction, and by whom and when. */
export interface Work {
  engine: Engine;
  db: Transaction<Tables>;
  actor: Actor;
  at: number;
}

/** A change of one account while it is under way. */
export class AccountWork implements Work {
  readonly engine: Engine;
  readonly db: Transaction<Tables>;
  readonly actor: Actor;
  readonly at: number;
  readonly accountId: number;
  readonly #entries: Entry[] = [];
  #changed = false;

  constructor(work: Work, accountId: number) {
    this.engine = work.engine;
    this.db = work.db;
    this.actor = work.actor;
    this.at = work.at;
    this.accountId = accountId;
  }

  /** Says that something was changed. */
  touch(): void {
    this.#changed = true;
  }

  readonly record: AccountRecorder['record'] = (action, subject, environment = null) => {
    this.#entries.push(newEntry(this, { action, subject, environment }));
  };

  /** A change that is not on record is our defect, and is not kept. What changed nothing may be on record all the same. */
  async finish(): Promise<void> {
    if (this.#changed && this.#entries.length === 0) throw new Error('A change of an account was not put on record.');
    await saveEntries(this.db, this.#entries);
  }
}

type EventRow = Insertable<Tables['client_events']>;

/**
 * A change of one workspace while it is under way. Its parts write rows and note here what else follows from them; that is
 * written once, when all of them are done.
 */
export class WorkspaceWork {
  readonly engine: Engine;
  readonly db: Transaction<Tables>;
  readonly workspaceId: number;
  /** As histories name them. */
  readonly actor: string;
  readonly at: number;
  /** The version that this change brings about, if it changes anything. */
  readonly version: number;
  /** The numbers that were handed out last. */
  readonly numbers: { lastGroupId: number; lastClientId: number };
  /** What is added to and taken from the lists. */
  readonly places = new IndexChanges();
  readonly levels: Levels;
  readonly #events: Iterable<EventRow>[] = [];
  readonly #entries: Entry[] = [];
  #changed = false;
  readonly #newEntry: (...entry: Parameters<WorkspaceRecorder['record']>) => Entry;

  private constructor(work: Work, levels: Levels, workspaceId: number, row: LockedRow) {
    this.engine = work.engine;
    this.db = work.db;
    this.actor = work.actor.name;
    this.at = work.at;
    this.workspaceId = workspaceId;
    this.version = row.version + 1;
    this.numbers = { lastGroupId: row.last_group_id, lastClientId: row.last_client_id };
    this.levels = levels;
    this.#newEntry = (action, subject, details) =>
      newEntry({ ...work, accountId: row.account_id }, { action, subject, environment: row.environment, ...details });
  }

  static async begin(work: Work, levels: Levels, workspaceId: number): Promise<WorkspaceWork> {
    return new WorkspaceWork(work, levels, workspaceId, await lockWorkspace(work.db, workspaceId));
  }

  /** Says that something was changed which has no line in a client's history. */
  touch(): void {
    this.#changed = true;
  }

  addEvent(clientId: number, kind: EventKind, changed?: { from?: EventFields; to?: EventFields }): void {
    this.addEvents([newEvent(this, clientId, kind, changed)]);
  }

  /** Lines of histories, which may be made only as they are written: an import has many. */
  addEvents(events: Iterable<EventRow>): void {
    this.#changed = true;
    this.#events.push(events);
  }

  readonly record: WorkspaceRecorder['record'] = (...entry) => {
    this.#entries.push(this.#newEntry(...entry));
  };

  /** Nothing, if nothing was changed. A change that is not on record is our defect, and is not kept. */
  async finish(): Promise<void> {
    if (!this.#changed) return;
    if (this.#entries.length === 0) throw new Error('A change of a workspace was not put on record.');
    const { engine, db, workspaceId, version, levels } = this;
    for (const events of this.#events) await engine.insertMany(db, 'client_events', events);
    await applyChanges({ engine, db, workspaceId, version }, this.places, levels);
    await saveEntries(db, this.#entries);
    await db
      .updateTable('workspaces')
      .set({ version, last_group_id: this.numbers.lastGroupId, last_client_id: this.numbers.lastClientId })
      .where('id', '=', workspaceId)
      .execute();
  }
}

type LockedRow = Awaited<ReturnType<typeof lockWorkspace>>;

/**
 * The first statement of every change to a workspace: locks its row, so that changes to one workspace happen one after
 * the other and may read before they write.
 */
async function lockWorkspace(db: Transaction<Tables>, workspaceId: number) {
  const row = await db
    .updateTable('workspaces')
    .set({ version: sql`version` })
    .where('id', '=', workspaceId)
    .returning(['account_id', 'environment', 'version', 'last_group_id', 'last_client_id'])
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'There is no such workspace.');
  return row;
}

/**
 * A member who was signed out or removed, or whose role was changed, while their request was on its way changes nothing. Looked at under
 * the lock, so that no key is made by somebody whose keys have just been revoked.
 */
export async function requireStillMember({ db, actor }: Work): Promise<void> {
  if (!isActingMember(actor)) return;
  let query = db
    .selectFrom('members')
    .where('members.account_id', '=', actor.accountId)
    .where('members.id', '=', actor.memberId)
    .select('members.role');
  if (actor.sessionId !== undefined) {
    query = query
      .innerJoin('sessions', 'sessions.member_id', 'members.id')
      .where('sessions.account_id', '=', actor.accountId)
      .where('sessions.id', '=', actor.sessionId);
  }
  if ((await query.executeTakeFirst())?.role === actor.role) return;
  throw new Failure(
    'forbidden',
    'You were signed out or removed, or your role was changed, while this was on its way. Nothing was changed.',
  );
}

/** The same for an account, whose changes also happen one after the other. */
export async function lockAccount({ db }: Work, accountId: number): Promise<void> {
  const row = await db
    .updateTable('accounts')
    .set({ name: sql`name` })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'There is no such account.');
}

export async function lockInstallation(db: Transaction<Tables>): Promise<void> {
  await db
    .updateTable('installation')
    .set({ epoch: sql`epoch` })
    .where('id', '=', INSTALLATION_ID)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** For counters and times that are nobody's change: no lock, no version, no entry on record. */
export type KeepBooks = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
