import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sessions, one-time links, the usage of API keys and the activity log. */
export const dashboard = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await extendMembers(db);
    await db.schema.alterTable('api_keys').addColumn('created_by', 'text').execute();
    await createSessions(db);
    await createOneTimeLinks(db);
    await createKeyUsage(db);
    await createActivity(db);
  },
});

async function extendMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('members').addColumn('second_factor_secret', 'text').execute();
  await db.schema.alterTable('members').addColumn('second_factor_at', 'bigint').execute();
  await db.schema
    .alterTable('members')
    .addColumn('second_factor_step', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('member_id', 'integer', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('proved_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_pk', ['account_id', 'member_id', 'id'])
    .execute();
}

async function createOneTimeLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_links')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('account_id', 'integer', (column) => column.references('accounts.id'))
    .addColumn('email', 'text')
    .addColumn('role', 'text')
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('one_time_links_by_account').on('one_time_links').columns(['account_id', 'id']).execute();
}

async function createKeyUsage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_usage')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_usage_pk', ['workspace_id', 'key_id', 'day'])
    .execute();
}

async function createActivity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('activity')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('member', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('environment', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('activity_pk', ['account_id', 'at', 'id'])
    .execute();
}
