import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { Failure } from '../../../domain/failure.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../../testing/builders.ts';
import { oldDatabase } from '../../../testing/old-database.ts';
import { onDatabase } from '../../../testing/raw-database.ts';
import { openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { backUpDatabase } from '../../back-up-database.ts';
import { SCHEMA } from '../../migrations/migrate.ts';
import { openStore } from '../../open-store.ts';
import { restoreDatabase } from '../../restore-database.ts';
import { BackupFile, packBackup } from './backup-file.ts';
import { copySnapshot } from './copy-snapshot.ts';
import { adoptRestoredFile } from './open-file.ts';
import { makeWholeFile } from './unfinished-file.ts';

const quietly = { signal: new AbortController().signal, progress: () => {} };
const clock = new TestClock();

const backUp = (url: string, file: string) => backUpDatabase(url, file, { ...quietly, clock });
const restore = (file: string, url: string) => restoreDatabase(file, url, quietly);

/** A database with a hundred clients, and a folder for backups. */
async function aDatabase() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'backups'));
  const url = `sqlite:${join(folder, 'rollcall.db')}`;
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  await addClients(
    store,
    workspaceId,
    Array.from({ length: 100 }, () => aClient()),
  );
  return {
    folder,
    url,
    store,
    workspaceId,
    backups: join(folder, 'backups'),
    file: join(folder, 'backups', 'a.db.zst'),
  };
}

/** The bytes of a backup, for tests that damage it. */
let bytes: Buffer;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
  try {
    const url = `sqlite:${join(folder, 'rollcall.db')}`;
    const store = openStore(url);
    await store.migrate();
    await store.close();
    await backUp(url, join(folder, 'a.db.zst'));
    bytes = readFileSync(join(folder, 'a.db.zst'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function expectOneLine(error: unknown, message: RegExp): void {
  expect(error).toBeInstanceOf(Failure);
  expect((error as Failure).message).toMatch(/^[^\n]+$/);
  expect((error as Failure).message).toMatch(message);
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it succeeded',
    (error) => error,
  );
}

test('a backup that is made under writes has all that was acknowledged before it, and nothing in part', async () => {
  const { url, store, workspaceId, file, folder } = await aDatabase();
  const acknowledged: string[] = [];
  let writing = true;
  const write = async () => {
    while (writing) {
      const clients = [aClient(), aClient()];
      await addClients(store, workspaceId, clients);
      acknowledged.push(...clients.map(({ referenceId }) => referenceId));
    }
  };
  const writer = write();
  await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(4);
  const before = [...acknowledged];
  const { totals } = await backUp(url, file);
  await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before.length);
  writing = false;
  await writer;

  const restoredUrl = `sqlite:${join(folder, 'elsewhere', 'rollcall.db')}`;
  await restore(file, restoredUrl);
  const restored = await openTestStoreAt(restoredUrl);
  const found = new Set<string>();
  for await (const clients of restored.clients.readAll(workspaceId, {})) {
    for (const { referenceId } of clients) found.add(referenceId);
  }
  expect(before.filter((reference) => !found.has(reference))).toEqual([]);
  const { checked, problems } = await restored.checkConsistency();
  expect(problems).toEqual([]);
  expect(checked).toEqual(totals);
  // Every change added two clients.
  expect(totals.clients % 2).toBe(0);
});

test('a backup is one file that only its user may read, and zstd unpacks it', async () => {
  const { url, file, backups } = await aDatabase();
  const { bytes: size, databaseBytes } = await backUp(url, file);
  expect(readdirSync(backups)).toEqual(['a.db.zst']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(file).size).toBe(size);
  const unpacked = zstdDecompressSync(readFileSync(file));
  expect(unpacked.length).toBe(databaseBytes);
  expect(unpacked.toString('latin1', 0, 15)).toBe('SQLite format 3');
});

test('a restored database is only readable by its user, has the same clients and begins a new epoch', async () => {
  const { url, store, workspaceId, file, folder } = await aDatabase();
  const before = await store.versions.current(workspaceId);
  await backUp(url, file);
  const target = join(folder, 'elsewhere', 'rollcall.db');
  await restore(file, `sqlite:${target}`);
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['rollcall.db']);
  expect(statSync(target).mode & 0o777).toBe(0o600);
  const query = 'select epoch from installation';
  const [[former], [restored]] = [await onDatabase(url, query), await onDatabase(`sqlite:${target}`, query)];
  expect(restored?.epoch).not.toBe(former?.epoch);
  const after = await (await openTestStoreAt(`sqlite:${target}`)).versions.current(workspaceId);
  expect(after).not.toEqual(before);
});

