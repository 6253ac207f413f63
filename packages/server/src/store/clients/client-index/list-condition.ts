import { sql } from 'kysely';
import { ANY, type FilterCombination } from './combination.ts';

/** The condition of a combination. The workspace always comes first, followed by the columns in the order of the index. */
export function listCondition(workspaceId: number, { groupId, requestStatus, clientType }: FilterCombination) {
  const conditions = [sql`workspace_id = ${workspaceId}`];
  if (groupId !== ANY) conditions.push(sql`group_id = ${groupId}`);
  if (requestStatus !== ANY) conditions.push(sql`request_status = ${requestStatus}`);
  if (clientType !== ANY) conditions.push(sql`client_type = ${clientType}`);
  return sql.join(conditions, sql` and `);
}
