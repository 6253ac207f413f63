import { sql, type Transaction } from 'kysely';
import type { Engine } from '../../engines/engine.ts';
import type { Tables } from '../../tables.ts';
import {
  COMBINATION_COLUMNS,
  comparePositions,
  type FilterCombination,
  fromCombinationRow,
  keyOf,
  LIST_START,
  type Position,
  toCombinationValues,
} from './combination.ts';
import type { Delta, IndexChanges, ListChanges } from './index-changes.ts';
import { INDEX_LEVELS, type IndexLevel, type IndexLevels, type Run } from './levels.ts';
import { sameCombination } from './list-condition.ts';
import { type OversizedRun, splitRuns, splitSections } from './split-runs.ts';

export interface IndexWrite {
  engine: Engine;
  db: Transaction<Tables>;
  workspaceId: number;
  /** The version of the workspace after the change. */
  version: number;
}

/** Updates the index. Called in the transaction of every change, after the clients were written. */
export async function applyIndexChanges(write: IndexWrite, changes: IndexChanges, levels: IndexLevels): Promise<void> {
  const lists = changes.byList();
  if (lists.length === 0) return;
  await applyToLevel(write, lists, levels.runs, splitRuns);
  await applyToLevel(write, lists, levels.sections, splitSections);
}

/** Removes the lists of a group that was removed. Called after all other changes to the index, when they must be empty. */
export async function removeLists({ db, workspaceId }: IndexWrite, groupId: number): Promise<void> {
  const removed = await db
    .deleteFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .where('level', 'in', [INDEX_LEVELS.runs.number, INDEX_LEVELS.sections.number])
    .where('group_id', '=', groupId)
    .returning('size')
    .execute();
  if (removed.every(({ size }) => size === 0)) return;
  throw new Error(`A group with clients was removed: workspace ${workspaceId}, group ${groupId}.`);
}

async function applyToLevel(
  write: IndexWrite,
  lists: readonly ListChanges[],
  level: IndexLevel,
  split: typeof splitRuns,
): Promise<void> {
  const loaded = await loadAffectedRuns(write, lists, level);
  const kept: number[][] = [];
  const emptied: number[][] = [];
  const oversized: OversizedRun[] = [];
  for (const { combination, deltas } of lists) {
    for (const run of resize(loaded.get(keyOf(combination)) ?? [{ ...LIST_START, size: 0 }], deltas)) {
      const key = keyColumns(combination, run);
      if (run.size < 0) throw new Error(`The counted index is wrong: workspace ${write.workspaceId}, ${key}.`);
      // The first run is kept even if it is empty, because it counts any client that is older than all others.
      if (run.size === 0 && comparePositions(run, LIST_START) > 0) emptied.push(key);
      if (run.size > level.maxSize) oversized.push({ combination, run });
      else kept.push([...key, run.size]);
    }
  }
  for (const [number, pieces] of (await split(write, oversized, level)).entries()) {
    const { combination } = oversized[number] as OversizedRun;
    for (const piece of pieces) kept.push([...keyColumns(combination, piece), piece.size]);
  }
  await saveRuns(write, level, kept);
  await removeEmptyRuns(write, level, emptied);
}

function keyColumns(combination: FilterCombination, { createdAt, id }: Position): number[] {
  return [...toCombinationValues(combination), createdAt, id];
}

const COLUMNS = sql.join(COMBINATION_COLUMNS.map((column) => sql.ref(column)));

function columnsOf(table: string) {
  return sql.join(COMBINATION_COLUMNS.map((column) => sql.ref(`${table}.${column}`)));
}

/** Adds every delta to the run that contains its position. Returns the runs that changed. */
function resize(runs: Run[], deltas: readonly Delta[]): Set<Run> {
  const changed = new Set<Run>();
  let index = 0;
  for (const delta of deltas) {
    while (index + 1 < runs.length && comparePositions(runs[index + 1] as Run, delta) <= 0) index++;
    const run = runs[index] as Run;
    run.size += delta.delta;
    changed.add(run);
  }
  return changed;
}

/** Deltas that are further apart in time than this may belong to different runs, with many others between them. */
const STRETCH_GAP_MS = 60_000;

/** In a larger change, such as a batch of an import, it is faster to read everything between the first and the last delta. */
const SCATTERED_MAX = 200;

