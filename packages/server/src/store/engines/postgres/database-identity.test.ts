import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { SigningKeyRing } from '../../../domain/credentials/signing-keys.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../../testing/builders.ts';
import { databaseOn, onServer } from '../../../testing/postgres-setup.ts';
import { LIST_PATH, openTestApi, resultsOf } from '../../../testing/test-api.ts';
import { TEST_SECRET } from '../../../testing/test-secret.ts';
import { openTestStoreAt } from '../../../testing/test-store.ts';
import { openStore } from '../../open-store.ts';

const server = inject('postgresUrl');

/** A database that the test may drop and rename, unlike the shared ones. */
async function aDatabase(template?: string): Promise<string> {
  const name = `place_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name} ${template ? `template ${template}` : ''}`);
  onTestFinished(async () => void (await onServer(server, `drop database if exists ${name} with (force)`)));
  return name;
}

test('a database that is restored while a node is running starts a new epoch before its first write', async () => {
  const live = await aDatabase();
  const url = databaseOn(server, live);
  const before = openStore(url, { secrets: [TEST_SECRET] });
  await before.migrate();
  const clock = new TestClock();
  await SigningKeyRing.open({ ...before, clock });
  const { workspaceId, secret } = await aWorkspace(before, clock, 'a@firm.example');
  await addClients(before, workspaceId, [aClient({ name: 'Ada' })]);
  await before.close();
  const saved = await aDatabase(live);

  const api = await openTestApi(await openTestStoreAt(url, { serving: true }));
  const authorization = `Bearer ${await api.token(secret)}`;
  const list = async (tag = '"none"') => api.get(LIST_PATH, { authorization, 'if-none-match': tag });
  const names = async (tag?: string) => {
    const answer = await list(tag);
    return answer.status === 200 ? resultsOf(answer.body).map((client) => client.client_name) : answer.status;
  };
  await addClients(api.store, workspaceId, [aClient({ name: 'Bob' })]);
  expect(await names()).toEqual(['Bob', 'Ada']);
  const tag = (await list()).headers.get('etag') ?? '';

  await onServer(server, `drop database ${live} with (force)`);
  await onServer(server, `alter database ${saved} rename to ${live}`);
  await expect.poll(() => names(), { timeout: 10_000 }).toEqual(['Ada']);
  await addClients(api.store, workspaceId, [aClient({ name: 'Cyd' })]);
  expect(await names(tag)).toEqual(['Cyd', 'Ada']);
});

test('a copy of a database starts its own epoch when it is first opened', async () => {
  const original = await aDatabase();
  const store = openStore(databaseOn(server, original));
  await store.migrate();
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const stamp = await store.versions.current(workspaceId);
  await store.close();
  const copy = await openTestStoreAt(databaseOn(server, await aDatabase(original)));
  expect(await copy.versions.current(workspaceId)).not.toBe(stamp);
  const again = await openTestStoreAt(databaseOn(server, original));
  expect(await again.versions.current(workspaceId)).toBe(stamp);
});

test('a user who may not read the identity of the server can still use it', async () => {
  const name = await aDatabase();
  const url = new URL(databaseOn(server, name));
  const user = `visitor_${name}`;
  await onServer(url.href, `create role ${user} login password 'visitor'`);
  await onServer(url.href, `alter database ${name} owner to ${user}`);
  onTestFinished(async () => {
    await onServer(server, `drop database ${name} with (force)`);
    await onServer(server, `drop role ${user}`);
  });
  for (const what of ['pg_control_system()', 'pg_walfile_name(pg_lsn)', 'pg_current_wal_lsn()']) {
    await onServer(url.href, `revoke execute on function ${what} from public`);
  }
  [url.username, url.password] = [user, 'visitor'];
  const store = await openTestStoreAt(url.href);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  await addClients(store, workspaceId, [aClient()]);
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount).toBe(1);
});
