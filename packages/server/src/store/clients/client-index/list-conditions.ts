import { sql } from 'kysely';
import { ANY, type Combination } from './combination.ts';

/** The condition of a combination: the workspace first, always, then in the order of the columns of its index. */
export function inList(workspaceId: number, { groupId, requestStatus, clientType }: Combination) {
  const conditions = [sql`workspace_id = ${workspaceId}`];
  if (groupId !== ANY) conditions.push(sql`group_id = ${groupId}`);
  if (requestStatus !== ANY) conditions.push(sql`request_status = ${requestStatus}`);
  if (clientType !== ANY) conditions.push(sql`client_type = ${clientType}`);
  return sql.join(conditions, sql` and `);
}
