import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../domain/failure.ts';
import type { Reads } from './engines/engine.ts';
import { INSTALLATION_ID } from './installation.ts';

/**
 * The epoch of the database and the version of a workspace as one text: two reads with the same stamp saw the same data.
 * A workspace that is not there is one that a replica does not know yet. It was empty at its version 0, so that is what
 * the replica's empty list is of.
 */
export function stampOf(workspaceId: number): RawBuilder<string> {
  return sql`(
    select epoch || '.' || coalesce((select version from workspaces where id = ${workspaceId}), 0)
    from installation where id = ${sql.lit(INSTALLATION_ID)})`;
}

export async function readStamp(db: Reads, workspaceId: number): Promise<string> {
  const { rows } = await sql<{ stamp: string | null }>`select ${stampOf(workspaceId)} as stamp`.execute(db);
  return requireStamp(rows[0]?.stamp);
}

/** Without its row a database has not been brought up to date, or a replica has not yet heard of it. */
export function requireStamp(stamp: string | null | undefined): string {
  if (typeof stamp === 'string') return stamp;
  throw new Failure('unavailable', 'Service temporarily unavailable: the database has no epoch yet.');
}

/** Version numbers, such as those of runs, may be compared within one epoch only. */
export function isSameEpoch(one: string, other: string): boolean {
  return epochOf(one) === epochOf(other);
}

function epochOf(stamp: string): string {
  return stamp.slice(0, stamp.indexOf('.'));
}
