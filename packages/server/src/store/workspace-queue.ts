import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { Failure, isFailure } from '../domain/failure.ts';
import { DatabaseUnavailable } from './engines/database-unavailable.ts';
import type { Tables } from './tables.ts';

/** The workspace is locked until all changes of a transaction are done, so there are not too many of them. */
const CHANGES_AT_ONCE = 50;

/** So many changes that are made together take about as long as one that is made alone. */
const ALIKE_PER_CHANGE = 4;

/**
 * Those who were answered have time to send their next change, so that it is part of the next transaction. Besides, Node accepts
 * one connection in each turn of the event loop, and a transaction on SQLite is one turn: without more of them, callers who
 * connect while others change clients would wait for many transactions.
 */
const TURNS = 32;
/** If others have much to do in these turns, changes need not wait for them. */
const TURNS_MAX_MS = 5;

/** Far more than there are callers who wait for an answer at the same time. */
const WAITING_MAX = 1000;

/**
 * One transaction that fails because the database is busy may have been slow itself. If so many of them fail in a row, the next one
 * would, too, and those that wait for it would wait for one timeout after the other.
 */
const BUSY_MAX = 2;

type Write = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;

export type Outcome<T> = { value: T } | { error: unknown };

/** Makes changes that are alike together, with the outcomes that they would have had one after the other. */
type RunTogether<Alike> = (
  db: Transaction<Tables>,
  workspaceId: number,
  changes: readonly Alike[],
) => Promise<Outcome<unknown>[]>;

interface Waiting<Alike> {
  run(db: Transaction<Tables>): Promise<unknown>;
  /** Set if the change can be made together with others. */
  alike: Alike | undefined;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Queue<Alike> {
  short: Waiting<Alike>[];
  /** Each has a transaction of its own, so that no other change has to wait until it is committed, too. */
  long: Waiting<Alike>[];
}

/**
 * Changes to a workspace that arrive while an earlier one is written share the next transaction, because most of the time of a
 * small change is spent on the commit. Each has a savepoint of its own: one that fails leaves no trace, and the others are
 * not affected (decision 89). Those that are alike are even made together (decision 95). Long changes take turns with all
 * others. When the database is unavailable or stays busy, those that wait are refused, too, so that nobody waits for many timeouts.
 */
export class WorkspaceQueue<Alike> {
  readonly #write: Write;
  readonly #runTogether: RunTogether<Alike>;
  readonly #queues = new Map<number, Queue<Alike>>();

  constructor(write: Write, runTogether: RunTogether<Alike>) {
    this.#write = write;
    this.#runTogether = runTogether;
  }

  /** Whether changes wait for the one that is being made. */
  isAwaited(workspaceId: number): boolean {
    const queue = this.#queues.get(workspaceId);
    return queue !== undefined && queue.short.length + queue.long.length > 0;
  }

  /** Runs the change within a transaction, and resolves once it is committed. */
  add<T>(
    workspaceId: number,
    run: (db: Transaction<Tables>) => Promise<T>,
    { alike, isLong }: { alike?: Alike; isLong?: boolean | undefined } = {},
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting = { run, alike, resolve, reject };
    const queue = this.#queues.get(workspaceId) ?? { short: [], long: [] };
    const own = isLong ? queue.long : queue.short;
    if (own.length >= WAITING_MAX) throw tooManyChanges();
    own.push(waiting);
    if (!this.#queues.has(workspaceId)) {
      this.#queues.set(workspaceId, queue);
      void this.#work(workspaceId, queue);
    }
    return promise as Promise<T>;
  }

  async #work(workspaceId: number, { short, long }: Queue<Alike>): Promise<void> {
    // All requests that have arrived together are read first.
    await nextTurn();
    let busyInARow = 0;
    while (short.length + long.length > 0) {
      const [several, longOne] = [takeShort(short), long.splice(0, 1)];
      for (const batch of [several, longOne]) {
        if (batch.length === 0) continue;
        const failure = await this.#writeBatch(workspaceId, batch);
        if (!failure) busyInARow = 0;
        // Not a long change, which may also fail because it is long.
        else if (batch === several) busyInARow++;
        if (failure && (!failure.isTransient || busyInARow >= BUSY_MAX)) refuseAll(short, failure);
        await takeTurns();
      }
    }
    this.#queues.delete(workspaceId);
  }

