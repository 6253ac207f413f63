import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { NodeSqliteDialect, SqliteConnection } from '../engines/sqlite/driver.ts';
import { listOf, lookUp, pairRows, textRows } from '../engines/sqlite/sql-fragments.ts';
import type { Tables } from '../tables.ts';
import type { ChangedClient } from './client-batch.ts';
import { CLIENT_COLUMNS, GROUP_COLUMNS, type LookupSource } from './existing-rows.ts';
import type { GroupRow } from './groups.ts';

/** The part that is kept in memory. SQLite writes the rest to an unnamed file, which disappears when it is closed. */
const CACHE_KIB = 16 * 1024;

/**
 * No index requires unique emails, because clients that exchange their emails are written in any order. No index begins with
 * the workspace either: there is only one, and SQLite would then prefer to scan the whole table.
 */
const SCHEMA = `
  pragma cache_size = -${CACHE_KIB};
  pragma journal_mode = off;
  pragma synchronous = off;
  create table groups (${GROUP_COLUMNS.join(', ')}, primary key (id)) without rowid;
  create index groups_by_name on groups (name_folded);
  create index groups_by_token on groups (token);
  create table clients (${CLIENT_COLUMNS.join(', ')}, primary key (id)) without rowid;
  create index clients_by_reference on clients (reference_id);
  create index clients_by_external_id on clients (external_id);
  create index clients_by_email on clients (email_folded);
  create table former_emails (email_folded, client_id, primary key (email_folded, client_id)) without rowid;
`;

export interface ScratchDatabase extends LookupSource {
  keep(groups: Iterable<GroupRow>, clients: Iterable<ChangedClient>): void;
  close(): Promise<void>;
}

/** Holds the groups and clients of one dry run, with the same columns as the store. A million clients take about 300 MB on disk. */
export function openScratchDatabase(): ScratchDatabase {
  const database = new DatabaseSync('');
  database.exec(SCHEMA);
  const connection = new SqliteConnection(database, { name: 'the temporary folder' });
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection, 'begin') });
  const putGroup = database.prepare(`insert into groups values (:${GROUP_COLUMNS.join(', :')})`);
  const putClient = database.prepare(`insert or replace into clients values (:${CLIENT_COLUMNS.join(', :')})`);
  const putFormerEmail = database.prepare('insert or ignore into former_emails values (?, ?)');
  return {
    db,
    engine: { listOf, lookUp, pairRows, textRows },
    keep: (groups, clients) =>
      connection.mapErrors(() => {
        database.exec('begin');
        for (const group of groups) putGroup.run(group);
        for (const { row, before } of clients) {
          putClient.run(row);
          if (before && before.email_folded !== row.email_folded) putFormerEmail.run(before.email_folded, row.id);
        }
        database.exec('commit');
      }),
    formerHolders: async (emails) => {
      const { rows } = await sql<{ client_id: number }>`
        select client_id from former_emails where email_folded in ${listOf(emails)}`.execute(db);
      return rows.map((row) => row.client_id);
    },
    close: () => db.destroy(),
  };
}
