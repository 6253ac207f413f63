import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Failure } from '../domain/failure.ts';
import { newSaltKey } from '../domain/members/index.ts';
import type { ReadOnlyDatabase } from './engines/engine.ts';
import type { Tables } from './tables.ts';

/** The id of the only row of the table. */
export const INSTALLATION_ID = 1;

const EPOCH_BYTES = 10;

/** Creates the row if there is none, and starts a new epoch if the identity of the database has changed. */
export async function recordIdentity(db: Transaction<Tables>, identity: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ id: INSTALLATION_ID, epoch: newEpoch(), place: identity, salt_key: newSaltKey() })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ epoch: (row) => row.ref('excluded.epoch'), place: (row) => row.ref('excluded.place') })
        // If several nodes notice the change, only one of them starts the new epoch.
        .whereRef('installation.place', '!=', 'excluded.place'),
    )
    .execute();
}

export async function recordedIdentity(db: ReadOnlyDatabase): Promise<string | undefined> {
  const row = await db.selectFrom('installation').where('id', '=', INSTALLATION_ID).select('place').executeTakeFirst();
  return row?.place;
}

/** For a case that the program cannot detect: a backup that was restored in place. */
export async function renewEpoch(db: Transaction<Tables>): Promise<string> {
  const row = await db
    .updateTable('installation')
    .set({ epoch: newEpoch() })
    .where('id', '=', INSTALLATION_ID)
    .returning('epoch')
    .executeTakeFirst();
  if (!row) throw new Failure('unavailable', 'Service temporarily unavailable: the database has no epoch yet.');
  return row.epoch;
}

/** Writes a new value, because writing the same value again need not reach the disk. */
export async function tryWriting(db: Transaction<Tables>): Promise<void> {
  await db.updateTable('installation').set({ write_tried_at: Date.now() }).where('id', '=', INSTALLATION_ID).execute();
}

/** Whether the database has been rewritten since its columns were encrypted. */
export async function areRemainsRemoved(db: ReadOnlyDatabase): Promise<boolean> {
  const row = await db
    .selectFrom('installation')
    .where('id', '=', INSTALLATION_ID)
    .select('remains_removed_at')
    .executeTakeFirst();
  return row?.remains_removed_at != null;
}

export async function noteRemainsRemoved(db: Transaction<Tables>): Promise<void> {
  await db
    .updateTable('installation')
    .set({ remains_removed_at: Date.now() })
    .where('id', '=', INSTALLATION_ID)
    .execute();
}

/** Only letters and digits, because the epoch is part of an ETag. */
function newEpoch(): string {
  return BigInt(`0x${randomBytes(EPOCH_BYTES).toString('hex')}`).toString(36);
}
