import { type RawBuilder, sql } from 'kysely';
import { ANY, COMBINATION_COLUMNS, type FilterCombination, INACTIVE } from './combination.ts';

/** The condition of a combination. The workspace always comes first, followed by the columns in the order of the index. */
export function listCondition(
  workspaceId: number,
  { groupId, requestStatus, clientType, clientStatus }: FilterCombination,
) {
  const conditions = [sql`workspace_id = ${workspaceId}`];
  if (groupId !== ANY) conditions.push(sql`group_id = ${groupId}`);
  if (requestStatus !== ANY) conditions.push(sql`request_status = ${requestStatus}`);
  if (clientType !== ANY) conditions.push(sql`client_type = ${clientType}`);
  if (clientStatus !== ANY) conditions.push(IS_INACTIVE);
  return sql.join(conditions, sql` and `);
}

/** In the text of the statement, because a database uses the index of the inactive clients only if it sees the value. */
export const IS_INACTIVE = sql`client_status = ${sql.lit(INACTIVE)}`;

/** Whether two rows with the columns of a combination have the same. */
export function sameCombination(a: string, b: string): RawBuilder<unknown> {
  const comparisons = COMBINATION_COLUMNS.map(
    (column) => sql`${sql.ref(`${a}.${column}`)} = ${sql.ref(`${b}.${column}`)}`,
  );
  return sql.join(comparisons, sql` and `);
}

/** The rows of a combination in `client_runs`. */
export function runsCondition(combination: FilterCombination): RawBuilder<unknown> {
  const { groupId, requestStatus, clientType, clientStatus } = combination;
  return sql`group_id = ${groupId} and request_status = ${requestStatus} and client_type = ${clientType}
    and client_status = ${clientStatus}`;
}
