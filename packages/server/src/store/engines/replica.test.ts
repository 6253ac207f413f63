import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey, revokeKey } from '../../domain/manage-keys.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../testing/builders.ts';
import { PostgresServer } from '../../testing/postgres-server.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../../testing/test-api.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';
import type { Store } from '../open-store.ts';

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

/** Until the end of the test, or until told, the replica knows only what it knows now. */
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

test('a replica that lags shows an earlier list, and never decides about a key or a token', async () => {
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
  const other = await createKey(
    { keys: store.keys, clock: api.clock },
    { workspaceId, environment: 'production', name: 'other' },
  );
  await revokeKey({ keys: store.keys, clock: api.clock }, key.id);

  const otherToken = await api.token(other.secret);
  expect(await count(otherToken), 'a list from before').toBe(1);
  expect(await api.get(TOKEN_PATH, { 'api-key': secret })).toMatchObject({ status: 401 });
  await expect.poll(async () => (await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).status).toBe(401);

  await resume();
  await expect.poll(() => count(otherToken)).toBe(2);
});

test('while the replica is away the primary answers', async () => {
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

test('a replica in the place of the primary is refused in one line', async () => {
  await expect(openTestStoreAt(replica.url())).rejects.toThrow(/is a replica and cannot be written to\.$/);
});
