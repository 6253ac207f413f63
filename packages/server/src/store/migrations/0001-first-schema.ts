import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';

/** One index for each combination of the list filters that have few values. */
const LIST_INDEXES: Record<string, string[]> = {
  clients_by_time: [],
  clients_by_group: ['group_id'],
  clients_by_request_status: ['request_status'],
  clients_by_type: ['client_type'],
  clients_by_group_request_status: ['group_id', 'request_status'],
  clients_by_group_type: ['group_id', 'client_type'],
  clients_by_request_status_type: ['request_status', 'client_type'],
  clients_by_group_request_status_type: ['group_id', 'request_status', 'client_type'],
};

export const firstSchema = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createAccounts(db, dialect);
    await createKeys(db);
    await createGroups(db);
    await createClients(db, dialect);
    if (dialect === 'sqlite') await describeClients(db);
  },
});

async function createAccounts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await withNumberedId(db.schema.createTable('accounts'), dialect)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await withNumberedId(db.schema.createTable('members'), dialect)
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('members_by_account').on('members').columns(['account_id', 'id']).execute();

  await withNumberedId(db.schema.createTable('workspaces'), dialect)
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('last_group_id', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_client_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .addUniqueConstraint('workspaces_of_account', ['account_id', 'environment'])
    .execute();
}

async function createKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('api_keys_pk', ['workspace_id', 'id'])
    .execute();

  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('private_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createGroups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('groups')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_folded', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('groups_pk', ['workspace_id', 'id'])
    .addUniqueConstraint('groups_by_name', ['workspace_id', 'name_folded'])
    .addUniqueConstraint('groups_by_token', ['workspace_id', 'token'])
    .execute();
}

async function createClients(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema
    .createTable('clients')
    .addColumn('workspace_id', 'integer', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('reference_id', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('client_type', 'smallint', (column) => column.notNull())
    .addColumn('group_id', 'integer', (column) => column.notNull())
    .addColumn('request_status', 'smallint', (column) => column.notNull())
    .addColumn('client_status', 'smallint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('clients_pk', ['workspace_id', 'id']);
  // Without the hidden rowid, the row is stored in the primary key itself, which saves a look-up.
  await (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();

  await uniqueIndex(db, 'clients_by_reference', ['reference_id']);
  await uniqueIndex(db, 'clients_by_email', ['workspace_id', 'email_folded', 'group_id']);
  for (const [name, fixed] of Object.entries(LIST_INDEXES)) {
    await db.schema
      .createIndex(name)
      .on('clients')
      .columns(['workspace_id', ...fixed, 'created_at', 'id'])
      .execute();
  }
}

/**
 * SQLite assumes that a workspace has ten clients, and so would read all of them to find one email. These statistics say
 * how many rows there are in total, and how many rows have the same values in each further column of the index.
 */
async function describeClients(db: Kysely<unknown>): Promise<void> {
  const [all, workspace] = [10_000_000, 1_000_000];
  const figures: Record<string, number[]> = {
    clients: [all, workspace, 1],
    clients_by_reference: [all, 1],
    clients_by_email: [all, workspace, 2, 1],
    clients_by_time: [all, workspace, 1, 1],
    clients_by_group: [all, workspace, 20_000, 1, 1],
    clients_by_request_status: [all, workspace, 200_000, 1, 1],
    clients_by_type: [all, workspace, 500_000, 1, 1],
    clients_by_group_request_status: [all, workspace, 20_000, 4000, 1, 1],
    clients_by_group_type: [all, workspace, 20_000, 10_000, 1, 1],
    clients_by_request_status_type: [all, workspace, 200_000, 100_000, 1, 1],
    clients_by_group_request_status_type: [all, workspace, 20_000, 4000, 2000, 1, 1],
  };
  await sql`analyze`.execute(db);
  for (const [index, rows] of Object.entries(figures)) {
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('clients', ${index}, ${rows.join(' ')})`.execute(db);
  }
}

async function uniqueIndex(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).unique().on('clients').columns(columns).execute();
}

function withNumberedId<Name extends string>(table: CreateTableBuilder<Name>, dialect: Dialect) {
  return dialect === 'sqlite'
    ? table.addColumn('id', 'integer', (column) => column.primaryKey())
    : table.addColumn('id', 'integer', (column) => column.primaryKey().generatedAlwaysAsIdentity());
}
