import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { renewEpoch } from '../../domain/epoch.ts';
import { aClient, addClients, aWorkspace } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, resultsOf, type TestApi } from '../../testing/test-api.ts';
import { openTestStoreAt, temporaryFolder } from '../../testing/test-store.ts';
import { openStore } from '../open-store.ts';
import { openSqlite } from './sqlite.ts';

/** A service with one client, a backup of that moment, and another client since. */
async function aBackedUpService(reach = (file: string) => file) {
  const folder = temporaryFolder();
  const file = join(folder, 'rollcall.db');
  const saved = join(folder, 'saved.db');
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

/** What somebody else finds who opens the file. */
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

test('a file that was restored while the service was stopped never makes an old tag true again', async () => {
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

test('a file that is moved into the place of the open one is followed: the next write is in it, and no page is the old one', async () => {
  const { file, saved, store, api, workspaceId, authorization, tag } = await aBackedUpService();
  onTestFinished(() => store.close());
  renameSync(saved, file);
  await addClients(store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(api, authorization, tag)).toEqual(['Cyd', 'Ada']);
  expect(namesInFile(file)).toEqual(['Cyd', 'Ada']);
  expect((await store.examine()).problems).toEqual([]);
});

test('without a write, too, the restored file is soon the one that is read', async () => {
  const { file, saved, store, api, authorization, tag } = await aBackedUpService();
  onTestFinished(() => store.close());
  let changes = 0;
  onTestFinished(store.onChange(() => changes++));
  renameSync(saved, file);
  await expect.poll(() => namesIn(api, authorization, tag), { timeout: 10_000 }).toEqual(['Ada']);
  await expect.poll(() => changes, { timeout: 10_000 }).toBeGreaterThan(0);
});

test.each([
  ['', (file: string) => file],
  [
    ', also when it is reached by a link',
    (file: string) => {
      symlinkSync(file, `${file}.link`);
      return `${file}.link`;
    },
  ],
])(
  'what the old file had in its log is not taken for a part of the restored one, and stays with the old%s',
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

test('a write that was under way when the file was replaced is done again in the new one', async () => {
  const folder = temporaryFolder();
  const [file, saved] = [join(folder, 'rollcall.db'), join(folder, 'saved.db')];
  const engine = openSqlite(file);
  onTestFinished(() => engine.close());
  await engine.migrate();
  await saveTo(file, saved);
  let times = 0;
  await engine.write(async (db) => {
    await db.insertInto('accounts').values({ name: 'Firm', created_at: 0 }).execute();
    if (++times === 1) renameSync(saved, file);
  });
  expect(times).toBe(2);
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  expect(database.prepare('select name from accounts').all()).toEqual([{ name: 'Firm' }]);
});

test('several processes on one file all follow', async () => {
  const { file, saved, store, workspaceId } = await aBackedUpService();
  onTestFinished(() => store.close());
  const others = await Promise.all([1, 2].map(() => openTestStoreAt(`sqlite:${file}`)));
  renameSync(saved, file);
  const stores = [store, ...others];
  await Promise.all(stores.map((each, number) => addClients(each, workspaceId, [aClient({ name: `New ${number}` })])));
  const page = { offset: 0, limit: 10 };
  for (const each of stores) expect((await each.clients.read(workspaceId, {}, page)).totalCount).toBe(4);
  expect(namesInFile(file)).toHaveLength(4);
});

test('while the file is gone nothing is written, and all is well again when it is back', async () => {
  const { folder, file, store, api, workspaceId, authorization } = await aBackedUpService();
  onTestFinished(() => store.close());
  const aside = join(folder, 'aside.db');
  renameSync(file, aside);
  const refusal = { code: 'unavailable', message: 'Service temporarily unavailable: its database file is gone.' };
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject(refusal);
  expect(await api.get('/readyz')).toMatchObject({ status: 503, body: { message: refusal.message } });
  expect(existsSync(file)).toBe(false);
  renameSync(aside, file);
  await addClients(store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(api, authorization)).toEqual(['Cyd', 'Bob', 'Ada']);
});

test.each([
  ['an empty file', () => Buffer.alloc(0)],
  ['a file of which half has been copied', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
  ['something else', () => Buffer.from('not a database, but long enough to be looked at')],
])('%s in the place of the database is left alone until it is whole', async (_what, start) => {
  const { folder, file, saved, store, api, workspaceId, authorization } = await aBackedUpService();
  onTestFinished(() => store.close());
  const whole = readFileSync(saved);
  renameSync(file, join(folder, 'aside.db'));
  writeFileSync(file, start(whole));
  const { size } = statSync(file);
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Service temporarily unavailable: the file in the place of its database cannot be used.',
  });
  expect(await store.ping().catch(() => 'not ready')).toBe('not ready');
  expect(statSync(file).size).toBe(size);
  writeFileSync(file, whole);
  await addClients(store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(api, authorization)).toEqual(['Cyd', 'Ada']);
});

test('after a backup was restored in place, a renewed epoch makes everything old untrue', async () => {
  const { file, saved, store, api, workspaceId, authorization, tag } = await aBackedUpService();
  onTestFinished(() => store.close());
  await saveTo(saved, file);
  await renewEpoch({ ...store, clock: api.clock });
  expect(await namesIn(api, authorization, tag)).toEqual(['Ada']);
  await addClients(store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await namesIn(api, authorization, tag)).toEqual(['Cyd', 'Ada']);
});
