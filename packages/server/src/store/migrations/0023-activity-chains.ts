import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type ChainHead, hashOfEntry } from '../../domain/members/index.ts';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

const ROWS_AT_ONCE = 1000;
/** The tables whose rows have a chain and hold its length and its last hash, in the order in which changes lock them. */
const WITH_CHAIN = ['installation', 'accounts', 'workspaces'];

/** Activity entries are chained by their hashes. Those that exist become the beginning of the chains of their accounts. */
export const activityChains = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of WITH_CHAIN) {
      await db.schema
        .alterTable(table)
        .addColumn('activity_count', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .alterTable(table)
        .addColumn('activity_hash', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    }
    await createEntries(db);
    const accounts = await sql<{ account_id: number }>`select distinct account_id from activity`.execute(db);
    for (const { account_id } of accounts.rows) await chainEntries(db, account_id);
    await db.schema.dropTable('activity').execute();
    await raiseOldestSchema(23, db);
  },
});

async function createEntries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('activity_entries')
    .addColumn('chain', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('account_id', 'integer', (column) => column.references('accounts.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('part_of', 'text')
    .addColumn('continues', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('member', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('environment', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('clients', 'bigint')
    .addColumn('details', 'text')
    .addColumn('salt', 'text')
    .addColumn('details_hash', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('activity_entries_pk', ['chain', 'number'])
    .execute();
  await sql`create index activity_by_time on activity_entries (account_id, at, id) where continues = 0`.execute(db);
  await sql`create index activity_by_member on activity_entries (account_id, member, at, id) where continues = 0`.execute(
    db,
  );
  await sql`create index activity_by_part on activity_entries (account_id, part_of) where part_of is not null`.execute(
    db,
  );
  await sql`create index activity_with_details on activity_entries (chain, subject) where details is not null`.execute(
    db,
  );
}

interface OldEntry {
  at: number;
  id: string;
  member: string;
  action: string;
  subject: string;
  environment: string | null;
  address: string;
  clients: number | null;
}

function valuesOf({ at, id, member, action, subject, environment, address, clients }: OldEntry) {
  return [at, id, member, action, subject, environment, address, clients];
}

async function chainEntries(db: Kysely<unknown>, accountId: number): Promise<void> {
  const chain = `account:${accountId}`;
  let head: ChainHead = { count: 0, hash: '' };
  let after = { at: -1, id: '' };
  for (;;) {
    const { rows } =
      await sql<OldEntry>`select at, id, member, action, subject, environment, address, clients from activity
      where account_id = ${accountId} and (at, id) > (${after.at}, ${after.id}) order by at, id limit ${ROWS_AT_ONCE}`.execute(
        db,
      );
    const last = rows.at(-1);
    if (!last) break;
    const links = rows.map((stored) => {
      // The hash must not depend on how a driver returns large numbers.
      const clients = stored.clients === null ? null : Number(stored.clients);
      const row = { ...stored, at: Number(stored.at), clients };
      const place = { chain, number: head.count + 1, previous: head.hash };
      head = {
        count: place.number,
        hash: hashOfEntry(place, { ...row, partOf: null, requestId: null, detailsHash: '' }),
      };
      return sql`(${sql.join([chain, head.count, accountId, ...valuesOf(row), head.hash])})`;
    });
    await sql`insert into activity_entries
      (chain, number, account_id, at, id, member, action, subject, environment, address, clients, hash)
      values ${sql.join(links)}`.execute(db);
    after = last;
  }
  await sql`update accounts set activity_count = ${head.count}, activity_hash = ${head.hash}
    where id = ${accountId}`.execute(db);
}
