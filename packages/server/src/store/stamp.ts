import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../domain/failure.ts';
import type { ReadOnlyDatabase } from './engines/engine.ts';
import { INSTALLATION_ID } from './installation.ts';

/**
 * The epoch of the database and the version of a workspace as one text: two reads with the same stamp saw the same data.
 * If the workspace does not exist, a replica has not received it yet. A workspace is empty at version 0, so the empty list
 * of the replica belongs to that version.
 */
export function stampOf(workspaceId: number): RawBuilder<string> {
  return sql`(
    select epoch || '.' || coalesce((select version from workspaces where id = ${workspaceId}), 0)
    from installation where id = ${sql.lit(INSTALLATION_ID)})`;
}

export async function readStamp(db: ReadOnlyDatabase, workspaceId: number): Promise<string> {
  const { rows } = await sql<{ stamp: string | null }>`select ${stampOf(workspaceId)} as stamp`.execute(db);
  return requireStamp(rows[0]?.stamp);
}

/** There is no stamp if the database has not been migrated, or if a replica has not received the row yet. */
export function requireStamp(stamp: string | null | undefined): string {
  if (typeof stamp === 'string') return stamp;
  throw new Failure('unavailable', 'Service temporarily unavailable: the database has no epoch yet.');
}

/** Version numbers, such as those of runs, may only be compared within one epoch. */
export function isSameEpoch(one: string, other: string): boolean {
  return epochOf(one) === epochOf(other);
}

function epochOf(stamp: string): string {
  return stamp.slice(0, stamp.indexOf('.'));
}
