import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Run } from './apply-changes.ts';
import type { Combination, Position } from './combination.ts';
import type { Level } from './levels.ts';
import { inList } from './list-conditions.ts';

interface IndexRead {
  db: Kysely<Tables>;
  workspaceId: number;
}

/** Pieces begin three quarters full: room to grow, and not many more of them than needed. */
function pieceSize(size: number, { maxSize }: Level): number {
  const pieces = Math.ceil(size / Math.max(1, Math.floor(maxSize * 0.75)));
  return Math.ceil(size / pieces);
}

/** Cuts a run that has grown too large into pieces of equal size, at the places of the clients themselves. */
export async function cutRun(read: IndexRead, combination: Combination, run: Run, level: Level): Promise<Run[]> {
  const step = pieceSize(run.size, level);
  const { rows } = await sql<{ created_at: number; id: number }>`
    select created_at, id from (
      select created_at, id, row_number() over (order by created_at, id) as place
      from (select created_at, id from clients where ${inList(read.workspaceId, combination)}
            and (created_at, id) >= (${run.createdAt}, ${run.id})
            order by created_at, id limit ${run.size}) as stretch
    ) as numbered
    where place > 1 and (place - 1) % cast(${step} as integer) = 0
    order by created_at, id`.execute(read.db);
  const starts: Position[] = [run, ...rows.map((row) => ({ createdAt: row.created_at, id: row.id }))];
  return starts.map(({ createdAt, id }, index) => ({
    createdAt,
    id,
    size: Math.min(step, run.size - index * step),
  }));
}

/** Cuts a section that has grown too large where runs begin, which are in place by then. */
export async function cutSection(
  read: IndexRead,
  combination: Combination,
  section: Run,
  level: Level,
): Promise<Run[]> {
  const { groupId, requestStatus, clientType } = combination;
  const { rows } = await sql<{ created_at: number; id: number; size: number }>`
    select created_at, id, size from (
      select created_at, id, size, sum(size) over (order by created_at, id) as up_to from client_runs
      where workspace_id = ${read.workspaceId} and level = 0 and group_id = ${groupId}
        and request_status = ${requestStatus} and client_type = ${clientType}
        and (created_at, id) >= (${section.createdAt}, ${section.id})
    ) as summed
    where up_to - size < cast(${section.size} as integer) and size > 0
    order by created_at, id`.execute(read.db);
  const step = pieceSize(section.size, level);
  const pieces: Run[] = [];
  for (const run of rows) {
    const piece = pieces.at(-1);
    if (piece && piece.size < step) piece.size += run.size;
    else pieces.push({ createdAt: run.created_at, id: run.id, size: run.size });
  }
  const [first, ...rest] = pieces;
  return first ? [{ ...first, createdAt: section.createdAt, id: section.id }, ...rest] : [section];
}
