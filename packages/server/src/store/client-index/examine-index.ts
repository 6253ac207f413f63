import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type Combination, combinationsOf, keyOf } from './combination.ts';
import { inList } from './list-conditions.ts';

/** Recounts every run and every section of a workspace. Says which are wrong, and which lists are not counted at all. */
export async function examineIndex(db: Kysely<Tables>, workspaceId: number): Promise<string[]> {
  const problems: string[] = [];
  const combinations = new Map<number, Combination>();
  for (const each of await clientCombinations(db, workspaceId)) combinations.set(keyOf(each), each);
  for (const each of await countedCombinations(db, workspaceId)) combinations.set(keyOf(each), each);
  for (const combination of combinations.values()) {
    const { groupId, requestStatus, clientType } = combination;
    for (const level of [0, 1]) {
      const where = `workspace ${workspaceId}, counted index ${groupId} ${requestStatus} ${clientType}, level ${level}`;
      for (const run of await wrongRuns(db, workspaceId, combination, level)) {
        problems.push(`${where}: ${run.size} where there are ${run.actual} from ${run.created_at} ${run.id} on`);
      }
    }
  }
  return problems;
}

/** Every combination that some client falls under. */
export async function clientCombinations(db: Kysely<Tables>, workspaceId: number): Promise<Combination[]> {
  const rows = await db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .select(['group_id', 'request_status', 'client_type'])
    .distinct()
    .execute();
  const combinations = rows.flatMap((row) => [...combinationsOf({ ...row, id: 0, created_at: 0 })]);
  return [...new Map(combinations.map((each) => [keyOf(each), each])).values()];
}

async function countedCombinations(db: Kysely<Tables>, workspaceId: number): Promise<Combination[]> {
  const rows = await db
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .select(['group_id', 'request_status', 'client_type'])
    .distinct()
    .execute();
  return rows.map((row) => ({
    groupId: row.group_id,
    requestStatus: row.request_status,
    clientType: row.client_type,
  }));
}

interface WrongRun {
  created_at: number;
  id: number;
  size: number;
  actual: number;
}

/** A place before all others with size 0 is always added, so that a list without any run shows up as well. */
async function wrongRuns(
  db: Kysely<Tables>,
  workspaceId: number,
  combination: Combination,
  level: number,
): Promise<WrongRun[]> {
  const { groupId, requestStatus, clientType } = combination;
  const { rows } = await sql<WrongRun>`
    select created_at, id, size, actual from (
      select r.created_at as created_at, r.id as id, r.size as size, (
        select count(*) from clients where ${inList(workspaceId, combination)}
          and (clients.created_at, clients.id) >= (r.created_at, r.id)
          and (r.next_at is null or (clients.created_at, clients.id) < (r.next_at, r.next_id))
      ) as actual
      from (
        select created_at, id, size,
          lead(created_at) over (order by created_at, id) as next_at,
          lead(id) over (order by created_at, id) as next_id
        from (
          select created_at, id, size from client_runs
          where workspace_id = ${workspaceId} and level = ${level} and group_id = ${groupId}
            and request_status = ${requestStatus} and client_type = ${clientType}
          union all select -1, -1, 0
        ) as runs
      ) as r
    ) as counted
    where size <> actual
    order by created_at, id`.execute(db);
  return rows;
}
