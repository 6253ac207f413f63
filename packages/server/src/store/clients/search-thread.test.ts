import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, inject, test } from 'vitest';
import { aClient, addClients, aWorkspace, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt, temporaryFolder } from '../../testing/test-store.ts';
import { watchStatements } from '../../testing/watch-statements.ts';

/** A store as the service has it. */
async function aServingStore(url?: string) {
  const store = await openTestStoreAt(url ?? (await newDatabase(inject('engine'))), { serving: true });
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const find = (word: string) => store.searches.find(workspaceId, { words: [word] }, { offset: 0, limit: 10 });
  return { store, workspaceId, find };
}

test('a search finds what was changed just before it', async () => {
  const { store, workspaceId, find } = await aServingStore();
  for (const name of ['Ada', 'Bo', 'Cyd', 'Dan']) {
    await addClients(store, workspaceId, [aClient({ name })]);
    expect(await find(name.toLowerCase())).toMatchObject({ totalCount: 1, isTotalExact: true, clients: [{ name }] });
  }
});

test.runIf(inject('engine') === 'sqlite')(
  'searches that run while the store is closed fail, and do not keep it open',
  async () => {
    const { store, workspaceId, find } = await aServingStore();
    await addClients(store, workspaceId, [aClient({ name: 'Ada' })]);
    await find('ada');
    const finding = Promise.allSettled([find('ada'), find('ada'), find('ada')]);
    await store.close();
    for (const result of await finding) {
      if (result.status === 'fulfilled') expect(result.value).toMatchObject({ totalCount: 1 });
    }
  },
);

test.runIf(inject('engine') === 'sqlite')('the process that serves does not read the index of words', async () => {
  const statements = watchStatements();
  const { store, workspaceId, find } = await aServingStore();
  await addClients(store, workspaceId, [aClient({ name: 'Ada' })]);
  expect(await find('ada')).toMatchObject({ totalCount: 1 });
  expect([...statements].filter((text) => text.includes('match'))).toEqual([]);
});

test.runIf(inject('engine') === 'sqlite')(
  'after the file was replaced, a search finds nothing of either file',
  async () => {
    const folder = temporaryFolder();
    const [file, saved] = [join(folder, 'rollcall.db'), join(folder, 'saved.db')];
    const { store, workspaceId, find } = await aServingStore(`sqlite:${file}`);
    await addClients(store, workspaceId, [aClient({ name: 'Ada' })]);
    expect(await find('ada')).toMatchObject({ totalCount: 1 });
    const database = new DatabaseSync(file);
    await backup(database, saved);
    database.close();
    renameSync(file, join(folder, 'aside.db'));
    renameSync(saved, file);
    await expect(find('ada')).rejects.toMatchObject({
      message: expect.stringContaining('was replaced by another file'),
    });
    await store.close();
    const restarted = await openTestStoreAt(`sqlite:${file}`, { serving: true });
    const found = await restarted.searches.find(workspaceId, { words: ['ada'] }, { offset: 0, limit: 10 });
    expect(found).toMatchObject({ totalCount: 1 });
  },
);