test('a restored database whose last change is only in its log is not used, because it would be lost', async () => {
  const file = join(temporaryFolder(), 'rollcall.db');
  writeFileSync(file, zstdDecompressSync(bytes));
  // Somebody who reads the database keeps its log from being written back.
  const reader = new DatabaseSync(file);
  reader.exec('begin; select * from installation');
  expectOneLine(
    await failureOf(adoptRestoredFile(file)),
    /the log of the restored database cannot be written back to its file\./,
  );
  reader.close();
  await adoptRestoredFile(file);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test.each([
  ['an existing file', (file: string) => writeFileSync(file, 'precious'), 'a.db.zst'],
  ['an existing folder', (file: string) => mkdirSync(file), 'a.db.zst'],
  ['a link to nowhere', (file: string) => symlinkSync('/nowhere', file), 'a.db.zst'],
  ['the database', () => {}, '../rollcall.db'],
  ['the log of the database', () => {}, '../rollcall.db-wal'],
  ['the lock of whoever makes backups', () => {}, '../rollcall.db-backup-lock'],
  ['the secret', () => {}, '../rollcall.secret'],
  ['the database by way of a link', (file: string) => symlinkSync('..', file), 'a.db.zst/rollcall.db-journal'],
  ['a folder that does not exist', () => {}, 'missing/a.db.zst'],
])('%s is never overwritten by a backup', async (_what, prepare, name) => {
  const { url, store, workspaceId, file, backups } = await aDatabase();
  prepare(file);
  const before = readdirSync(backups, { recursive: true });
  const error = await failureOf(backUp(url, join(backups, name)));
  expectOneLine(error, /already exists and is never overwritten|is a name of the database itself|does not exist/);
  expect(readdirSync(backups, { recursive: true })).toEqual(before);
  await addClients(store, workspaceId, [aClient()]);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('of two backups to the same file, one is made and the other refused', async () => {
  const { url, file, backups } = await aDatabase();
  const results = await Promise.all([failureOf(backUp(url, file)), failureOf(backUp(url, file))]);
  expect(results.filter((result) => result === 'it succeeded')).toHaveLength(1);
  expectOneLine(
    results.find((result) => result !== 'it succeeded'),
    /already exists and is never overwritten/,
  );
  expect(readdirSync(backups)).toEqual(['a.db.zst']);
  const opened = await BackupFile.open(file);
  await opened.verify(quietly);
  await opened.close();
});

test('a backup that is stopped leaves nothing', async () => {
  const { url, file, backups } = await aDatabase();
  for (const step of ['copied', 'compressed']) {
    const stopping = new AbortController();
    const progress = (each: string) => each === step && stopping.abort(new Error('stopped'));
    const error = await failureOf(backUpDatabase(url, file, { clock, signal: stopping.signal, progress }));
    expect(error).toBeInstanceOf(Error);
    expect(readdirSync(backups)).toEqual([]);
  }
});

test('a damaged database is not backed up, so that it never replaces a good backup', async () => {
  const { url, store, file, backups } = await aDatabase();
  await store.close();
  const database = readFileSync(url.slice('sqlite:'.length));
  const page = Math.floor(database.indexOf('@mail.example') / 4096);
  writeFileSync(url.slice('sqlite:'.length), database.fill(0x55, page * 4096, (page + 1) * 4096));
  expectOneLine(await failureOf(backUp(url, file)), /is damaged \(.+\)\. No backup was made; keep the earlier ones\.$/);
  expect(readdirSync(backups)).toEqual([]);
});

/** A folder as a backup that was killed leaves it, or one that is like it. */
function leaveFolder(path: string, names = ['rollcall.lock', 'rollcall.db', 'rollcall.db-journal']): void {
  mkdirSync(path);
  for (const name of names) writeFileSync(join(path, name), '');
}

test('what a killed backup has left is removed at once by the next one, and nothing that others have made', async () => {
  const { url, file, backups } = await aDatabase();
  for (const name of ['b.db.zst.unfinished-AbC123', 'rollcall.unfinished-XyZ789']) leaveFolder(join(backups, name));
  const others: Record<string, string[]> = {
    'empty.unfinished-AbC123': [],
    'unlocked.unfinished-AbC123': ['rollcall.db'],
    'with-notes.unfinished-AbC123': ['rollcall.lock', 'rollcall.db', 'notes.txt'],
    'tax.unfinished-return': ['form.txt'],
    'unfinished-notes': ['rollcall.lock'],
  };
  for (const [name, names] of Object.entries(others)) leaveFolder(join(backups, name), names);
  if (process.getuid?.() === 0) {
    leaveFolder(join(backups, 'foreign.unfinished-AbC123'));
    chownSync(join(backups, 'foreign.unfinished-AbC123'), 10_001, 10_001);
    others['foreign.unfinished-AbC123'] = [];
  }
  await backUp(url, file);
  expect(readdirSync(backups).sort()).toEqual(['a.db.zst', ...Object.keys(others)].sort());
});

test('a backup that still runs is never taken for one that was killed, however old its files are', async () => {
  const { url, file, backups } = await aDatabase();
  const other = join(backups, 'b.db.zst');
  await makeWholeFile(other, async (folder) => {
    expect(readdirSync(folder)).toEqual(['rollcall.lock']);
    writeFileSync(join(folder, 'b.db.zst'), 'slow');
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) utimesSync(path, 0, 0);
    await backUp(url, file);
    return { finished: join(folder, 'b.db.zst'), result: undefined };
  });
  expect(readFileSync(other, 'utf8')).toBe('slow');
  expect(readdirSync(backups)).toEqual(['a.db.zst', 'b.db.zst']);
});

test('a backup whose folder cannot be written to the disk is there, and the failure says so', async () => {
  const file = join(temporaryFolder(), 'a.db.zst');
  const make = async (folder: string) => {
    writeFileSync(join(folder, 'made'), 'whole');
    return { finished: join(folder, 'made'), result: undefined };
  };
  const fail = () => {
    throw Object.assign(new Error('EIO'), { errno: -5, syscall: 'fsync' });
  };
  const error = await failureOf(makeWholeFile(file, make, fail));
  expectOneLine(error, /a\.db\.zst is complete, but a power failure may undo its name.+: i\/o error\.$/);
  expect(readFileSync(file, 'utf8')).toBe('whole');
  expect(readdirSync(dirname(file))).toEqual(['a.db.zst']);
});

test('a copy that cannot be written is explained in one line, and leaves nothing', async () => {
  const { url, file, backups } = await aDatabase();
  const make = async (folder: string) => {
    const copy = join(folder, 'removed meanwhile', 'rollcall.db');
    await copySnapshot(url.slice('sqlite:'.length), copy, quietly);
    return { finished: copy, result: undefined };
  };
  expectOneLine(
    await failureOf(makeWholeFile(file, make)),
    /a\.db\.zst cannot be written: the file of the database cannot be opened\. Nothing was left there\.$/,
  );
  expect(readdirSync(backups)).toEqual([]);
});

test('a backup with any byte changed is refused, and nothing is restored', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'damaged.db.zst');
  const positions = [0, 4, 20, 100, bytes.length >> 1, bytes.length - 41, bytes.length - 33, bytes.length - 1];
  for (const position of positions) {
    const damaged = Buffer.from(bytes);
    damaged[position] = (damaged[position] ?? 0) ^ 0x10;
    writeFileSync(file, damaged);
    const error = await failureOf(restore(file, `sqlite:${join(folder, 'data', 'rollcall.db')}`));
    expectOneLine(error, /is damaged or incomplete|is not a backup that|was made by a newer version/);
    expect(readdirSync(folder), `byte ${position}`).toEqual(['damaged.db.zst']);
    expect(readFileSync(file).equals(damaged)).toBe(true);
  }
});

test('a backup that is cut off anywhere is refused, and nothing is restored', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'short.db.zst');
  for (const length of [
    0,
    1,
    7,
    8,
    30,
    200,
    bytes.length >> 1,
    bytes.length - 40,
    bytes.length - 32,
    bytes.length - 1,
  ]) {
    writeFileSync(file, bytes);
    truncateSync(file, length);
    const error = await failureOf(restore(file, `sqlite:${join(folder, 'data', 'rollcall.db')}`));
    expectOneLine(error, /is damaged or incomplete|is not a backup that/);
    expect(readdirSync(folder), `${length} bytes`).toEqual(['short.db.zst']);
  }
});

