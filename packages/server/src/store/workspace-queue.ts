import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { Failure, isFailure } from '../domain/failure.ts';
import type { Tables } from './tables.ts';

/** The workspace is locked until all changes of a transaction are done, so there are not too many of them. */
const CHANGES_AT_ONCE = 50;

/** So many changes that are made together take about as long as one that is made alone. */
const ALIKE_PER_CHANGE = 4;

/**
 * Node accepts one connection in each turn of the event loop, and a transaction on SQLite is one turn. Without more of them,
 * callers who connect while others change clients would wait for many transactions.
 */
const TURNS_BETWEEN = 32;

/** Far more than there are callers who wait for an answer at the same time. */
const WAITING_MAX = 1000;

type Write = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;

export type Outcome<T> = { value: T } | { error: unknown };

/** Several of a kind, at least one. */
type Several<T> = readonly [T, ...T[]];

/** Makes changes that are alike together, with the outcomes that they would have had one after the other. */
type RunTogether<Alike> = (
  db: Transaction<Tables>,
  workspaceId: number,
  changes: Several<Alike>,
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
 * others.
 */
export class WorkspaceQueue<Alike> {
  readonly #write: Write;
  readonly #runTogether: RunTogether<Alike>;
  readonly #queues = new Map<number, Queue<Alike>>();

  constructor(write: Write, runTogether: RunTogether<Alike>) {
    this.#write = write;
    this.#runTogether = runTogether;
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
    for (let turns = 1; ; turns = TURNS_BETWEEN) {
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      if (short.length + long.length === 0) break;
      for (const batch of [takeShort(short), long.splice(0, 1)]) {
        if (batch.length > 0) await this.#writeBatch(workspaceId, batch);
      }
    }
    this.#queues.delete(workspaceId);
  }

  async #writeBatch(workspaceId: number, batch: readonly Waiting<Alike>[]): Promise<void> {
    try {
      const outcomes = await this.#write((db) => this.#runAll(db, workspaceId, batch));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] as Outcome<unknown>;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
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
    for (const { changes, alike } of stretchesOf(batch)) {
      const together = alike && (await attempt(db, () => this.#runTogether(db, workspaceId, alike)));
      if (together && 'value' in together) outcomes.push(...together.value);
      // Something unforeseen in one of them must not fail the others.
      else for (const { run } of changes) outcomes.push(await attempt(db, () => run(db)));
    }
    return outcomes;
  }
}

/** Removes the changes of the next transaction from the queue. */
function takeShort<Alike>(queue: Waiting<Alike>[]): Waiting<Alike>[] {
  let [taken, room] = [0, CHANGES_AT_ONCE];
  for (; taken < queue.length && room > 0; taken++) room -= queue[taken]?.alike ? 1 / ALIKE_PER_CHANGE : 1;
  return queue.splice(0, taken);
}

interface Stretch<Alike> {
  changes: Waiting<Alike>[];
  /** Set if all of them are alike. */
  alike: [Alike, ...Alike[]] | undefined;
}

/** The changes in their order; those that follow each other and are alike, together. */
function stretchesOf<Alike>(batch: readonly Waiting<Alike>[]): Stretch<Alike>[] {
  const stretches: Stretch<Alike>[] = [];
  for (const change of batch) {
    const last = stretches.at(-1);
    if (last?.alike && change.alike) {
      last.changes.push(change);
      last.alike.push(change.alike);
    } else {
      stretches.push({ changes: [change], alike: change.alike && [change.alike] });
    }
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