  /** Returns the failure if the database was unavailable. */
  async #writeBatch(workspaceId: number, batch: readonly Waiting<Alike>[]): Promise<DatabaseUnavailable | undefined> {
    try {
      const outcomes = await this.#write((db) => this.#runAll(db, workspaceId, batch));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] as Outcome<unknown>;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      }
      return undefined;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return error instanceof DatabaseUnavailable ? error : undefined;
    }
  }

  async #runAll(
    db: Transaction<Tables>,
    workspaceId: number,
    batch: readonly Waiting<Alike>[],
  ): Promise<Outcome<unknown>[]> {
    const [only] = batch;
    // Without others, the whole transaction is rolled back if it fails.
    if (only && batch.length === 1) return [{ value: await only.run(db) }];
    const outcomes: Outcome<unknown>[] = [];
    for (const stretch of stretchesOf(batch)) outcomes.push(...(await this.#runStretch(db, workspaceId, stretch)));
    return outcomes;
  }

  /**
   * Something unforeseen in one of several changes that are made together must not fail the others. They are then made in two
   * halves, and so on, until it is alone and fails by itself.
   */
  async #runStretch(
    db: Transaction<Tables>,
    workspaceId: number,
    stretch: readonly Waiting<Alike>[],
  ): Promise<Outcome<unknown>[]> {
    const [first] = stretch;
    if (!first) return [];
    if (stretch.length === 1) return [await attempt(db, () => first.run(db))];
    const alike = stretch.map((each) => each.alike as Alike);
    const together = await attempt(db, () => this.#runTogether(db, workspaceId, alike));
    if ('value' in together) return together.value;
    const half = Math.ceil(stretch.length / 2);
    return [
      ...(await this.#runStretch(db, workspaceId, stretch.slice(0, half))),
      ...(await this.#runStretch(db, workspaceId, stretch.slice(half))),
    ];
  }
}

/** Lets the event loop turn, so that what has arrived in the meantime is read. */
export async function takeTurns(): Promise<void> {
  const until = performance.now() + TURNS_MAX_MS;
  for (let turn = 0; turn < TURNS && performance.now() < until; turn++) await nextTurn();
}

/** Removes the changes of the next transaction from the queue. */
function takeShort<Alike>(queue: Waiting<Alike>[]): Waiting<Alike>[] {
  let [taken, room] = [0, CHANGES_AT_ONCE];
  for (; taken < queue.length && room > 0; taken++) room -= queue[taken]?.alike ? 1 / ALIKE_PER_CHANGE : 1;
  return queue.splice(0, taken);
}

function refuseAll<Alike>(queue: Waiting<Alike>[], failure: DatabaseUnavailable): void {
  for (const { reject } of queue.splice(0)) reject(failure);
}

/** The changes in their order; those that follow each other and are alike, together. */
function stretchesOf<Alike>(batch: readonly Waiting<Alike>[]): Waiting<Alike>[][] {
  const stretches: Waiting<Alike>[][] = [];
  for (const change of batch) {
    const last = stretches.at(-1);
    if (last?.[0]?.alike && change.alike) last.push(change);
    else stretches.push([change]);
  }
  return stretches;
}

async function attempt<T>(db: Transaction<Tables>, run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await undoable(db, run) };
  } catch (error) {
    if (isFailure(error, 'unavailable')) throw error;
    return { error };
  }
}

/** If it fails, what it wrote is undone, and the transaction can go on, unless the database is unavailable. */
export async function undoable<T>(db: Transaction<Tables>, run: () => Promise<T>): Promise<T> {
  await sql`savepoint one_change`.execute(db);
  try {
    const value = await run();
    await sql`release savepoint one_change`.execute(db);
    return value;
  } catch (error) {
    if (!isFailure(error, 'unavailable')) await sql`rollback to savepoint one_change`.execute(db);
    throw error;
  }
}

function tooManyChanges(): Failure {
  return new Failure('unavailable', 'Service temporarily unavailable: too many changes are waiting.');
}