test.each([
  ['a text', () => Buffer.from('Dear diary, '.repeat(1000))],
  ['a database', () => zstdDecompressSync(bytes)],
  ['a file of zstd', () => zstdCompressSync(Buffer.from('hello'))],
  ['two backups in one', () => Buffer.concat([bytes, bytes])],
])('%s is refused as a backup', async (_what, contents) => {
  const folder = temporaryFolder();
  const file = join(folder, 'other.db.zst');
  writeFileSync(file, contents());
  const error = await failureOf(restore(file, `sqlite:${join(folder, 'rollcall.db')}`));
  expectOneLine(error, /is not a backup that `rollcall backup` has made|is damaged or incomplete/);
  expect(readdirSync(folder)).toEqual(['other.db.zst']);
});

/** The backup with another description of itself, and the digest that belongs to it. */
function described(change: (description: Record<string, unknown>) => unknown): Buffer {
  const end = 8 + bytes.readUInt32LE(4);
  const description = Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString('utf8', 8, end)))));
  const header = Buffer.from(bytes.subarray(0, 8));
  header.writeUInt32LE(description.length, 4);
  const whole = Buffer.concat([header, description, bytes.subarray(end, -32)]);
  return Buffer.concat([whole, createHash('sha256').update(whole).digest()]);
}

