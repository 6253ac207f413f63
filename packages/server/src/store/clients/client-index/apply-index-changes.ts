import { sql, type Transaction } from 'kysely';
import type { Engine } from '../../engines/engine.ts';
import type { Tables } from '../../tables.ts';
import {
  ANY,
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
import { runsCondition, sameCombination } from './list-condition.ts';
import { type ChangedRun, splitAtAdded, splitRuns, splitSections } from './split-runs.ts';

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
  const stretches = await findStretches(write, lists);
  await applyToLevel(write, { lists, stretches }, levels.runs, async (oversized) =>
    oversized.length > 0 && (await areNewest(write, lists))
      ? oversized.map((each) => splitAtAdded(each, levels.runs))
      : splitRuns(write, oversized, levels.runs),
  );
  await applyToLevel(write, { lists, stretches }, levels.sections, (oversized) =>
    splitSections(write, oversized, levels.sections),
  );
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
  { lists, stretches }: { lists: readonly ListChanges[]; stretches: readonly Stretch[] },
  level: IndexLevel,
  split: (oversized: readonly ChangedRun[]) => Promise<Run[][]>,
): Promise<void> {
  const loaded = await loadAffectedRuns(write, stretches, level);
  const kept: number[][] = [];
  const emptied: number[][] = [];
  const oversized: ChangedRun[] = [];
  for (const { combination, deltas } of lists) {
    const runs = loaded.get(keyOf(combination)) ?? [{ ...LIST_START, size: 0 }];
    for (const [run, own] of resize(runs, deltas)) {
      const key = keyColumns(combination, run);
      if (run.size < 0) throw new Error(`The counted index is wrong: workspace ${write.workspaceId}, ${key}.`);
      // The first run is kept even if it is empty, because it counts any client that is older than all others.
      if (run.size === 0 && comparePositions(run, LIST_START) > 0) emptied.push(key);
      if (run.size > level.maxSize) oversized.push({ combination, run, deltas: own });
      else kept.push([...key, run.size]);
    }
  }
  for (const [number, pieces] of (await split(oversized)).entries()) {
    const { combination } = oversized[number] as ChangedRun;
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

/** Adds every delta to the run that contains its position. Returns the runs that changed, with their deltas. */
function resize(runs: Run[], deltas: readonly Delta[]): Map<Run, Delta[]> {
  const changed = new Map<Run, Delta[]>();
  let index = 0;
  for (const delta of deltas) {
    while (index + 1 < runs.length && comparePositions(runs[index + 1] as Run, delta) <= 0) index++;
    const run = runs[index] as Run;
    run.size += delta.delta;
    const own = changed.get(run);
    if (own) own.push(delta);
    else changed.set(run, [delta]);
  }
  return changed;
}

/**
 * Whether clients were only added, and are newer than all others. Most are, and where to split the runs that they are in is
 * then known without reading these.
 */
async function areNewest({ db, workspaceId }: IndexWrite, lists: readonly ListChanges[]): Promise<boolean> {
  const added = lists.find(({ combination }) => keyOf(combination) === keyOf(ALL_CLIENTS))?.deltas ?? [];
  const [first] = added;
  // An older client that has become inactive is added to the lists of inactive clients, and to no others.
  const isNewer = (delta: Delta) => delta.delta === 1 && first !== undefined && comparePositions(delta, first) >= 0;
  if (!first || !lists.every(({ deltas }) => deltas.every(isNewer))) return false;
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from (
      select 1 from clients
      where workspace_id = ${workspaceId} and (created_at, id) >= (${first.createdAt}, ${first.id})
      order by created_at, id limit cast(${added.length + 1} as integer)
    ) as newer`.execute(db);
  return rows[0]?.found === added.length;
}

/** The first and the last of some deltas of a list that follow each other. */
interface Stretch {
  combination: FilterCombination;
  first: Position;
  last: Position;
}

/** Deltas that are further apart in time than this may belong to different runs, with many others between them. */
const STRETCH_GAP_MS = 60_000;

/** It is faster to read this many runs for each delta than to look up the run of each. */
const RUNS_PER_DELTA = 4;

/**
 * The parts of the lists in which runs have to be read: those with the deltas, or, if there is little between them, everything
 * from the first delta to the last. Most imports are in the order of time, and their rows are close to each other, however
 * far apart in time.
 */
async function findStretches(write: IndexWrite, lists: readonly ListChanges[]): Promise<Stretch[]> {
  const near = lists.flatMap((list) => stretchesOf(list, STRETCH_GAP_MS));
  const whole = lists.flatMap((list) => stretchesOf(list, Number.POSITIVE_INFINITY));
  if (near.length <= 2 * whole.length) return near;
  // A batch may have more lists than a function can have arguments.
  const deltas = lists.reduce((most, list) => Math.max(most, list.deltas.length), 0);
  const isClose = await hasFewRuns(write, whole, RUNS_PER_DELTA * deltas);
  return isClose ? whole : near;
}

function stretchesOf({ combination, deltas }: ListChanges, gapMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const delta of deltas) {
    const current = stretches.at(-1);
    if (current && delta.createdAt - current.last.createdAt <= gapMs) current.last = delta;
    else stretches.push({ combination, first: delta, last: delta });
  }
  return stretches;
}

const ALL_CLIENTS: FilterCombination = { groupId: ANY, requestStatus: ANY, clientType: ANY, clientStatus: ANY };

/** Whether the list of all clients, which has more runs than any other, has at most so many between the stretches. */
async function hasFewRuns({ db, workspaceId }: IndexWrite, stretches: Stretch[], limit: number): Promise<boolean> {
  const first = stretches.reduce((a, b) => (comparePositions(b.first, a.first) < 0 ? b : a)).first;
  const last = stretches.reduce((a, b) => (comparePositions(b.last, a.last) > 0 ? b : a)).last;
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from (
      select 1 from client_runs
      where workspace_id = ${workspaceId} and level = ${INDEX_LEVELS.runs.number} and ${runsCondition(ALL_CLIENTS)}
        and (created_at, id) >= (${first.createdAt}, ${first.id}) and (created_at, id) <= (${last.createdAt}, ${last.id})
      order by created_at, id limit cast(${limit + 1} as integer)
    ) as between_them`.execute(db);
  return (rows[0]?.found ?? 0) <= limit;
}

/**
 * For every combination, the runs from the one with the first delta of a stretch to the one with the last. The plus signs
 * hide the types of the columns, because of which SQLite would use only the time.
 */
async function loadAffectedRuns(
  { engine, db, workspaceId }: IndexWrite,
  stretches: readonly Stretch[],
  level: IndexLevel,
): Promise<Map<number, Run[]>> {
  const wanted = engine.numberRows(
    [...COMBINATION_COLUMNS, 'first_at', 'first_id', 'last_at', 'last_id'],
    stretches.map(({ combination, first, last }) => {
      return [...toCombinationValues(combination), first.createdAt, first.id, last.createdAt, last.id];
    }),
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
