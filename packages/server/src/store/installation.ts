import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Failure } from '../domain/failure.ts';
import type { Reads } from './engines/engine.ts';
import type { Tables } from './tables.ts';

/** The table has this one row. */
export const INSTALLATION_ID = 1;

const EPOCH_BYTES = 10;

/** Makes the row where there is none, and a new epoch where the database is no longer in the place it was in. */
export async function settle(db: Transaction<Tables>, place: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ id: INSTALLATION_ID, epoch: newEpoch(), place })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ epoch: (row) => row.ref('excluded.epoch'), place: (row) => row.ref('excluded.place') })
        // Of several nodes that notice it, one makes the new epoch.
        .whereRef('installation.place', '!=', 'excluded.place'),
    )
    .execute();
}

export async function settledPlace(db: Reads): Promise<string | undefined> {
  const row = await db.selectFrom('installation').where('id', '=', INSTALLATION_ID).select('place').executeTakeFirst();
  return row?.place;
}

/** For what cannot be seen: a backup that was restored in place. */
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

/** Writes something that was not there before: what is only written again need not reach the disk. */
export async function tryWriting(db: Transaction<Tables>): Promise<void> {
  await db.updateTable('installation').set({ write_tried_at: Date.now() }).where('id', '=', INSTALLATION_ID).execute();
}

/** In the letters and digits of a tag. */
function newEpoch(): string {
  return BigInt(`0x${randomBytes(EPOCH_BYTES).toString('hex')}`).toString(36);
}