const totals = { workspaces: 0, groups: 0, clients: 0 };

test.each([
  ['no size', (made) => ({ ...made, databaseBytes: undefined })],
  ['a text as its size', (made) => ({ ...made, databaseBytes: `${made.databaseBytes}` })],
  ['a negative size', (made) => ({ ...made, databaseBytes: -1 })],
  ['a size beyond all numbers', (made) => ({ ...made, databaseBytes: 1e300 })],
  ['no time', (made) => ({ ...made, madeAt: undefined })],
  ['a time that no calendar has', (made) => ({ ...made, madeAt: 1e300 })],
  ['a text as its time', (made) => ({ ...made, madeAt: '2026-01-31' })],
  ['no totals', (made) => ({ ...made, totals: undefined })],
  ['nothing as its totals', (made) => ({ ...made, totals: null })],
  ['a text as a total', (made) => ({ ...made, totals: { ...totals, clients: '\x1b[2J' } })],
  ['half a group', (made) => ({ ...made, totals: { ...totals, groups: 0.5 } })],
  ['nothing as its description', () => null],
] satisfies [string, (made: Record<string, unknown>) => unknown][])(
  'a backup that says of itself that it has %s is refused before anything is written',
  async (_what, change) => {
    const folder = temporaryFolder();
    const file = join(folder, 'odd.db.zst');
    writeFileSync(file, described(change));
    const error = await failureOf(restore(file, `sqlite:${join(folder, 'data', 'rollcall.db')}`));
    expectOneLine(error, /odd\.db\.zst is not a backup that `rollcall backup` has made\. It was not used\.$/);
    expect(readdirSync(folder)).toEqual(['odd.db.zst']);
  },
);

test('a backup in the format of a newer version is refused before anything is written, and the refusal says so', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'newer.db.zst');
  writeFileSync(
    file,
    described((made) => ({ ...made, version: 2 })),
  );
  const error = await failureOf(restore(file, `sqlite:${join(folder, 'data', 'rollcall.db')}`));
  expectOneLine(error, /newer\.db\.zst was made by a newer version of Rollcall\. Update Rollcall\.$/);
  expect(readdirSync(folder)).toEqual(['newer.db.zst']);
});

