import { sql, type Transaction } from 'kysely';
import type { Engine } from '../../engines/engine.ts';
import type { Tables } from '../../tables.ts';
import { type Combination, comparePositions, keyOf, ORIGIN, type Position } from './combination.ts';
import type { Delta, IndexChanges, ListChanges } from './index-changes.ts';
import type { Level, Levels } from './levels.ts';
import type { Run } from './run.ts';
import { cutRuns, cutSections, type Grown } from './split.ts';

export interface IndexWrite {
  engine: Engine;
  db: Transaction<Tables>;
  workspaceId: number;
  /** The workspace's version that the change brings about. */
  version: number;
}

/** Keeps the index true: called in the transaction of every change, after the clients themselves were written. */
export async function applyChanges(write: IndexWrite, changes: IndexChanges, levels: Levels): Promise<void> {
  const lists = changes.byList();
  if (lists.length === 0) return;
  await applyToLevel(write, lists, levels.runs, cutRuns);
  await applyToLevel(write, lists, levels.sections, cutSections);
}

async function applyToLevel(
  write: IndexWrite,
  lists: readonly ListChanges[],
  level: Level,
  cut: typeof cutRuns,
): Promise<void> {
  const loaded = await loadTouched(write, lists, level);
  const kept: number[][] = [];
  const gone: number[][] = [];
  const grown: Grown[] = [];
  for (const { combination, deltas } of lists) {
    for (const run of resize(loaded.get(keyOf(combination)) ?? [{ ...ORIGIN, size: 0 }], deltas)) {
      const place = placeIn(combination, run);
      if (run.size < 0) throw new Error(`The counted index is wrong: workspace ${write.workspaceId}, ${place}.`);
      // The first run stays, even empty: it is what a client older than all others is counted in.
      if (run.size === 0 && comparePositions(run, ORIGIN) > 0) gone.push(place);
      if (run.size > level.maxSize) grown.push({ combination, run });
      else kept.push([...place, run.size]);
    }
  }
  for (const [number, pieces] of (await cut(write, grown, level)).entries()) {
    const { combination } = grown[number] as Grown;
    for (const piece of pieces) kept.push([...placeIn(combination, piece), piece.size]);
  }
  await saveRuns(write, level, kept);
  await remove(write, level, gone);
}

function placeIn({ groupId, requestStatus, clientType }: Combination, { createdAt, id }: Position): number[] {
  return [groupId, requestStatus, clientType, createdAt, id];
}

/** Adds every delta to the run that holds its place. Returns the runs that changed. */
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

/** For every combination, the runs from the one that holds its first delta to the one that holds its last. */
async function loadTouched(
  { engine, db, workspaceId }: IndexWrite,
  lists: readonly ListChanges[],
  level: Level,
): Promise<Map<number, Run[]>> {
  const wanted = engine.numberRows(
    ['group_id', 'request_status', 'client_type', 'first_at', 'first_id', 'last_at', 'last_id'],
    lists.map(({ combination, deltas }) => {
      const [first, last] = [deltas[0] as Delta, deltas.at(-1) as Delta];
      const { groupId, requestStatus, clientType } = combination;
      return [groupId, requestStatus, clientType, first.createdAt, first.id, last.createdAt, last.id];
    }),
  );
  const touched = sql`r.workspace_id = ${workspaceId} and r.level = ${level.number}
    and r.group_id = w.group_id and r.request_status = w.request_status and r.client_type = w.client_type
    and (r.created_at, r.id) <= (w.last_at, w.last_id)
    and (r.created_at, r.id) >= (
      select f.created_at, f.id from client_runs as f
      where f.workspace_id = ${workspaceId} and f.level = ${level.number}
        and f.group_id = w.group_id and f.request_status = w.request_status and f.client_type = w.client_type
        and (f.created_at, f.id) <= (w.first_at, w.first_id)
      order by f.created_at desc, f.id desc limit 1)`;
  const { rows } = await sql<Tables['client_runs']>`
    select r.group_id, r.request_status, r.client_type, r.created_at, r.id, r.size
    from ${wanted} as w ${engine.lookUp('client_runs', 'r', touched)}
    order by r.group_id, r.request_status, r.client_type, r.created_at, r.id`.execute(db);

  const byCombination = new Map<number, Run[]>();
  for (const row of rows) {
    const key = keyOf({ groupId: row.group_id, requestStatus: row.request_status, clientType: row.client_type });
    const runs = byCombination.get(key) ?? [];
    runs.push({ createdAt: row.created_at, id: row.id, size: row.size });
    byCombination.set(key, runs);
  }
  return byCombination;
}

export async function saveRuns(
  { engine, db, workspaceId, version }: IndexWrite,
  level: Level,
  rows: number[][],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = ['group_id', 'request_status', 'client_type', 'created_at', 'id', 'size'];
  await sql`
    insert into client_runs
      (workspace_id, level, group_id, request_status, client_type, created_at, id, size, version)
    select cast(${workspaceId} as integer), cast(${level.number} as integer),
      r.group_id, r.request_status, r.client_type, r.created_at, r.id, r.size, cast(${version} as bigint)
    from ${engine.numberRows(columns, rows)} as r where true
    on conflict (workspace_id, level, group_id, request_status, client_type, created_at, id)
    do update set size = excluded.size, version = excluded.version`.execute(db);
}

/** An empty run goes, unless a section begins with it: no run may reach over the beginning of a section. */
async function remove({ engine, db, workspaceId }: IndexWrite, level: Level, rows: number[][]): Promise<void> {
  if (rows.length === 0) return;
  const columns = ['group_id', 'request_status', 'client_type', 'created_at', 'id'];
  await sql`
    delete from client_runs
    where workspace_id = ${workspaceId} and level = ${level.number}
      and (group_id, request_status, client_type, created_at, id)
        in (select g.group_id, g.request_status, g.client_type, g.created_at, g.id
            from ${engine.numberRows(columns, rows)} as g)
      and not exists (
        select 1 from client_runs as above
        where above.workspace_id = client_runs.workspace_id and above.level = client_runs.level + 1
          and above.group_id = client_runs.group_id and above.request_status = client_runs.request_status
          and above.client_type = client_runs.client_type
          and above.created_at = client_runs.created_at and above.id = client_runs.id)`.execute(db);
}
