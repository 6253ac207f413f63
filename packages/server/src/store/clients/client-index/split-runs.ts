import { sql } from 'kysely';
import type { Engine, ReadOnlyDatabase } from '../../engines/engine.ts';
import { ANY, COMBINATION_COLUMNS, type FilterCombination, type Position, toCombinationValues } from './combination.ts';
import type { Delta } from './index-changes.ts';
import type { IndexLevel, Run } from './levels.ts';
import { IS_INACTIVE, runsCondition } from './list-condition.ts';

interface IndexRead {
  engine: Engine;
  db: ReadOnlyDatabase;
  workspaceId: number;
}

/** New pieces are three quarters full, which leaves room to grow without many more pieces than needed. */
function pieceSize({ maxSize }: IndexLevel): number {
  return Math.max(1, Math.floor(maxSize * 0.75));
}

/** A run or section that has become too large. */
export interface OversizedRun {
  combination: FilterCombination;
  run: Run;
}

export interface ChangedRun extends OversizedRun {
  /** What has changed in it, in its order. */
  deltas: readonly Delta[];
}

/** Splits a run to which only clients were added that are newer than all others in it. */
export function splitAtAdded({ run, deltas }: ChangedRun, level: IndexLevel): Run[] {
  const step = pieceSize(level);
  let last: Run = { ...run, size: run.size - deltas.length };
  const pieces = [last];
  for (const { createdAt, id } of deltas) {
    if (last.size < step) last.size++;
    else {
      last = { createdAt, id, size: 1 };
      pieces.push(last);
    }
  }
  return pieces;
}

/**
 * Splits runs that have become too large, at the positions of clients. The last piece of each run gets the rest. One
 * statement finds the split positions of all runs of lists with the same filters, reading only the index. A batch of an
 * import splits hundreds of runs, and with a statement for each split these took a quarter of its time on PostgreSQL.
 */
export async function splitRuns(
  read: IndexRead,
  oversized: readonly OversizedRun[],
  level: IndexLevel,
): Promise<Run[][]> {
  const step = pieceSize(level);
  const pieces = oversized.map(({ run }) => [{ ...run }]);
  for (const numbers of byFilters(oversized)) {
    const wanted = numbers.map((number) => ({ number, ...(oversized[number] as OversizedRun) }));
    for (const { number, createdAt, id } of await stepThrough(read, wanted, step, level)) {
      const split = pieces[number] as Run[];
      const last = split.at(-1) as Run;
      split.push({ createdAt, id, size: last.size - step });
      last.size = step;
    }
  }
  for (const [number, split] of pieces.entries()) {
    const { run } = oversized[number] as OversizedRun;
    if (split.length - 1 === splitsOf(run, step, level)) continue;
    throw new Error(`The counted index is wrong: workspace ${read.workspaceId} has fewer clients than the index.`);
  }
  return pieces;
}

/** How many splits it takes until the rest is not too large any more. */
function splitsOf({ size }: Run, step: number, { maxSize }: IndexLevel): number {
  return Math.max(0, Math.ceil((size - maxSize) / step));
}

/** The indexes of the runs, grouped by the database index that their lists use. */
function byFilters(oversized: readonly OversizedRun[]): Iterable<number[]> {
  const shapes = new Map<string, number[]>();
  for (const [number, { combination }] of oversized.entries()) {
    const shape = toCombinationValues(combination)
      .map((value) => value === ANY)
      .join();
    shapes.set(shape, [...(shapes.get(shape) ?? []), number]);
  }
  return shapes.values();
}

interface SplitPosition extends Position {
  number: number;
}

/**
 * The positions of the clients one step, two steps and so on after the start of each run. The plus signs hide the types of
 * the columns, because of which SQLite would use only the time, and read all clients with the same time for every step.
 */
async function stepThrough(
  { engine, db, workspaceId }: IndexRead,
  oversized: readonly (OversizedRun & { number: number })[],
  step: number,
  level: IndexLevel,
): Promise<SplitPosition[]> {
  const [first] = oversized;
  if (!first) return [];
  const list = first.combination;
  const columns = ['number', 'is_cut', 'cuts_left', 'created_at', 'id', ...COMBINATION_COLUMNS];
  const wanted = oversized.map(({ number, run, combination }) => {
    return [number, 0, splitsOf(run, step, level), run.createdAt, run.id, ...toCombinationValues(combination)];
  });
  const same = (column: string, value: number) =>
    value === ANY ? sql`` : sql`and ${sql.ref(`p.${column}`)} = ${sql.ref(`s.${column}`)}`;
  const next = sql`c.workspace_id = ${workspaceId} and c.id = (
    select p.id from clients as p
    where p.workspace_id = ${workspaceId} ${same('group_id', list.groupId)}
      ${same('request_status', list.requestStatus)} ${same('client_type', list.clientType)}
      ${list.clientStatus === ANY ? sql`` : sql`and ${IS_INACTIVE}`}
      and (p.created_at, p.id) >= (+s.created_at, +s.id)
    order by p.created_at, p.id limit 1 offset cast(${step} as integer))`;
  const { rows } = await sql<{ number: number; created_at: number; id: number }>`
    with recursive stepped (${sql.join(columns.map((column) => sql.ref(column)))}) as (
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${engine.numberRows(columns, wanted)} as wanted
      union all
      select s.number, 1, s.cuts_left - 1, c.created_at, c.id,
        s.group_id, s.request_status, s.client_type, s.client_status
      from stepped as s ${engine.lookUp('clients', 'c', next)}
      where s.cuts_left > 0
    )
    select number, created_at, id from stepped where is_cut = 1 order by number, created_at, id`.execute(db);
  return rows.map(({ number, created_at, id }) => ({ number, createdAt: created_at, id }));
}

/** Splits sections that have become too large, at the start of runs, which have already been split. */
export async function splitSections(
  read: IndexRead,
  oversized: readonly OversizedRun[],
  level: IndexLevel,
): Promise<Run[][]> {
  const pieces: Run[][] = [];
  for (const each of oversized) pieces.push(await splitSection(read, each, level));
  return pieces;
}

async function splitSection(
  read: IndexRead,
  { combination, run: section }: OversizedRun,
  level: IndexLevel,
): Promise<Run[]> {
  const { rows } = await sql<{ created_at: number; id: number; size: number }>`
    select created_at, id, size from (
      select created_at, id, size, sum(size) over (order by created_at, id) as up_to from client_runs
      where workspace_id = ${read.workspaceId} and level = 0 and ${runsCondition(combination)}
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