test('a backup that is larger than the disk is refused before it is unpacked', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'large.db.zst');
  writeFileSync(
    file,
    described((made) => ({ ...made, databaseBytes: 2 ** 52 })),
  );
  const error = await failureOf(restore(file, `sqlite:${join(folder, 'rollcall.db')}`));
  expectOneLine(error, /rollcall\.db cannot be written: it needs about \d+ MB, and \d+ MB are free\.$/);
  expect(readdirSync(folder)).toEqual(['large.db.zst']);
});

test('what a backup says about itself beyond what is known is ignored', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.db.zst');
  writeFileSync(
    file,
    described((made) => ({ ...made, more: 1, totals: { ...totals, more: '\x1b[2J' } })),
  );
  const restored = await restore(file, `sqlite:${join(folder, 'rollcall.db')}`);
  expect(restored.totals).toEqual(totals);
});

test.each(['', '-wal', '-shm', '-journal'])('a restore refuses a place where rollcall.db%s exists', async (end) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.db.zst'), bytes);
  writeFileSync(join(folder, `rollcall.db${end}`), 'precious');
  const error = await failureOf(restore(join(folder, 'a.db.zst'), `sqlite:${join(folder, 'rollcall.db')}`));
  expectOneLine(error, /already exists and is never overwritten\. Stop the service, and move the database/);
  expect(readdirSync(folder)).toEqual(['a.db.zst', `rollcall.db${end}`]);
  expect(readFileSync(join(folder, `rollcall.db${end}`), 'utf8')).toBe('precious');
});

test.each([
  ['of a newer version', `update compatibility set oldest_schema = 9999`, /needs a version that supports schema 9999/],
  ['of another program', 'drop table api_keys', /is not a Rollcall database/],
  [
    'with a trigger',
    'create trigger evil after insert on api_keys begin delete from clients; end',
    /contains the trigger "evil", which Rollcall has not made\. It was not used; take another backup\.$/,
  ],
  [
    'with a view',
    'create view spare as select * from api_keys',
    /contains the view "spare", which Rollcall has not made/,
  ],
])('a backup %s is refused, and nothing is restored', async (_what, statement, message) => {
  const folder = temporaryFolder();
  const [database, file] = [join(folder, 'changed.db'), join(folder, 'a.db.zst')];
  writeFileSync(database, zstdDecompressSync(bytes));
  await onDatabase(`sqlite:${database}`, 'pragma journal_mode = delete');
  await onDatabase(`sqlite:${database}`, 'pragma foreign_keys = off');
  await onDatabase(`sqlite:${database}`, statement);
  await packBackup(database, { madeAt: 0, databaseBytes: statSync(database).size, totals }, file, quietly);
  rmSync(database);
  expectOneLine(await failureOf(restore(file, `sqlite:${join(folder, 'data', 'rollcall.db')}`)), message);
  expect(readdirSync(folder, { recursive: true })).toEqual(['a.db.zst', 'data']);
});

test('a database of an older version is backed up and restored as it is', async () => {
  const url = await oldDatabase('sqlite', 4);
  const folder = temporaryFolder();
  await backUp(url, join(folder, 'old.db.zst'));
  const restoredUrl = `sqlite:${join(folder, 'rollcall.db')}`;
  await restore(join(folder, 'old.db.zst'), restoredUrl);
  const migrations = 'select count(*) as migrations from kysely_migration';
  expect(await onDatabase(restoredUrl, migrations)).toEqual([{ migrations: 4 }]);
  const store = await openTestStoreAt(restoredUrl);
  expect((await store.checkConsistency()).problems).toEqual([]);
  expect(await onDatabase(restoredUrl, migrations)).toEqual([{ migrations: SCHEMA }]);
});

test('on PostgreSQL, both refuse and name its tools', async () => {
  const url = 'postgres://user:password@127.0.0.1:1/rollcall';
  expectOneLine(await failureOf(backUp(url, '/nowhere/a')), /pg_dump.+point-in-time recovery.+docs\/backup\.md/);
  expectOneLine(await failureOf(restore('/nowhere/a', url)), /pg_restore.+point-in-time recovery.+docs\/backup\.md/);
  expect(existsSync('/nowhere')).toBe(false);
});
