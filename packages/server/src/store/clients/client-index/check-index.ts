import { sql } from 'kysely';
import type { ReadOnlyDatabase } from '../../engines/engine.ts';
import {
  COMBINATION_COLUMNS,
  combinationsOf,
  type FilterCombination,
  fromCombinationRow,
  keyOf,
  LIST_END,
  toCombinationValues,
} from './combination.ts';
import { listCondition, runsCondition, sameCombination } from './list-condition.ts';

/** Recounts every run and every section of a workspace. Reports those that are wrong, and lists that are missing in the index. */
export async function checkIndex(db: ReadOnlyDatabase, workspaceId: number): Promise<string[]> {
  const problems: string[] = [];
  const combinations = new Map<number, FilterCombination>();
  for (const each of await clientCombinations(db, workspaceId)) combinations.set(keyOf(each), each);
  for (const each of await countedCombinations(db, workspaceId)) combinations.set(keyOf(each), each);
  for (const combination of combinations.values()) {
    const list = `workspace ${workspaceId}, counted index ${toCombinationValues(combination).join(' ')}`;
    for (const section of await unalignedSections(db, workspaceId, combination)) {
      problems.push(`${list}: no run starts with the section at ${section.created_at} ${section.id}`);
    }
    for (const level of [0, 1]) {
      for (const run of await wrongRuns(db, workspaceId, combination, level)) {
        problems.push(
          `${list}, level ${level}: the run at ${run.created_at} ${run.id} has size ${run.size} instead of ${run.actual}`,
        );
      }
    }
  }
  return problems;
}

/** Every combination with at least one client. */
export async function clientCombinations(db: ReadOnlyDatabase, workspaceId: number): Promise<FilterCombination[]> {
  const rows = await db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .select(COMBINATION_COLUMNS)
    .distinct()
    .execute();
  const combinations = rows.flatMap((row) => [...combinationsOf({ ...row, id: 0, created_at: 0 })]);
  return [...new Map(combinations.map((each) => [keyOf(each), each])).values()];
}

async function countedCombinations(db: ReadOnlyDatabase, workspaceId: number): Promise<FilterCombination[]> {
  const rows = await db
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .select(COMBINATION_COLUMNS)
    .distinct()
    .execute();
  return rows.map(fromCombinationRow);
}

/** Sections that do not start at the start of a run, so that the previous run extends into them. */
async function unalignedSections(db: ReadOnlyDatabase, workspaceId: number, combination: FilterCombination) {
  const { rows } = await sql<{ created_at: number; id: number }>`
    select created_at, id from client_runs as section
    where workspace_id = ${workspaceId} and level = 1 and ${runsCondition(combination)}
      and not exists (
        select 1 from client_runs as run
        where run.workspace_id = section.workspace_id and run.level = 0 and ${sameCombination('run', 'section')}
          and run.created_at = section.created_at and run.id = section.id)
    order by created_at, id`.execute(db);
  return rows;
}

interface WrongRun {
  created_at: number;
  id: number;
  size: number;
  actual: number;
}

/**
 * A position before all others with size 0 is added, so that a list without any run is found as well. Every run, including
 * the last one, is bounded at both ends. The plus signs hide the types of the columns, because of which SQLite would use
 * only the time, and read all clients with the same time.
 */
async function wrongRuns(
  db: ReadOnlyDatabase,
  workspaceId: number,
  combination: FilterCombination,
  level: number,
): Promise<WrongRun[]> {
  const { rows } = await sql<WrongRun>`
    select created_at, id, size, actual from (
      select r.created_at as created_at, r.id as id, r.size as size, (
        select count(*) from clients where ${listCondition(workspaceId, combination)}
          and (clients.created_at, clients.id) >= (+r.created_at, +r.id)
          and (clients.created_at, clients.id) < (r.next_at, r.next_id)
      ) as actual
      from (
        select created_at, id, size,
          lead(created_at, 1, ${sql.lit(LIST_END.createdAt)}) over (order by created_at, id) as next_at,
          lead(id, 1, ${sql.lit(LIST_END.id)}) over (order by created_at, id) as next_id
        from (
          select created_at, id, size from client_runs
          where workspace_id = ${workspaceId} and level = ${level} and ${runsCondition(combination)}
          union all select -1, -1, 0
        ) as runs
      ) as r
    ) as counted
    where size <> actual
    order by created_at, id`.execute(db);
  return rows;
}
