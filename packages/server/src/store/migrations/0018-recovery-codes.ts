import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const recoveryCodes = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('recovery_codes')
      .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('member_id', 'integer', (column) => column.notNull().references('members.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_pk', ['account_id', 'member_id', 'hash'])
      .execute();
  },
});
