import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, test, vi } from 'vitest';
import { aWorkspace, ORIGIN, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { importClients } from './import-clients.ts';
import { addClient, eraseClient } from './manage-clients.ts';

const dice = vi.spyOn(crypto, 'randomInt');
syncBuiltinESMExports();
afterAll(() => {
  dice.mockRestore();
  syncBuiltinESMExports();
});

/** The next random numbers; after these, they are random again. */
function throwNext(...numbers: number[]): void {
  for (const number of numbers) dice.mockImplementationOnce(() => number);
}

async function openFirm() {
  const store = await openTestStore();
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'owner@firm.example');
  const deps = { ...store, clock };
  const change = { workspaceId, actor: TESTER };
  const add = async (email: string) =>
    (await addClient(deps, change, { email, name: 'Ada', type: 'individual', groupName: 'North' })).client.referenceId;
  const bring = (...emails: string[]) => {
    const rows = emails.map((email, index) => ({
      line: index + 2,
      cells: { email, client_name: 'Ada', client_type: 'individual', group_name: 'North' },
    }));
    return importClients(deps, change, rows, { origin: ORIGIN, onReject: () => {} });
  };
  const references = async () =>
    (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat().map(({ referenceId }) => referenceId);
  return { store, deps, change, add, bring, references, moment: clock.now() };
}

test('a new client gets a reference that no other client of the workspace has', async () => {
  const { add, moment } = await openFirm();
  throwNext(7, 7, 8);
  expect(await add('a@x.example')).toBe(`${moment}-000000000007`);
  expect(await add('b@x.example')).toBe(`${moment}-000000000008`);
});

test('the reference of an erased client is never used again', async () => {
  const { deps, change, add, moment } = await openFirm();
  throwNext(7, 7, 9);
  const erased = await add('a@x.example');
  await eraseClient(deps, change, erased);
  expect(await add('a@x.example')).toBe(`${moment}-000000000009`);
});

test('an import chooses other references when one of those it chose is taken', async () => {
  const { store, add, bring, references, moment } = await openFirm();
  throwNext(12, 10, 1000);
  await add('a@x.example');
  expect(await bring('b@x.example', 'c@x.example', 'd@x.example')).toMatchObject({ inserted: 3, rejected: 0 });
  expect(await references()).toEqual(
    [12, 1000, 1001, 1002].map((number) => `${moment}-${`${number}`.padStart(12, '0')}`),
  );
  expect((await store.checkConsistency()).problems).toEqual([]);
});
