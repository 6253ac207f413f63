import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { correctClient, eraseClient } from '../../../domain/clients/manage-clients.ts';
import { rebuildIndexes } from '../../../domain/clients/rebuild-indexes.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../../testing/builders.ts';
import { onDatabase } from '../../../testing/raw-database.ts';
import { openTestStore, temporaryFolder } from '../../../testing/test-store.ts';

test('the words of a client that was erased or renamed are no longer in the file', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const [erased, renamed] = [aClient({ name: 'Quixotrope Zymurgen' }), aClient({ name: 'Vexillary Zymurgen' })];
  await addClients(store, workspaceId, [erased, renamed]);
  const words = ['quixotrope', 'zymurgen', 'vexillary', 'xenodochy'];
  const before = textOf((await indexIn(folder)).map(({ block }) => block as Uint8Array));
  for (const word of words.slice(0, 3)) expect(before).toContain(word);
  const deps = { ...store, clock: new TestClock() };
  const by = { workspaceId, actor: TESTER };
  await eraseClient(deps, by, erased.referenceId);
  await correctClient(deps, by, renamed.referenceId, { name: 'Xenodochy' });
  // What was there before the change is in its history, until the client is erased.
  await eraseClient(deps, by, renamed.referenceId);
  await store.close();

  const after = textOf([readFileSync(join(folder, 'rollcall.db'))]);
  for (const word of words) expect(after).not.toContain(word);
});

function indexIn(folder: string) {
  return onDatabase(`sqlite:${join(folder, 'rollcall.db')}`, 'select id, block from client_words_data');
}

function textOf(bytes: readonly Uint8Array[]): string {
  return Buffer.concat(bytes).toString('latin1').toLowerCase();
}

test('a change that leaves the words as they are writes nothing to their index', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const client = aClient({ name: 'Ada Okafor' });
  await addClients(store, workspaceId, [client]);
  const before = await indexIn(folder);
  const deps = { ...store, clock: new TestClock() };
  await correctClient(deps, { workspaceId, actor: TESTER }, client.referenceId, {
    name: 'OKAFOR, Ada',
    type: 'company',
  });
  expect(await indexIn(folder)).toEqual(before);
  await correctClient(deps, { workspaceId, actor: TESTER }, client.referenceId, { name: 'Ada' });
  expect(await indexIn(folder)).not.toEqual(before);
});

test('after the words are made anew, the file stays sound, whichever process changes clients next', async () => {
  const folder = temporaryFolder();
  const [store, other] = [await openTestStore(folder), await openTestStore(folder)];
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const by = { workspaceId, actor: TESTER };
  const addAndErase = async (each: typeof store) => {
    const client = aClient();
    await addClients(each, workspaceId, [client]);
    await eraseClient({ ...each, clock }, by, client.referenceId);
  };
  // Each process now knows that words have been removed from the index.
  await addAndErase(store);
  await addAndErase(other);
  await rebuildIndexes({ ...store, clock }, TESTER);
  await addClients(store, workspaceId, [aClient()]);
  await addAndErase(other);
  expect((await store.checkConsistency()).problems).toEqual([]);
});
