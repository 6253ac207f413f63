import { sql } from 'kysely';
import type { Engine, Reads } from '../../engines/engine.ts';
import { ANY, type Combination, type Position } from './combination.ts';
import type { Level } from './levels.ts';
import type { Run } from './run.ts';

interface IndexRead {
  engine: Engine;
  db: Reads;
  workspaceId: number;
}

/** Pieces begin three quarters full: room to grow, and not many more of them than needed. */
function pieceSize({ maxSize }: Level): number {
  return Math.max(1, Math.floor(maxSize * 0.75));
}

/** A stretch of one list that has grown too large. */
export interface Grown {
  combination: Combination;
  run: Run;
}

/**
 * Cuts runs that have grown too large, at the places of the clients themselves; the last piece of each takes what is left.
 * A statement steps from cut to cut, reading the index alone, for all runs of lists with the same filters: a batch of an
 * import cuts hundreds, and a statement for each cut was a quarter of what it cost on PostgreSQL.
 */
export async function cutRuns(read: IndexRead, grown: readonly Grown[], level: Level): Promise<Run[][]> {
  const step = pieceSize(level);
  const pieces = grown.map(({ run }) => [{ ...run }]);
  for (const numbers of byFilters(grown)) {
    const wanted = numbers.map((number) => ({ number, ...(grown[number] as Grown) }));
    for (const { number, createdAt, id } of await stepThrough(read, wanted, step, level)) {
      const cut = pieces[number] as Run[];
      const last = cut.at(-1) as Run;
      cut.push({ createdAt, id, size: last.size - step });
      last.size = step;
    }
  }
  for (const [number, cut] of pieces.entries()) {
    const { run } = grown[number] as Grown;
    if (cut.length - 1 === cutsOf(run, step, level)) continue;
    throw new Error(`The counted index is wrong: workspace ${read.workspaceId} has fewer clients than it says.`);
  }
  return pieces;
}

/** Until what is left is no longer too large. */
function cutsOf({ size }: Run, step: number, { maxSize }: Level): number {
  return Math.max(0, Math.ceil((size - maxSize) / step));
}

/** The numbers of the runs, those together whose lists are found by the same index. */
function byFilters(grown: readonly Grown[]): Iterable<number[]> {
  const shapes = new Map<string, number[]>();
  for (const [number, { combination }] of grown.entries()) {
    const { groupId, requestStatus, clientType } = combination;
    const shape = [groupId, requestStatus, clientType].map((value) => value === ANY).join();
    shapes.set(shape, [...(shapes.get(shape) ?? []), number]);
  }
  return shapes.values();
}

interface Cut extends Position {
  number: number;
}

/** The places of the clients that stand one step, two steps and so on after the beginning of each run. */
async function stepThrough(
  { engine, db, workspaceId }: IndexRead,
  grown: readonly (Grown & { number: number })[],
  step: number,
  level: Level,
): Promise<Cut[]> {
  const [first] = grown;
  if (!first) return [];
  const list = first.combination;
  const columns = ['number', 'is_cut', 'cuts_left', 'created_at', 'id', 'group_id', 'request_status', 'client_type'];
  const wanted = grown.map(({ number, run, combination: { groupId, requestStatus, clientType } }) => {
    return [number, 0, cutsOf(run, step, level), run.createdAt, run.id, groupId, requestStatus, clientType];
  });
  const same = (column: string, value: number) =>
    value === ANY ? sql`` : sql`and ${sql.ref(`p.${column}`)} = ${sql.ref(`s.${column}`)}`;
  const next = sql`c.workspace_id = ${workspaceId} and c.id = (
    select p.id from clients as p
    where p.workspace_id = ${workspaceId} ${same('group_id', list.groupId)}
      ${same('request_status', list.requestStatus)} ${same('client_type', list.clientType)}
      and (p.created_at, p.id) >= (s.created_at, s.id)
    order by p.created_at, p.id limit 1 offset cast(${step} as integer))`;
  const { rows } = await sql<{ number: number; created_at: number; id: number }>`
    with recursive stepped (${sql.join(columns.map((column) => sql.ref(column)))}) as (
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${engine.numberRows(columns, wanted)} as wanted
      union all
      select s.number, 1, s.cuts_left - 1, c.created_at, c.id, s.group_id, s.request_status, s.client_type
      from stepped as s ${engine.lookUp('clients', 'c', next)}
      where s.cuts_left > 0
    )
    select number, created_at, id from stepped where is_cut = 1 order by number, created_at, id`.execute(db);
  return rows.map(({ number, created_at, id }) => ({ number, createdAt: created_at, id }));
}

/** Cuts sections that have grown too large where runs begin, which are in place by then. */
export async function cutSections(read: IndexRead, grown: readonly Grown[], level: Level): Promise<Run[][]> {
  const cut: Run[][] = [];
  for (const each of grown) cut.push(await cutSection(read, each, level));
  return cut;
}

async function cutSection(read: IndexRead, { combination, run: section }: Grown, level: Level): Promise<Run[]> {
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
  const step = pieceSize(level);
  const pieces: Run[] = [];
  for (const run of rows) {
    const piece = pieces.at(-1);
    if (piece && piece.size < step) piece.size += run.size;
    else pieces.push({ createdAt: run.created_at, id: run.id, size: run.size });
  }
  const [first, ...rest] = pieces;
  return first ? [{ ...first, createdAt: section.createdAt, id: section.id }, ...rest] : [section];
}
