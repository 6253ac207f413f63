import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../store/open-store.ts';
import { databaseOn, keepConnections, onServer } from './postgres-setup.ts';
import { TEST_SECRET } from './test-secret.ts';
import { whenFinished } from './when-finished.ts';

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
  whenFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store on a new database of the engine under test, or on SQLite if a folder is given. It is closed after the test. */
export async function openTestStore(folder?: string): Promise<Store> {
  return openTestStoreAt(folder ? databaseIn(folder) : await newDatabase(inject('engine')));
}

export async function openTestStoreAt(databaseUrl: string, options?: StoreOptions): Promise<Store> {
  if (databaseUrl.startsWith('sqlite:')) await beginWithTemplate(fileOf(databaseUrl));
  const store = openStore(databaseUrl, { secrets: [TEST_SECRET], ...options });
  whenFinished(() => store.close());
  if (!isMigrated(databaseUrl, options)) await store.migrate();
  return store;
}

/** Uses a store on a new database that is removed at once, unlike those of a test, of which a property would open too many. */
export async function withTestStore<T>(options: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  const database = inject('engine') === 'sqlite' ? await temporaryFile() : await databaseOnServer();
  const store = openStore(database.url, { secrets: [TEST_SECRET], ...options });
  try {
    if (!isMigrated(database.url, options)) await store.migrate();
    return await use(store);
  } finally {
    await store.close();
    await database.giveBack();
  }
}

/** A new file begins as a copy of a migrated one, because migrating it would take most of the time of many tests. */
export async function beginWithTemplate(file: string): Promise<void> {
  const template = await sqliteTemplate();
  if (!existsSync(file) && existsSync(dirname(file))) copyFileSync(template, file);
}

/** The URL of an empty database for the current test. */
export async function newDatabase(engine: 'sqlite' | 'postgres'): Promise<string> {
  if (engine === 'sqlite') return databaseIn(temporaryFolder());
  const { url, giveBack } = await databaseOnServer();
  whenFinished(giveBack);
  return url;
}

/** An empty database, and the function that returns it. */
interface LentDatabase {
  url: string;
  giveBack(): Promise<void>;
}

async function temporaryFile(): Promise<LentDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
  const url = databaseIn(folder);
  await beginWithTemplate(fileOf(url));
  return { url, giveBack: async () => rmSync(folder, { recursive: true }) };
}

async function databaseOnServer(): Promise<LentDatabase> {
  const reusable = emptiedDatabases();
  const url = reusable.pop() ?? (await copyOfTemplate());
  const giveBack = async () => {
    await onServer(url, EMPTY);
    reusable.push(url);
    unused.add(url);
  };
  return { url, giveBack };
}

/** The emptied databases that no store has used since. */
const unused = new Set<string>();

/**
 * Whether the database was emptied after another store had migrated it, which opens several connections. A service opens one when
 * it migrates, and has more time for that than for later ones.
 */
function isMigrated(url: string, options?: StoreOptions): boolean {
  return unused.delete(url) && !options?.serving;
}

/**
 * Emptying a database takes a few milliseconds; creating or dropping one takes many. A file may change more than rows, so its
 * databases are not given to other files, which run in the same process.
 */
const emptiedByFile = new Map<string, string[]>();

function emptiedDatabases(): string[] {
  const { testPath = '' } = expect.getState();
  const emptied = emptiedByFile.get(testPath) ?? [];
  emptiedByFile.set(testPath, emptied);
  return emptied;
}

/**
 * Most tests leave a few rows in a few tables. Deleting these takes a fraction of the time of truncating all tables, which writes
 * new files for each. They are deleted in any order, so references are not checked meanwhile. If a table has grown, all are
 * truncated, because the space of deleted rows would stay.
 */
const EMPTY = `do $$ declare sizes constant jsonb := (
  select coalesce(jsonb_object_agg(quote_ident(tablename), size), '{}')
  from pg_tables cross join pg_relation_size(quote_ident(tablename)::regclass) as size
  where schemaname = 'public' and tablename not like 'kysely%' and tablename not in ('installation', 'compatibility')
); name text; begin
  update installation set secret_id = null, activity_count = 0, activity_hash = '';
  if (select max(value::int) from jsonb_each_text(sizes)) > 65536 then
    execute (select 'truncate ' || string_agg(key, ', ') || ' restart identity' from jsonb_each(sizes));
  else
    set local session_replication_role = replica;
    for name in select key from jsonb_each_text(sizes) where value <> '0' loop execute 'delete from ' || name; end loop;
    perform setval(seqrelid, seqstart, false) from pg_sequence where pg_sequence_last_value(seqrelid) is not null;
  end if;
end $$`;

let template: Promise<string> | undefined;

function sqliteTemplate(): Promise<string> {
  template ??= migratedDatabase();
  return template;
}

async function migratedDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const url = databaseIn(folder);
  const store = openStore(url, { secrets: [TEST_SECRET] });
  await store.migrate();
  await store.close();
  return fileOf(url);
}

async function copyOfTemplate(): Promise<string> {
  const template = inject('postgresTemplate');
  const server = inject('postgresUrl');
  const name = `${template}_${randomUUID().replaceAll('-', '')}`;
  keepConnections(server);
  await onServer(server, `create database ${name} template ${template} strategy file_copy`);
  const url = databaseOn(server, name);
  keepConnections(url);
  return url;
}

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'rollcall.db')}`;
}
