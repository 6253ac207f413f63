import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The identities that sign-in services have given to members. */
export const identities = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('member_identities')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('member_id', 'integer', (column) => column.notNull().references('members.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('member_identities_pk', ['issuer', 'subject'])
      .addUniqueConstraint('member_identities_of_member', ['account_id', 'member_id', 'issuer'])
      .execute();
  },
});
