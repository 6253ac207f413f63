import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Why a client was changed, and answers that are repeated when a request is sent again. */
export const writing = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('client_events').addColumn('reason', 'text').execute();
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
  },
});
