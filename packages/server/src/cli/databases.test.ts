import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Command } from 'commander';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { ConfigError } from '../config.ts';
import { Failure } from '../domain/failure.ts';
import { InstallationSecret } from '../domain/sealed-text.ts';
import { openStore } from '../store/open-store.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../testing/builders.ts';
import { oldDatabase } from '../testing/old-database.ts';
import { databaseOn, onServer } from '../testing/postgres-setup.ts';
import { TEST_SECRET_TEXT } from '../testing/test-secret.ts';
import { beginWithTemplate, temporaryFolder } from '../testing/test-store.ts';
import { program } from './program.ts';

const ACCOUNT = ['--account', 'a@firm.example'];
const WHERE = [...ACCOUNT, '--environment', 'production'];

/** Every command with valid arguments. `copy` is there twice: once with the database as its source, once as its target. */
const NEEDS_DATABASE: Record<string, string[]> = {
  'account list': [],
  'account update': [...ACCOUNT, '--require-decline-reason', 'yes'],
  'audit checkpoint': [],
  'audit export': ACCOUNT,
  'audit verify': [],
  'client add': [...WHERE, '--email', 'b@mail.example', '--name', 'B', '--group', 'G'],
  'client correct': ['1700000000000-0001', ...WHERE, '--name', 'C'],
  'client erase': ['1700000000000-0001', ...WHERE],
  'client list': [...WHERE, '--search', 'ada'],
  'client move': ['1700000000000-0001', 'H', ...WHERE],
  'client set-active': ['1700000000000-0001', 'inactive', ...WHERE],
  'client set-status': ['1700000000000-0001', 'accepted', ...WHERE],
  'client show': ['1700000000000-0001', ...WHERE],
  copy: ['--to', 'sqlite:{elsewhere}/new.db'],
  doctor: [],
  export: WHERE,
  'group create': ['H', ...WHERE],
  'group delete': ['G', ...WHERE],
  'group list': WHERE,
  'group merge': ['G', '--into', 'H', ...WHERE],
  'group rename': ['G', 'H', ...WHERE],
  import: ['{elsewhere}/clients.csv', ...WHERE],
  'key create': [...WHERE, '--name', 'k'],
  'key end-old-secret': ['key_1'],
  'key limit': ['key_1', '5/s'],
  'key list': ACCOUNT,
  'key revoke': ['key_1'],
  'key roll': ['key_1'],
  'key show': ['key_1'],
  'key listings': ['key_1'],
  'key update': ['key_1', '--name', 'k'],
  'member reset': ['a@firm.example'],
  sample: [...WHERE, '--clients', '3'],
  'epoch renew': [],
  'secret reset': ['--yes'],
  'secret rotate': [],
  'signing-key list': [],
  'signing-key retire': ['kid'],
  'signing-key rotate': [],
};
const MAY_CREATE_DATABASE: Record<string, string[]> = {
  'account create': ['--name', 'Firm', '--email', 'new@firm.example'],
  'copy (into)': ['--from', 'sqlite:{elsewhere}/rollcall.db'],
  migrate: [],
  serve: [],
};
/** Commands that refuse PostgreSQL, whatever is in the database. */
const NEEDS_SQLITE: Record<string, string[]> = { backup: ['{elsewhere}/saved.db.zst'] };
/** Commands that do not use a database at all, or only make a new one. */
const NEEDS_NO_DATABASE = ['secret new', 'restore', 'drill', 'top'];
const EVERY_COMMAND = { ...NEEDS_DATABASE, ...MAY_CREATE_DATABASE };

