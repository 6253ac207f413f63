import { sql } from 'kysely';
import type { Reads } from '../engines/engine.ts';
import type { Run } from './apply-changes.ts';
import type { Combination, Position } from './combination.ts';
import type { Level } from './levels.ts';
import { inList } from './list-conditions.ts';

interface IndexRead {
  db: Reads;
  workspaceId: number;
}

/** Pieces begin three quarters full: room to grow, and not many more of them than needed. */
function pieceSize(size: number, { maxSize }: Level): number {
  const pieces = Math.ceil(size / Math.max(1, Math.floor(maxSize * 0.75)));
  return Math.ceil(size / pieces);
}

/**
 * Cuts a run that has grown too large into pieces of equal size, at the places of the clients themselves. Stepping from
 * cut to cut reads the index alone; numbering the rows in one statement was the slowest query of an import.
 */
export async function cutRun(read: IndexRead, combination: Combination, run: Run, level: Level): Promise<Run[]> {
  const step = pieceSize(run.size, level);
  const pieces: Run[] = [];
  let from: Position = run;
  for (let left = run.size; left > step; left -= step) {
    pieces.push({ createdAt: from.createdAt, id: from.id, size: step });
    from = await clientAfter(read, combination, from, step);
  }
  return [...pieces, { createdAt: from.createdAt, id: from.id, size: run.size - pieces.length * step }];
}

/** The place of the client that stands so many further on. */
async function clientAfter(
  { db, workspaceId }: IndexRead,
  combination: Combination,
  from: Position,
  steps: number,
): Promise<Position> {
  const { rows } = await sql<{ created_at: number; id: number }>`
    select created_at, id from clients
    where ${inList(workspaceId, combination)} and (created_at, id) >= (${from.createdAt}, ${from.id})
    order by created_at, id limit 1 offset cast(${steps} as integer)`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The counted index is wrong: workspace ${workspaceId} has fewer clients than it says.`);
  return { createdAt: row.created_at, id: row.id };
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
