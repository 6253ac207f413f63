import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey, revokeAnyKey } from '../../../domain/credentials/manage-keys.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../../testing/builders.ts';
import { PostgresServer } from '../../../testing/postgres-server.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../../../testing/test-api.ts';
import { openTestStoreAt } from '../../../testing/test-store.ts';
import type { Store } from '../../open-store.ts';

const clock = new TestClock();
let primary: PostgresServer;
let replica: PostgresServer;

beforeAll(async () => {
  primary = await PostgresServer.start(['fsync=off']);
  replica = await primary.startReplica();
});

afterAll(async () => {
  await replica.stop();
  await primary.stop();
});

async function openReading(database: string): Promise<Store> {
  const admin = await primary.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  await expect.poll(() => reachable(database)).toBe(true);
  return openTestStoreAt(primary.url(database), { serving: true, readDatabaseUrl: replica.url(database) });
}

async function reachable(database: string): Promise<boolean> {
  try {
    await (await replica.connect(database)).end();
    return true;
  } catch {
    return false;
  }
}

/** Stops replication until the end of the test, or until the returned function is called. */
async function holdBack(): Promise<() => Promise<void>> {
  const admin = await replica.connect();
  onTestFinished(() => admin.end());
  await admin.query('select pg_wal_replay_pause()');
  await expect
    .poll(async () => (await admin.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state)
    .toBe('paused');
  const resume = async () => void (await admin.query('select pg_wal_replay_resume()'));
  onTestFinished(resume);
  return resume;
}

test('a lagging replica shows an earlier list, and is never used for keys and tokens', async () => {
  const api = await openTestApi(await openReading('lagging'));
  const { store } = api;
  const { workspaceId, key, secret } = await aWorkspace(store, api.clock, 'a@firm.example');
  const count = async (token: string) =>
    (await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).body.data?.total_count;
  await addClients(store, workspaceId, [aClient()]);
  const token = await api.token(secret);
  await expect.poll(() => count(token)).toBe(1);

  const resume = await holdBack();
  await addClients(store, workspaceId, [aClient()]);
  const deps = { ...store, clock: api.clock };
  const other = await createKey(deps, { workspaceId, actor: TESTER }, { environment: 'production', name: 'other' });
  await revokeAnyKey(deps, TESTER, key.id);

  const otherToken = await api.token(other.secret);
  expect(await count(otherToken), 'a list from before').toBe(1);
  expect(await api.get(TOKEN_PATH, { 'api-key': secret })).toMatchObject({ status: 401 });
  await api.keyDirectory.load();
  expect(await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });

  await resume();
  await expect.poll(() => count(otherToken)).toBe(2);
});

test('a new account that the replica has not received yet has an empty list, which is not used later', async () => {
  const api = await openTestApi(await openReading('unheard'));
  const { store } = api;
  const known = await aWorkspace(store, api.clock, 'a@firm.example');
  await addClients(store, known.workspaceId, [aClient()]);
  const list = (token: string, query = '', tag = '"none"') =>
    api.get(LIST_PATH + query, { authorization: `Bearer ${token}`, 'if-none-match': tag });
  const total = async (token: string, query = '') => (await list(token, query)).body.data?.total_count;
  const knownToken = await api.token(known.secret);
  await expect.poll(() => total(knownToken)).toBe(1);

  const resume = await holdBack();
  const { workspaceId, secret } = await aWorkspace(store, api.clock, 'new@firm.example');
  const [token, client] = [await api.token(secret), aClient({ groupName: 'G' })];
  const queries = ['', '?page_no=2', '?group_name=G', '?request_status=requested', `?client_email=${client.email}`];
  const empty = { status: 200, body: { data: { total_count: 0, results: [] } } };
  const tags: string[] = [];
  for (const query of queries) {
    const answer = await list(token, query);
    expect(answer).toMatchObject(empty);
    tags.push(answer.headers.get('etag') ?? '');
  }
  await addClients(store, workspaceId, [client]);
  for (const [index, query] of queries.entries()) expect(await list(token, query, tags[index])).toMatchObject(empty);

  await resume();
  for (const [index, query] of queries.entries()) {
    await expect.poll(() => total(token, query)).toBe(1);
    expect((await list(token, query, tags[index])).status).toBe(200);
  }
});

test('while a replica has not received the schema yet, the primary answers', async () => {
  const admin = await primary.connect();
  await admin.query('create database unmigrated');
  await admin.end();
  await expect.poll(() => reachable('unmigrated'), { timeout: 20_000 }).toBe(true);
  await holdBack();
  const [url, readDatabaseUrl] = [primary.url('unmigrated'), replica.url('unmigrated')];
  const store = await openTestStoreAt(url, { serving: true, readDatabaseUrl });
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  await addClients(store, workspaceId, [aClient()]);
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount).toBe(1);
});

test('while the replica is unavailable, the primary answers', async () => {
  const store = await openReading('away');
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  await addClients(store, workspaceId, [aClient()]);
  const total = async () => (await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount;
  await expect.poll(total).toBe(1);

  await replica.kill();
  await expect(total()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await total()).toBe(1);
  const restarted = await openTestStoreAt(primary.url('away'), { readDatabaseUrl: replica.url('away') });
  expect(await restarted.accounts.list()).toHaveLength(1);
  await replica.startAgain();
});

test('a replica that is configured as the primary is refused in one line', async () => {
  await expect(openTestStoreAt(replica.url())).rejects.toThrow(/is a replica and cannot be written to\.$/);
});