/** Runs a command on this database, as the program would. `elsewhere` is a folder with the files that it may read. */
async function run(
  command: string,
  databaseUrl: string,
  elsewhere: string,
  { withSecret = true } = {},
): Promise<unknown> {
  vi.stubEnv('ROLLCALL_DATABASE_URL', databaseUrl);
  vi.stubEnv('ROLLCALL_SECRET', withSecret ? TEST_SECRET_TEXT : undefined);
  vi.stubEnv('ROLLCALL_NEXT_SECRET', withSecret ? InstallationSecret.generate().reveal() : undefined);
  const outputs = [process.stdout, process.stderr].map((each) => vi.spyOn(each, 'write').mockReturnValue(true));
  try {
    const args = ({ ...EVERY_COMMAND, ...NEEDS_SQLITE }[command] ?? []).map((each) =>
      each.replace('{elsewhere}', elsewhere),
    );
    await program().parseAsync([...command.replace(' (into)', '').split(' '), ...args], { from: 'user' });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const output of outputs) output.mockRestore();
    vi.unstubAllEnvs();
  }
}

function expectOneLine(error: unknown, message: RegExp, command: string): void {
  expect(error instanceof Failure || error instanceof ConfigError, `${command}: ${error}`).toBe(true);
  expect((error as Error).message, command).toMatch(/^[^\n]+$/);
  expect((error as Error).message, command).toMatch(message);
}

/** A folder with a Rollcall database and a file to import. */
async function rollcallFolder(): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder, 'rollcall.db');
  await beginWithTemplate(file);
  const store = openStore(`sqlite:${file}`);
  await store.migrate();
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const clients = Array.from({ length: 200 }, () => aClient());
  await addClients(store, workspaceId, clients);
  await store.close();
  writeFileSync(join(folder, 'clients.csv'), 'email,client_name,client_type,group_name,request_status\n');
  return folder;
}

/** A hash of every file in a folder. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [path, file.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder'];
    }),
  );
}

function leavesOf(command: Command, path: string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
}

test('every command is tested below', () => {
  const tested = [...Object.keys({ ...EVERY_COMMAND, ...NEEDS_SQLITE }), ...NEEDS_NO_DATABASE];
  expect(tested.filter((name) => name !== 'copy (into)').sort()).toEqual(leavesOf(program()).sort());
});

const NEEDS_A_NEWER_PROGRAM = 'update compatibility set oldest_schema = 99';
const TOO_NEW =
  /was upgraded by a newer version of Rollcall and needs a version that supports schema 99; this one supports up to schema \d+\. /;

type Maker = (file: string, ours: string) => void;

const makeForeign =
  (...pragmas: string[]): Maker =>
  (file) => {
    const database = new DatabaseSync(file);
    for (const pragma of pragmas) database.exec(pragma);
    database.exec('create table invoices (id integer primary key, total integer); insert into invoices values (1, 2)');
    database.exec('create table accounts (id integer primary key)');
    database.close();
  };

/** A database of a program that was killed: its data is only in the write-ahead log, not in the file. */
const makeUnfinished: Maker = (file) => {
  const folder = temporaryFolder();
  const database = new DatabaseSync(join(folder, 'other.db'));
  database.exec('pragma journal_mode = wal; create table invoices (id integer primary key)');
  for (const part of ['', '-wal', '-shm']) writeFileSync(file + part, readFileSync(join(folder, `other.db${part}`)));
  database.close();
};

const NO_DATABASE: Record<string, Maker> = {
  'no file': () => {},
  'no folder': () => {},
  'an empty file': (file) => writeFileSync(file, ''),
  'an SQLite file without tables': (file) => {
    const database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal');
    database.close();
  },
};

const NOT_ROLLCALL: Record<string, [Maker, RegExp]> = {
  'a database of another program': [makeForeign(), /is not a Rollcall database: it contains "invoices", "accounts"/],
  'a database of another program with a log': [makeForeign('pragma journal_mode = wal'), /is not a Rollcall database/],
  'a database of another program after a crash': [makeUnfinished, /is not a Rollcall database: it contains "invoices"/],
  'a text file': [(file) => writeFileSync(file, 'Dear diary, '.repeat(1000)), /is not a database/],
  'a tiny file': [(file) => writeFileSync(file, 'x'), /is not a database/],
  'half a copy': [
    (file, ours) => writeFileSync(file, readFileSync(ours).subarray(0, 60_000)),
    /is damaged: it has only 60000 of its \d+ bytes/,
  ],
  'the beginning of a copy': [
    (file, ours) => writeFileSync(file, readFileSync(ours).subarray(0, 50)),
    /is not a database|is damaged|cannot be read/,
  ],
  'a copy with a broken beginning': [
    (file, ours) => writeFileSync(file, readFileSync(ours).fill(0x55, 100, 4096)),
    /cannot be read as a database/,
  ],
  'a folder': [(file) => void mkdirSync(file), /is not a file/],
};

