import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { Failure, isFailure } from '../domain/failure.ts';
import type { Tables } from './tables.ts';

/** The workspace is locked until all changes of a transaction are done, so there are not too many of them. */
const CHANGES_AT_ONCE = 50;

/** Far more than there are callers who wait for an answer at the same time. */
const WAITING_MAX = 1000;

type Write = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;

interface Waiting {
  run(db: Transaction<Tables>): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { value: unknown } | { error: unknown };

/**
 * Changes to a workspace that arrive while an earlier one is written share the next transaction, because most of the time of a
 * small change is spent on the commit. Each has a savepoint of its own: one that fails leaves no trace, and the others are
 * not affected (decision 89).
 */
export class WorkspaceQueue {
  readonly #write: Write;
  readonly #queues = new Map<number, Waiting[]>();

  constructor(write: Write) {
    this.#write = write;
  }

  /** Runs the change within a transaction, and resolves once it is committed. */
  add<T>(workspaceId: number, run: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const queue = this.#queues.get(workspaceId);
    if (queue && queue.length >= WAITING_MAX) throw tooManyChanges();
    if (queue) queue.push({ run, resolve, reject });
    else {
      this.#queues.set(workspaceId, [{ run, resolve, reject }]);
      void this.#work(workspaceId);
    }
    return promise as Promise<T>;
  }

  async #work(workspaceId: number): Promise<void> {
    for (;;) {
      // All requests that have arrived together are read first.
      await nextTurn();
      const batch = this.#queues.get(workspaceId)?.splice(0, CHANGES_AT_ONCE) ?? [];
      if (batch.length === 0) break;
      await this.#writeTogether(batch);
    }
    this.#queues.delete(workspaceId);
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#write((db) => runAll(db, batch));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] as Outcome;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

async function runAll(db: Transaction<Tables>, batch: readonly Waiting[]): Promise<Outcome[]> {
  const [only] = batch;
  // Without others, the whole transaction is rolled back if it fails.
  if (only && batch.length === 1) return [{ value: await only.run(db) }];
  const outcomes: Outcome[] = [];
  for (const { run } of batch) outcomes.push(await attempt(db, () => run(db)));
  return outcomes;
}

/** Undoes what was written if it fails. A database that is unavailable fails the whole transaction. */
export async function attempt<T>(
  db: Transaction<Tables>,
  run: () => Promise<T>,
): Promise<{ value: T } | { error: unknown }> {
  await sql`savepoint one_change`.execute(db);
  try {
    const value = await run();
    await sql`release savepoint one_change`.execute(db);
    return { value };
  } catch (error) {
    if (isFailure(error, 'unavailable')) throw error;
    await sql`rollback to savepoint one_change`.execute(db);
    return { error };
  }
}

function tooManyChanges(): Failure {
  return new Failure('unavailable', 'Service temporarily unavailable: too many changes are waiting.');
}
