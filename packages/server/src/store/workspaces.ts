import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * The first statement of every change to a workspace. It raises the version that caches go by, hands out the numbers of
 * new groups and clients, and locks the row, so that changes to one workspace happen one after the other.
 */
export async function raiseVersion(
  db: Transaction<Tables>,
  workspaceId: number,
  numbers: { groups?: number; clients?: number } = {},
): Promise<{ version: number; firstGroupId: number; firstClientId: number }> {
  const { groups = 0, clients = 0 } = numbers;
  const row = await db
    .updateTable('workspaces')
    .set({
      version: sql`version + 1`,
      last_group_id: sql`last_group_id + ${groups}`,
      last_client_id: sql`last_client_id + ${clients}`,
    })
    .where('id', '=', workspaceId)
    .returning(['version', 'last_group_id', 'last_client_id'])
    .executeTakeFirstOrThrow();
  return {
    version: row.version,
    firstGroupId: row.last_group_id - groups + 1,
    firstClientId: row.last_client_id - clients + 1,
  };
}
