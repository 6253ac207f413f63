import { sql, type Transaction } from 'kysely';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';

/**
 * Locks keys before several of them are updated. All writers do so in the order of workspaces and ids, whatever the collation
 * of the database, so that none deadlock. SQLite has one writer at a time and no locks of rows.
 */
export async function lockKeys(
  engine: Engine,
  db: Transaction<Tables>,
  keys: readonly { workspaceId: number; keyId: string }[],
): Promise<void> {
  if (engine.dialect !== 'postgres' || keys.length === 0) return;
  const workspaceIds = [...new Set(keys.map(({ workspaceId }) => workspaceId))];
  await db
    .selectFrom('api_keys')
    .where('workspace_id', 'in', engine.listOf(workspaceIds))
    .where('id', 'in', engine.listOf(keys.map(({ keyId }) => keyId)))
    .select('id')
    .orderBy('workspace_id')
    .orderBy(sql`id collate "C"`)
    .forNoKeyUpdate()
    .execute();
}