describe.runIf(inject('engine') === 'sqlite')('on SQLite', () => {
  test.each(Object.keys(NO_DATABASE))('%s is refused by commands that need a database', async (what) => {
    const elsewhere = await rollcallFolder();
    const folder = temporaryFolder();
    const file = what === 'no folder' ? join(folder, 'missing', 'rollcall.db') : join(folder, 'rollcall.db');
    NO_DATABASE[what]?.(file, '');
    const before = [contentsOf(folder), contentsOf(elsewhere)];
    for (const command of Object.keys({ ...NEEDS_DATABASE, ...NEEDS_SQLITE })) {
      const error = await run(command, `sqlite:${file}`, elsewhere);
      expectOneLine(
        error,
        /^There is no Rollcall database at .*rollcall\.db\. Check ROLLCALL_DATABASE_URL, or create one with `rollcall migrate`\.$/,
        command,
      );
      expect([contentsOf(folder), contentsOf(elsewhere)], command).toEqual(before);
    }
  });

  test.each(Object.keys(NO_DATABASE))('%s becomes a database with the commands that may create one', async (what) => {
    const elsewhere = await rollcallFolder();
    for (const command of Object.keys(MAY_CREATE_DATABASE).filter((name) => name !== 'serve')) {
      const folder = temporaryFolder();
      const file = what === 'no folder' ? join(folder, 'missing', 'rollcall.db') : join(folder, 'rollcall.db');
      NO_DATABASE[what]?.(file, '');
      expect(await run(command, `sqlite:${file}`, elsewhere), command).toBeUndefined();
      expect(await run('doctor', `sqlite:${file}`, elsewhere), command).toBeUndefined();
    }
  });

  test.each(Object.keys(NOT_ROLLCALL))('%s is refused by every command and stays unchanged', async (what) => {
    const [make, message] = NOT_ROLLCALL[what] ?? [];
    const elsewhere = await rollcallFolder();
    const folder = temporaryFolder();
    const file = join(folder, 'rollcall.db');
    make?.(file, join(elsewhere, 'rollcall.db'));
    const before = [contentsOf(folder), contentsOf(elsewhere)];
    for (const command of Object.keys({ ...EVERY_COMMAND, ...NEEDS_SQLITE })) {
      expectOneLine(await run(command, `sqlite:${file}`, elsewhere), message ?? /./, command);
      expect([contentsOf(folder), contentsOf(elsewhere)], command).toEqual(before);
    }
  });

  test('checking a consistent database does not change it', async () => {
    const folder = await rollcallFolder();
    const before = contentsOf(folder);
    expect(await run('doctor', `sqlite:${join(folder, 'rollcall.db')}`, folder)).toBeUndefined();
    expect(contentsOf(folder)).toEqual(before);
  });

  test('a database that a service has open, or left when it was killed, is recognised', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'rollcall.db');
    const store = openStore(`sqlite:${file}`);
    onTestFinished(() => store.close());
    await store.migrate();
    expect(readFileSync(file).length, 'all data is still in the log').toBe(4096);
    const elsewhere = temporaryFolder();
    const takeAlong = (...parts: string[]) => {
      const copy = join(temporaryFolder(), 'copy.db');
      for (const part of parts) writeFileSync(copy + part, readFileSync(file + part));
      return `sqlite:${copy}`;
    };
    expect(await run('doctor', `sqlite:${file}`, elsewhere), 'in use').toBeUndefined();
    expect(await run('doctor', takeAlong('', '-wal', '-shm'), elsewhere), 'killed').toBeUndefined();
    expect(await run('doctor', takeAlong('', '-wal'), elsewhere), 'without the index').toBeUndefined();
    expectOneLine(await run('doctor', takeAlong(''), elsewhere), /There is no Rollcall database/, 'the file alone');
  });

  test('a copy that is damaged in the middle has problems', async () => {
    const folder = await rollcallFolder();
    const file = join(folder, 'rollcall.db');
    const bytes = readFileSync(file);
    const page = Math.floor(bytes.indexOf('@mail.example') / 4096);
    writeFileSync(file, bytes.fill(0x55, page * 4096, (page + 1) * 4096));
    expectOneLine(await run('doctor', `sqlite:${file}`, folder), /^Found \d+ problems? in 0 clients/, 'doctor');
  });

  test('a check does not migrate an older schema, but says how to do it', async () => {
    const folder = await rollcallFolder();
    const file = join(folder, 'rollcall.db');
    change(file, `delete from kysely_migration where name > '0004'`);
    const before = contentsOf(folder);
    const error = await run('doctor', `sqlite:${file}`, folder);
    expectOneLine(
      error,
      /has the schema of an older version of Rollcall\. Run `rollcall migrate` to upgrade it\.$/,
      'doctor',
    );
    expect(contentsOf(folder)).toEqual(before);
  });

  test('a schema that needs a newer program is refused by every command and stays unchanged', async () => {
    const folder = await rollcallFolder();
    const file = join(folder, 'rollcall.db');
    const elsewhere = await rollcallFolder();
    change(file, NEEDS_A_NEWER_PROGRAM);
    const before = [contentsOf(folder), contentsOf(elsewhere)];
    for (const command of Object.keys({ ...EVERY_COMMAND, ...NEEDS_SQLITE })) {
      expectOneLine(await run(command, `sqlite:${file}`, elsewhere), TOO_NEW, command);
      expect([contentsOf(folder), contentsOf(elsewhere)], command).toEqual(before);
    }
  });

  test('a newer schema that does not state its compatibility is refused', async () => {
    const folder = await rollcallFolder();
    const file = join(folder, 'rollcall.db');
    change(file, `delete from compatibility; insert into kysely_migration values ('9999-inventions', '')`);
    expectOneLine(
      await run('account list', `sqlite:${file}`, folder),
      /and needs a newer version\. Update Rollcall/,
      'list',
    );
  });

  test.each([
    ['a table', 'create table inventions (id integer)', /does not know: "inventions"\. Nothing was copied/],
    ['a migration', `insert into kysely_migration values ('9999-inventions', '')`, /does not know: "9999-inventions"/],
  ])('copy refuses %s that this version does not know', async (_what, statement, message) => {
    const folder = await rollcallFolder();
    const file = join(folder, 'rollcall.db');
    change(file, statement);
    const before = contentsOf(folder);
    expectOneLine(await run('copy', `sqlite:${file}`, folder), message, 'copy');
    expect(contentsOf(folder)).toEqual(before);
    expect(existsSync(join(folder, 'new.db'))).toBe(false);
  });
});

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  async function aDatabase(...statements: string[]): Promise<string> {
    const server = inject('postgresUrl');
    const name = `other_${randomUUID().replaceAll('-', '')}`;
    await onServer(server, `create database ${name}`);
    onTestFinished(async () => void (await onServer(server, `drop database ${name} with (force)`)));
    const url = databaseOn(server, name);
    for (const statement of statements) await onServer(url, statement);
    return url;
  }

  const allRowsIn = (url: string) =>
    onServer(
      url,
      `select relname, relkind, relnatts from pg_class where relnamespace = 'public'::regnamespace order by 1`,
    );

  test('an empty database is refused by commands that need one, and filled by those that may create one', async () => {
    const elsewhere = await rollcallFolder();
    const url = await aDatabase();
    const before = contentsOf(elsewhere);
    for (const command of Object.keys(NEEDS_DATABASE)) {
      expectOneLine(
        await run(command, url, elsewhere),
        /^There is no Rollcall database at \S+:\d+\/other_\w+\./,
        command,
      );
      expect(await allRowsIn(url), command).toEqual([]);
      expect(contentsOf(elsewhere), command).toEqual(before);
    }
    expect(await run('account create', url, elsewhere)).toBeUndefined();
    expect(await run('doctor', url, elsewhere)).toBeUndefined();
    const [into, withMigrator] = [await aDatabase(), await aDatabase('create table kysely_migration (name varchar)')];
    expect(await run('copy (into)', into, elsewhere)).toBeUndefined();
    expectOneLine(await run('doctor', withMigrator, elsewhere), /^There is no Rollcall database/, 'doctor');
  });

  test('backup refuses and names the tools of PostgreSQL', async () => {
    const elsewhere = await rollcallFolder();
    expectOneLine(await run('backup', await aDatabase(), elsewhere), /pg_dump.+docs\/backup\.md/, 'backup');
    expect(existsSync(join(elsewhere, 'saved.db.zst'))).toBe(false);
  });

  test('a database of another program is refused by every command and stays unchanged', async () => {
    const elsewhere = await rollcallFolder();
    const url = await aDatabase('create table invoices (id integer)', 'create table clients (id integer)');
    const before = [await allRowsIn(url), contentsOf(elsewhere)];
    for (const command of Object.keys(EVERY_COMMAND)) {
      expectOneLine(await run(command, url, elsewhere), /is not a Rollcall database: it contains "/, command);
      expect([await allRowsIn(url), contentsOf(elsewhere)], command).toEqual(before);
    }
  });

  test('a schema that needs a newer program is refused by every command and stays unchanged', async () => {
    const elsewhere = await rollcallFolder();
    const url = await aDatabase();
    expect(await run('migrate', url, elsewhere)).toBeUndefined();
    await onServer(url, NEEDS_A_NEWER_PROGRAM);
    const before = [await allRowsIn(url), contentsOf(elsewhere)];
    for (const command of Object.keys(EVERY_COMMAND)) {
      expectOneLine(await run(command, url, elsewhere), TOO_NEW, command);
      expect([await allRowsIn(url), contentsOf(elsewhere)], command).toEqual(before);
    }
  });

  test('without the secret, no command upgrades a database from before encryption; afterwards commands work without it', async () => {
    const elsewhere = await rollcallFolder();
    const url = await oldDatabase('postgres', 10);
    const withoutSecret = (command: string) => run(command, url, elsewhere, { withSecret: false });
    const migrations = () => onServer(url, 'select name from kysely_migration order by name');
    const before = [await migrations(), await allRowsIn(url), contentsOf(elsewhere)];
    // A check never upgrades anything.
    for (const command of Object.keys(EVERY_COMMAND).filter((name) => !['doctor', 'audit verify'].includes(name))) {
      expectOneLine(
        await withoutSecret(command),
        /\bROLLCALL_SECRET is not set.+`rollcall secret new` prints/,
        command,
      );
      expect([await migrations(), await allRowsIn(url), contentsOf(elsewhere)], command).toEqual(before);
    }
    expectOneLine(
      await withoutSecret('key list'),
      /database \S+:\d+\/\w+ to a schema .+ Stop these nodes first, or upgrade them together, .+ was not changed\.$/,
      'key list',
    );
    expect(await run('migrate', url, elsewhere)).toBeUndefined();
    for (const command of ['account create', 'account list', 'doctor', 'epoch renew', 'migrate', 'signing-key list']) {
      expect(await withoutSecret(command), command).toBeUndefined();
    }
  });

  test('copy refuses a table that this version does not know', async () => {
    const folder = await rollcallFolder();
    const url = await aDatabase();
    expect(await run('migrate', url, folder)).toBeUndefined();
    await onServer(url, 'create table inventions (id integer)');
    expectOneLine(await run('copy', url, folder), /does not know: "inventions"\. Nothing was copied/, 'copy');
    expect(existsSync(join(folder, 'new.db'))).toBe(false);
  });
});

function change(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}
