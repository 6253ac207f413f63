import type { Transaction } from 'kysely';
import type { AttemptBooks, Failures } from '../../domain/members/sign-in-attempts.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';

export function openSignInAttempts(keepBooks: KeepBooks): AttemptBooks {
  return {
    change: (sources, change) =>
      keepBooks(async (db) => {
        const before: (Failures | undefined)[] = [];
        // Always an email before a network, so that two attempts cannot wait for each other.
        for (const source of sources) before.push(await lock(db, source));
        const after = change(before);
        for (const [index, source] of sources.entries()) await replace(db, source, after[index]);
      }),

    removeOld: (lastBefore) =>
      keepBooks(async (db) => {
        await db.deleteFrom('sign_in_attempts').where('last_at', '<', lastBefore).execute();
      }),
  };
}

/** Inserts a row for a new source, because a row that does not exist cannot be locked. */
async function lock(db: Transaction<Tables>, source: string): Promise<Failures | undefined> {
  const row = await db
    .insertInto('sign_in_attempts')
    .values({ source, failures: 0, last_at: 0, wait_until: 0 })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ source }))
    .returning(['failures', 'last_at', 'wait_until'])
    .executeTakeFirstOrThrow();
  return row.failures === 0 ? undefined : { count: row.failures, lastAt: row.last_at, waitUntil: row.wait_until };
}

async function replace(db: Transaction<Tables>, source: string, failures: Failures | undefined): Promise<void> {
  if (failures === undefined || failures.count <= 0) {
    await db.deleteFrom('sign_in_attempts').where('source', '=', source).execute();
    return;
  }
  await db
    .updateTable('sign_in_attempts')
    .set({ failures: failures.count, last_at: failures.lastAt, wait_until: failures.waitUntil })
    .where('source', '=', source)
    .execute();
}
