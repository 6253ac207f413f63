import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { NodeSqliteDialect, SqliteConnection } from '../engines/sqlite/driver.ts';
import { listOf, lookUp, pairRows } from '../engines/sqlite/sql-fragments.ts';
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
  return {
    db,
    engine: { listOf, lookUp, pairRows },
    keep: (groups, clients) =>
      connection.mapErrors(() => {
        database.exec('begin');
        for (const group of groups) putGroup.run(group);
        for (const { row } of clients) putClient.run(row);
        database.exec('commit');
      }),
    close: () => db.destroy(),
  };
}
