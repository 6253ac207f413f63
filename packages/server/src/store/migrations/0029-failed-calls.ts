import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many of the calls of a key failed, and how many were beyond its limit. The previous version counts neither. */
export const failedCalls = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ['failed', 'limited']) {
      await db.schema
        .alterTable('key_usage')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    // Again with all columns, so that adding up the calls of recent hours reads nothing else.
    await db.schema.dropIndex('key_usage_by_workspace_hour').execute();
    await db.schema
      .createIndex('key_usage_by_workspace_hour')
      .on('key_usage')
      .columns(['workspace_id', 'hour', 'key_id', 'calls', 'failed', 'limited'])
      .execute();
  },
});
