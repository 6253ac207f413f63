import { expect, inject, onTestFinished, test } from 'vitest';
import { aClient, addClients, aWorkspace, TestClock } from '../testing/builders.ts';
import { allRowsIn, onDatabase } from '../testing/raw-database.ts';
import { LIST_PATH, openTestApi } from '../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { SCHEMA } from './migrations/migrate.ts';
import { raiseOldestSchema } from './migrations/raise-oldest-schema.ts';
import { openEngine } from './open-store.ts';

/** Does what a migration of a newer version does; undone after the test. */
async function needSchema(url: string, schema: number): Promise<void> {
  const before = await onDatabase(url, 'select oldest_schema from compatibility');
  onTestFinished(async () => {
    await onDatabase(url, `update compatibility set oldest_schema = ${before[0]?.oldest_schema}`);
  });
  await onDatabase(url, `update compatibility set oldest_schema = ${schema}`);
}

const REFUSAL = {
  code: 'unavailable',
  message: `Service temporarily unavailable: a newer version of Rollcall has upgraded the database, which now requires schema ${SCHEMA + 1}; this version supports up to schema ${SCHEMA}. Update Rollcall and restart it.`,
};

test('as soon as a newer schema excludes this program, it neither writes nor reads', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  await needSchema(url, SCHEMA + 1);
  const before = await allRowsIn(url);
  // Immediately, and not only after a check.
  await expect(addClients(store, workspaceId, [aClient()])).rejects.toMatchObject(REFUSAL);
  expect(await allRowsIn(url)).toEqual(before);
  await expect(store.ping()).rejects.toMatchObject(REFUSAL);
  await expect(store.accounts.list()).rejects.toMatchObject(REFUSAL);
  await expect(store.requireWritable()).rejects.toMatchObject(REFUSAL);
  await expect(store.clients.readAll(workspaceId, {})[Symbol.asyncIterator]().next()).rejects.toMatchObject(REFUSAL);
});

test('once that was noticed, a cached page is not returned either', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const api = await openTestApi(store);
  const { secret } = await aWorkspace(store, api.clock, 'a@firm.example');
  const authorization = `Bearer ${await api.token(secret)}`;
  const status = async () => (await api.get(LIST_PATH, { authorization })).status;
  expect([await status(), await status()]).toEqual([200, 200]);
  await needSchema(url, SCHEMA + 1);
  await expect(store.requireCompatible()).rejects.toMatchObject(REFUSAL);
  expect(await status()).toBe(503);
  expect((await api.get('/readyz')).body.message).toBe(REFUSAL.message);
});

test('a newer schema that does not exclude this program is used as usual', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  await needSchema(url, SCHEMA);
  await store.requireCompatible();
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  await addClients(store, workspaceId, [aClient()]);
});

test('a migration that excludes older programs excludes them for good', async () => {
  const url = await newDatabase(inject('engine'));
  const engine = openEngine(url);
  onTestFinished(() => engine.close());
  await engine.migrate();
  await needSchema(url, 3);
  const raised = async (schema: number) => {
    await engine.write((db) => raiseOldestSchema(schema, db));
    return Number((await onDatabase(url, 'select oldest_schema from compatibility'))[0]?.oldest_schema);
  };
  expect([await raised(7), await raised(5)]).toEqual([7, 7]);
});
