import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { renewEpoch } from '../../../domain/epoch.ts';
import { aClient, addClients, aWorkspace } from '../../../testing/builders.ts';
import { LIST_PATH, openTestApi, resultsOf, type TestApi } from '../../../testing/test-api.ts';
import { beginWithTemplate, openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { SCHEMA } from '../../migrations/migrate.ts';
import { openStore } from '../../open-store.ts';
import { openSqlite } from './sqlite.ts';

/** A service with one client in its backup, and another client added since. */
async function aBackedUpService(reach = (file: string) => file) {
  const folder = temporaryFolder();
  const file = join(folder, 'rollcall.db');
  const saved = join(folder, 'saved.db');
  await beginWithTemplate(file);
  const store = openStore(`sqlite:${reach(file)}`);
  await store.migrate();
  const api = await openTestApi(store);
  const { workspaceId, secret } = await aWorkspace(store, api.clock, 'a@firm.example');
  const authorization = `Bearer ${await api.token(secret)}`;
  await addClients(store, workspaceId, [aClient({ name: 'Ada' })]);
  await saveTo(file, saved);
  await addClients(store, workspaceId, [aClient({ name: 'Bob' })]);
  const tag = await tagOf(api, authorization);
  expect(await namesIn(api, authorization)).toEqual(['Bob', 'Ada']);
  return { folder, file, saved, store, api, workspaceId, authorization, tag };
}

async function saveTo(file: string, saved: string): Promise<void> {
  const database = new DatabaseSync(file);
  await backup(database, saved);
  database.close();
}

async function namesIn(api: TestApi, authorization: string, ifNoneMatch = '"none"'): Promise<string[] | number> {
  const answer = await api.get(LIST_PATH, { authorization, 'if-none-match': ifNoneMatch });
  return answer.status === 200 ? resultsOf(answer.body).map((client) => client.client_name) : answer.status;
}

async function tagOf(api: TestApi, authorization: string): Promise<string> {
  return (await api.get(LIST_PATH, { authorization })).headers.get('etag') ?? '';
}

/** What another process reads from the file. */
function namesInFile(file: string): string[] {
  const database = new DatabaseSync(file);
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const rows = database.prepare('select name from clients order by id desc').all();
    return rows.map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

test('after a file was restored while the service was stopped, no old ETag is valid again', async () => {
  const before = await aBackedUpService();
  await before.store.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(before.file + ending, { force: true });
  renameSync(before.saved, before.file);

  const api = await openTestApi(await openTestStoreAt(`sqlite:${before.file}`));
  await addClients(api.store, before.workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(api, before.authorization, before.tag)).toEqual(['Cyd', 'Ada']);
  const tag = await tagOf(api, before.authorization);
  expect(await namesIn(api, before.authorization, tag)).toBe(304);
});

const REPLACED =
  'Service temporarily unavailable: the database file was replaced by another file. Restart the service to use the new file.';
const GONE = 'Service temporarily unavailable: the database file was removed. Put it back and restart the service.';

test('once the open file has been replaced by another one, nothing is written or read until a restart', async () => {
  const { file, saved, store, api, workspaceId, authorization, tag } = await aBackedUpService();
  onTestFinished(() => store.close());
  renameSync(saved, file);
  const refusal = { code: 'unavailable', message: REPLACED };
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject(refusal);
  expect(await api.get('/readyz')).toMatchObject({ status: 503, body: { message: REPLACED } });
  expect(await namesIn(api, authorization, tag)).toBe(503);
  expect(await namesIn(api, authorization)).toBe(503);
  await store.close();

  const restarted = await openTestApi(await openTestStoreAt(`sqlite:${file}`));
  expect(await namesIn(restarted, authorization, tag)).toEqual(['Ada']);
  await addClients(restarted.store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(restarted, authorization, tag)).toEqual(['Cyd', 'Ada']);
});

test('a replaced file is soon noticed even without a write', async () => {
  const { file, saved, store, api, authorization, tag } = await aBackedUpService();
  onTestFinished(() => store.close());
  renameSync(saved, file);
  await expect.poll(() => namesIn(api, authorization, tag), { timeout: 10_000 }).toBe(503);
});

test.each([
  ['', (file: string) => file],
  [
    ', also behind a symbolic link',
    (file: string) => {
      symlinkSync(file, `${file}.link`);
      return `${file}.link`;
    },
  ],
])(
  'the log of the old file is not used for the restored one, and its data stays in the old file%s',
  async (_, reach) => {
    const { folder, file, saved, store } = await aBackedUpService(reach);
    const aside = join(folder, 'aside.db');
    renameSync(file, aside);
    renameSync(saved, file);
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(namesInFile(file)).toEqual(['Ada']);
    expect(namesInFile(aside)).toEqual(['Bob', 'Ada']);
  },
);

test('a program that a newer schema excludes also notices that its file was replaced', async () => {
  const { folder, file, saved, store, workspaceId } = await aBackedUpService();
  onTestFinished(() => store.close());
  const newer = new DatabaseSync(file);
  newer.exec(`update compatibility set oldest_schema = ${SCHEMA + 1}`);
  await expect(store.requireCompatible()).rejects.toMatchObject({ message: expect.stringContaining('newer version') });
  newer.close();
  const aside = join(folder, 'aside.db');
  renameSync(file, aside);
  renameSync(saved, file);
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject({ message: REPLACED });
  await store.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(namesInFile(file)).toEqual(['Ada']);
  expect(namesInFile(aside)).toEqual(['Bob', 'Ada']);
});

test('a write in progress when the file was replaced is refused, and is in neither file', async () => {
  const folder = temporaryFolder();
  const [file, saved, aside] = ['rollcall.db', 'saved.db', 'aside.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const engine = openSqlite(file);
  onTestFinished(() => engine.close());
  await engine.migrate();
  await saveTo(file, saved);
  const write = engine.write(async (db) => {
    await db.insertInto('accounts').values({ name: 'Firm', created_at: 0 }).execute();
    renameSync(file, aside);
    renameSync(saved, file);
  });
  await expect(write).rejects.toMatchObject({ message: REPLACED });
  await engine.close();
  for (const each of [file, aside]) {
    const database = new DatabaseSync(each);
    expect(database.prepare('select name from accounts').all()).toEqual([]);
    database.close();
  }
});

test('several processes on one file all notice, and do not remove the log of the new file', async () => {
  const { file, saved, store, workspaceId } = await aBackedUpService();
  onTestFinished(() => store.close());
  const others = await Promise.all([1, 2].map(() => openTestStoreAt(`sqlite:${file}`)));
  renameSync(saved, file);
  const stores = [store, ...others];
  for (const each of stores) {
    await expect(addClients(each, workspaceId, [aClient()])).rejects.toMatchObject({ message: REPLACED });
  }
  const restarted = await openTestStoreAt(`sqlite:${file}`);
  await addClients(restarted, workspaceId, [aClient({ name: 'Cyd' })]);
  await Promise.all(stores.map((each) => each.close()));
  await addClients(restarted, workspaceId, [aClient({ name: 'Dan' })]);
  expect(existsSync(`${file}-wal`), 'the log of the new file').toBe(true);
  expect(namesInFile(file)).toEqual(['Dan', 'Cyd', 'Ada']);
});

test('while the file is missing, nothing is written and no new file is created', async () => {
  const { folder, file, store, api, workspaceId } = await aBackedUpService();
  onTestFinished(() => store.close());
  const aside = join(folder, 'aside.db');
  renameSync(file, aside);
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject({ message: GONE });
  expect(await api.get('/readyz')).toMatchObject({ status: 503, body: { message: GONE } });
  expect(existsSync(file)).toBe(false);
  await store.close();
  expect(namesInFile(aside)).toEqual(['Bob', 'Ada']);
});

test('a process that ends while the file is missing does not remove the log that others still use', async () => {
  const { folder, file, store, workspaceId } = await aBackedUpService();
  const other = openStore(`sqlite:${file}`);
  await other.migrate();
  const aside = join(folder, 'aside.db');
  renameSync(file, aside);
  await other.close();
  renameSync(aside, file);
  // Whether or not the service has noticed, acknowledged changes are in the file for others.
  const added = await addClients(store, workspaceId, [aClient({ name: 'Cyd' })]).then(
    () => ['Cyd'],
    () => [],
  );
  expect(namesInFile(file)).toEqual([...added, 'Bob', 'Ada']);
  await store.close();
});

test('a service whose write-ahead log was removed acknowledges no more changes', async () => {
  const { file, store, workspaceId } = await aBackedUpService();
  onTestFinished(() => store.close());
  rmSync(`${file}-wal`);
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject({
    message:
      'Service temporarily unavailable: the write-ahead log of the database file was removed. Restart the service.',
  });
});

test('a file that is moved away during a long read is complete once the reader is done', async () => {
  const { folder, file, saved, store, workspaceId } = await aBackedUpService();
  const reading = store.clients.readAll(workspaceId, {})[Symbol.asyncIterator]();
  await reading.next();
  const aside = join(folder, 'aside.db');
  renameSync(file, aside);
  renameSync(saved, file);
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject({ message: REPLACED });
  await reading.return?.(undefined);
  await store.close();
  expect(namesInFile(aside)).toEqual(['Bob', 'Ada']);
  expect(namesInFile(file)).toEqual(['Ada']);
});

test('after a backup was restored in place, a renewed epoch makes all old versions invalid', async () => {
  const { file, saved, store, api, workspaceId, authorization, tag } = await aBackedUpService();
  onTestFinished(() => store.close());
  await saveTo(saved, file);
  await renewEpoch({ ...store, clock: api.clock });
  expect(await namesIn(api, authorization, tag)).toEqual(['Ada']);
  await addClients(store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(api, authorization, tag)).toEqual(['Cyd', 'Ada']);
});