/** The first and the last delta of each stretch of deltas that follow each other closely. */
function stretchesOf(deltas: readonly Delta[], isScattered: boolean): [Delta, Delta][] {
  const [first, ...rest] = deltas as readonly [Delta, ...Delta[]];
  const stretches: [Delta, Delta][] = [[first, first]];
  for (const delta of rest) {
    const last = stretches.at(-1) as [Delta, Delta];
    if (isScattered && delta.createdAt - last[1].createdAt > STRETCH_GAP_MS) stretches.push([delta, delta]);
    else last[1] = delta;
  }
  return stretches;
}

/**
 * For every combination, the runs from the one with the first delta of a stretch to the one with the last. The plus signs
 * hide the types of the columns, because of which SQLite would use only the time.
 */
async function loadAffectedRuns(
  { engine, db, workspaceId }: IndexWrite,
  lists: readonly ListChanges[],
  level: IndexLevel,
): Promise<Map<number, Run[]>> {
  const isScattered = lists.every(({ deltas }) => deltas.length <= SCATTERED_MAX);
  const wanted = engine.numberRows(
    [...COMBINATION_COLUMNS, 'first_at', 'first_id', 'last_at', 'last_id'],
    lists.flatMap(({ combination, deltas }) =>
      stretchesOf(deltas, isScattered).map(([first, last]) => {
        return [...toCombinationValues(combination), first.createdAt, first.id, last.createdAt, last.id];
      }),
    ),
  );
  const affected = sql`r.workspace_id = ${workspaceId} and r.level = ${level.number}
    and ${sameCombination('r', 'w')}
    and (r.created_at, r.id) <= (w.last_at, w.last_id)
    and (r.created_at, r.id) >= (
      select +f.created_at, +f.id from client_runs as f
      where f.workspace_id = ${workspaceId} and f.level = ${level.number}
        and ${sameCombination('f', 'w')}
        and (f.created_at, f.id) <= (w.first_at, w.first_id)
      order by f.created_at desc, f.id desc limit 1)`;
  const { rows } = await sql<Tables['client_runs']>`
    select ${columnsOf('r')}, r.created_at, r.id, r.size
    from ${wanted} as w ${engine.lookUp('client_runs', 'r', affected)}
    order by ${columnsOf('r')}, r.created_at, r.id`.execute(db);

  const byCombination = new Map<number, Run[]>();
  for (const row of rows) {
    const key = keyOf(fromCombinationRow(row));
    const runs = byCombination.get(key) ?? [];
    const run = { createdAt: row.created_at, id: row.id, size: row.size };
    const last = runs.at(-1);
    // Two stretches may be in the same run.
    if (!last || comparePositions(last, run) !== 0) runs.push(run);
    byCombination.set(key, runs);
  }
  return byCombination;
}

export async function saveRuns(
  { engine, db, workspaceId, version }: IndexWrite,
  level: IndexLevel,
  rows: number[][],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...COMBINATION_COLUMNS, 'created_at', 'id', 'size'];
  await sql`
    insert into client_runs
      (workspace_id, level, ${COLUMNS}, created_at, id, size, version)
    select cast(${workspaceId} as integer), cast(${level.number} as integer),
      ${columnsOf('r')}, r.created_at, r.id, r.size, cast(${version} as bigint)
    from ${engine.numberRows(columns, rows)} as r where true
    on conflict (workspace_id, level, ${COLUMNS}, created_at, id)
    do update set size = excluded.size, version = excluded.version`.execute(db);
}

/** Deletes empty runs, except those at the start of a section, because no run may extend over the start of a section. */
async function removeEmptyRuns(
  { engine, db, workspaceId }: IndexWrite,
  level: IndexLevel,
  rows: number[][],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...COMBINATION_COLUMNS, 'created_at', 'id'];
  await sql`
    delete from client_runs
    where workspace_id = ${workspaceId} and level = ${level.number}
      and (${COLUMNS}, created_at, id)
        in (select ${columnsOf('g')}, g.created_at, g.id
            from ${engine.numberRows(columns, rows)} as g)
      and not exists (
        select 1 from client_runs as above
        where above.workspace_id = client_runs.workspace_id and above.level = client_runs.level + 1
          and ${sameCombination('above', 'client_runs')}
          and above.created_at = client_runs.created_at and above.id = client_runs.id)`.execute(db);
}
