import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../packages/server/src/store/open-store.ts';
import { aClient, addClients } from '../packages/server/src/testing/builders.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { openDatabaseProxy } from './database-proxy.ts';
import { load, openNodes } from './nodes.ts';
import type { Serving } from './program.ts';
import { expectOkOrUnavailable, expectReady, keepWriting, readiness } from './recovery.ts';
import { OWNER } from './test-account.ts';

test('when the primary dies and its replica takes over, the nodes follow and no acknowledged write is lost', async () => {
  const primary = await PostgresServer.start();
  onTestFinished(() => primary.stop());
  const replica = await primary.startReplica();
  onTestFinished(() => replica.stop());
  const admin = await primary.connect();
  admin.on('error', () => {});
  // A write is acknowledged only when two servers have it. Without this, a failover may lose writes.
  await admin.query(`alter system set synchronous_standby_names = '*'`);
  await admin.query('select pg_reload_conf()');
  const address = await openDatabaseProxy(primary.url());
  const { databaseUrl, nodes, first, key, token } = await openNodes(primary, 2, {}, address.port);

  const writing = await keepWriting(databaseUrl);
  const asking = load(nodes, key.api_key, token);
  await asking.isHealthy();
  await primary.kill();
  await expect.poll(() => readiness(first)).toBe(503);
  const successor = await replica.connect();
  await successor.query('select pg_promote()');
  await successor.end();
  address.moveTo(replica.url());
  await expectReady(nodes);
  await writing.expectWritable();
  expectOkOrUnavailable(await asking.stop());
  await writing.expectNothingLost();
});

interface Page {
  data?: { total_count: number; results: unknown[] };
}

test('when a replica that lacks the last writes takes over, its next writes are never mistaken for them', async () => {
  const primary = await PostgresServer.start(['fsync=off']);
  onTestFinished(() => primary.stop());
  const replica = await primary.startReplica();
  onTestFinished(() => replica.stop());
  const address = await openDatabaseProxy(primary.url());
  const { databaseUrl, nodes, token } = await openNodes(primary, 2, {}, address.port);
  const store = openStore(databaseUrl, { serving: true });
  onTestFinished(() => store.close());
  const [account] = await store.accounts.byOwnerEmail(OWNER);
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const addThree = () => addClients(store, workspaceId, [aClient(), aClient(), aClient()]);
  const ask = async ({ production }: Serving, tag: string) => {
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': tag };
    const response = await fetch(`${production}/api/v1/clients-list/?page_limit=30`, { headers });
    const { data } = response.status === 200 ? ((await response.json()) as Page) : {};
    return { status: response.status, tag: response.headers.get('etag') ?? '', data };
  };
  const total = async (node: Serving, tag = '"none"') => (await ask(node, tag)).data?.total_count;

  // Once the replica has all clients, it is disconnected, so that further writes are on the primary only.
  const successor = await replica.connect(new URL(databaseUrl).pathname.slice(1));
  successor.on('error', () => {});
  onTestFinished(() => successor.end());
  const arrived = async () => (await successor.query('select count(*) as clients from clients')).rows[0]?.clients;
  await expect.poll(arrived, { timeout: 10_000 }).toBe('20');
  await successor.query(`alter system set primary_conninfo = ''`);
  await successor.query('select pg_reload_conf()');
  const receivers = async () => (await successor.query('select from pg_stat_wal_receiver')).rowCount;
  await expect.poll(receivers, { timeout: 10_000 }).toBe(0);
  await addThree();
  for (const node of nodes) await expect.poll(() => total(node), { timeout: 10_000 }).toBe(23);
  const lost = await Promise.all(nodes.map((node) => ask(node, '"none"')));

  await primary.kill();
  await successor.query('select pg_promote()');
  address.moveTo(replica.url());
  await expectReady(nodes);
  // The nodes have been running all the time, so no start tells them that the server is another one.
  await expect.poll(() => addThree().catch((error) => error.code), { timeout: 10_000 }).toBeUndefined();
  for (const [index, node] of nodes.entries()) {
    const { tag = '', data } = lost[index] ?? {};
    await expect.poll(() => total(node), { timeout: 10_000 }).toBe(23);
    const now = await ask(node, tag);
    expect(now.status, 'the same version, with other clients').toBe(200);
    expect(now.data?.results).not.toEqual(data?.results);
    expect(now.tag.split('.').at(-1), 'which is what makes it dangerous').toBe(tag.split('.').at(-1));
  }
});
