import { expect, inject, onTestFinished, test } from 'vitest';
import { aClient, addClients, aWorkspace, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import { OPEN_SNAPSHOTS_MAX } from '../engines/snapshot-limit.ts';
import { openEngine } from '../open-store.ts';

test('the number of long reads is limited; others wait and then fail, and nobody else has to wait', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const engine = openEngine(url, { poolSize: 1, serving: true });
  onTestFinished(() => engine.close());
  const open = await Promise.all(Array.from({ length: OPEN_SNAPSHOTS_MAX }, () => engine.openSnapshot()));
  const idsIn = (db: ReadOnlyDatabase) =>
    db.selectFrom('clients').where('workspace_id', '=', workspaceId).select('id').execute();
  // A snapshot starts with the first read.
  for (const { db } of open) expect(await idsIn(db)).toEqual([]);
  const refused = engine.openSnapshot();
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });

  // Each shows the data at the time when it was opened, and blocks nobody.
  await addClients(store, workspaceId, [aClient()]);
  expect(await idsIn(engine.reads)).toHaveLength(1);
  for (const { db } of open) expect(await idsIn(db)).toEqual([]);

  const waiting = engine.openSnapshot();
  // Closing twice frees only one slot.
  await open[0]?.close();
  await open[0]?.close();
  const next = await waiting;
  expect(await idsIn(next.db)).toHaveLength(1);
  const another = engine.openSnapshot();
  const soon = Symbol('still waiting');
  expect(await Promise.race([another, new Promise((resolve) => setTimeout(resolve, 200, soon))])).toBe(soon);
  for (const { close } of [next, ...open]) await close();
  await (await another).close();
});
