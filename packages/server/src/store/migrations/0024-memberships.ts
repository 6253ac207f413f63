import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { newSaltKey } from '../../domain/members/index.ts';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

/**
 * An email may be that of a member in several accounts. SQLite cannot drop the constraint that made emails unique, so its
 * column now holds the account and the email, which are unique together.
 */
export const memberships = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('members').renameColumn('email_folded', 'email_in_account').execute();
    await db.schema
      .alterTable('members')
      .addColumn('email_folded', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update members set email_folded = email_in_account,
      email_in_account = cast(account_id as text) || ' ' || email_in_account`.execute(db);
    await db.schema.createIndex('members_by_email').on('members').column('email_folded').execute();
    await addSaltKey(db);
    await identitiesByAccount(db);
    await raiseOldestSchema(24, db);
  },
});

/** From which the salts of passwords are derived, so that all passwords of an email share one. */
async function addSaltKey(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('installation')
    .addColumn('salt_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`update installation set salt_key = ${newSaltKey()}`.execute(db);
}

/** A person whom a sign-in service names may be a member of several accounts, too. */
async function identitiesByAccount(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('new_identities')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('member_id', 'integer', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('member_identities_key', ['account_id', 'issuer', 'subject'])
    .addUniqueConstraint('member_identities_by_member', ['account_id', 'member_id', 'issuer'])
    .execute();
  await sql`insert into new_identities (account_id, issuer, subject, member_id, created_at)
    select account_id, issuer, subject, member_id, created_at from member_identities`.execute(db);
  await db.schema.dropTable('member_identities').execute();
  await db.schema.alterTable('new_identities').renameTo('member_identities').execute();
  await db.schema
    .createIndex('member_identities_by_subject')
    .on('member_identities')
    .columns(['issuer', 'subject'])
    .execute();
}
