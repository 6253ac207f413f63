import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';

/**
 * Why a client was changed, and whether an account requires it; answers that are repeated when a request is sent again; and
 * imports that the service runs.
 */
export const writing = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('client_events').addColumn('reason', 'text').execute();
    await db.schema
      .alterTable('accounts')
      .addColumn('requires_decline_reason', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await createKeptAnswers(db);
    await createImports(db, dialect);
  },
});

async function createKeptAnswers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kept_answers')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('client_id', 'bigint')
    .addColumn('kept_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('kept_answers_pk', ['workspace_id', 'idempotency_key'])
    .execute();
  await db.schema.createIndex('kept_answers_by_time').on('kept_answers').column('kept_at').execute();
  await db.schema
    .createIndex('kept_answers_by_client')
    .on('kept_answers')
    .columns(['workspace_id', 'client_id'])
    .execute();
}

async function createImports(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('import_jobs')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('rows_read', 'bigint', (column) => column.notNull())
    .addColumn('inserted', 'bigint', (column) => column.notNull())
    .addColumn('updated', 'bigint', (column) => column.notNull())
    .addColumn('unchanged', 'bigint', (column) => column.notNull())
    .addColumn('rejected', 'bigint', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('runner', 'text')
    .addColumn('runs_until', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_jobs_pk', ['workspace_id', 'id'])
    .execute();
  // Few are not over, so finding the next one reads little.
  await sql`create index open_import_jobs on import_jobs (workspace_id, created_at)
    where state in ('storing', 'queued', 'running')`.execute(db);
  await db.schema
    .createTable('import_pieces')
    .addColumn('workspace_id', 'integer', (column) => column.notNull())
    .addColumn('import_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('bytes', dialect === 'sqlite' ? 'blob' : 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_pieces_pk', ['workspace_id', 'import_id', 'number'])
    .execute();
  await db.schema
    .createTable('import_rejects')
    .addColumn('workspace_id', 'integer', (column) => column.notNull())
    .addColumn('import_id', 'text', (column) => column.notNull())
    .addColumn('row_number', 'bigint', (column) => column.notNull())
    .addColumn('line', 'bigint', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('cells', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text')
    .addColumn('reference_id', 'text')
    .addColumn('external_id', 'text')
    .addPrimaryKeyConstraint('import_rejects_pk', ['workspace_id', 'import_id', 'row_number'])
    .execute();
  for (const column of ['email_folded', 'reference_id', 'external_id']) {
    await db.schema
      .createIndex(`import_rejects_by_${column}`)
      .on('import_rejects')
      .columns(['workspace_id', column])
      .execute();
  }
}
