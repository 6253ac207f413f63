import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const passkeys = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('passkeys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('member_id', 'integer', (column) => column.notNull().references('members.id').onDelete('cascade'))
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute();
    await db.schema.createIndex('passkeys_of_member').on('passkeys').columns(['account_id', 'member_id']).execute();
    // Read with the member at every sign-in and with every session.
    await db.schema
      .alterTable('members')
      .addColumn('passkeys', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('answered_challenges')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
});
