import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

/**
 * A key can have several secrets, which have a table of their own, and more properties. Its calls are counted by hour. Older
 * programs would accept secrets that have ended and tokens from addresses that are not allowed, so they must stop.
 *
 * The tables are made anew, because SQLite cannot drop a column that is unique or part of a primary key.
 */
export const keySecrets = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createNewKeys(db);
    await createSecrets(db);
    await copyKeys(db);
    await db.schema.dropTable('api_keys').execute();
    // The reference from the secrets follows the new name.
    await db.schema.alterTable('new_api_keys').renameTo('api_keys').execute();
    // With nothing else, so that adding up the versions to notice a change, and finding newer keys, reads little.
    await db.schema.createIndex('api_keys_versions').on('api_keys').columns(['workspace_id', 'version']).execute();
    await countByHour(db);
    await raiseOldestSchema(10, db);
  },
});

async function createNewKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('new_api_keys')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('allowed_networks', 'text', (column) => column.notNull())
    .addColumn('rate_limit', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_used_from', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('api_keys_with_secrets_pk', ['workspace_id', 'id'])
    .execute();
}

async function createSecrets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_key_secrets')
    .addColumn('workspace_id', 'integer', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('api_key_secrets_pk', ['workspace_id', 'key_id', 'number'])
    .addForeignKeyConstraint('api_key_secrets_of_key', ['workspace_id', 'key_id'], 'new_api_keys', [
      'workspace_id',
      'id',
    ])
    .execute();
}

async function copyKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into new_api_keys (workspace_id, id, name, note, scopes, allowed_networks, created_at, created_by, expires_at,
      revoked_at, last_used_at, version)
    select workspace_id, id, name, '', 'clients:read', '', created_at, created_by, expires_at, revoked_at,
      (select max(last_used_at) from key_usage
        where key_usage.workspace_id = api_keys.workspace_id and key_usage.key_id = api_keys.id), 0
    from api_keys`.execute(db);
  await sql`
    insert into api_key_secrets (workspace_id, key_id, number, hash, preview, created_at)
    select workspace_id, id, 1, hash, preview, created_at from api_keys`.execute(db);
}

/** The calls of a day go to the hour after noon, UTC, which is part of the same day in most time zones. */
async function countByHour(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('new_key_usage')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('hour', 'integer', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_usage_by_hour_pk', ['workspace_id', 'key_id', 'hour'])
    .execute();
  await sql`
    insert into new_key_usage (workspace_id, key_id, hour, calls)
    select workspace_id, key_id, day * 24 + 12, calls from key_usage`.execute(db);
  await db.schema.dropTable('key_usage').execute();
  await db.schema.alterTable('new_key_usage').renameTo('key_usage').execute();
  await db.schema.createIndex('key_usage_hours').on('key_usage').column('hour').execute();
  // With all columns, so that adding up the calls of recent hours reads nothing else.
  await db.schema
    .createIndex('key_usage_by_workspace_hour')
    .on('key_usage')
    .columns(['workspace_id', 'hour', 'key_id', 'calls'])
    .execute();
}
