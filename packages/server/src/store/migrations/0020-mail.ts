import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Mail that waits to be sent, and a second token for links that are mailed. */
export const mail = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('mails')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'integer', (column) => column.references('accounts.id'))
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('mails_due').on('mails').columns(['due_at', 'id']).execute();
    await db.schema.alterTable('one_time_links').addColumn('mailed_hash', 'text').execute();
    await db.schema.createIndex('one_time_links_mailed').on('one_time_links').column('mailed_hash').execute();
  },
});
