import { expect, inject, onTestFinished, test } from 'vitest';
import { aClient, addClients, aWorkspace, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import { SNAPSHOTS_AT_ONCE } from '../engines/few-snapshots.ts';
import { openEngine } from '../open-store.ts';

test('few read at length at a time; others wait and are told, and nobody else is kept waiting', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const engine = openEngine(url, { poolSize: 1, serving: true });
  onTestFinished(() => engine.close());
  const open = await Promise.all(Array.from({ length: SNAPSHOTS_AT_ONCE }, () => engine.openSnapshot()));
  // A moment begins with the first look.
  for (const { db } of open) expect(await db.selectFrom('clients').select('id').execute()).toEqual([]);
  const refused = engine.openSnapshot();
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });

  // Each shows the moment at which it was opened, and is in nobody's way.
  await addClients(store, workspaceId, [aClient()]);
  expect(await engine.reads.selectFrom('clients').select('id').execute()).toHaveLength(1);
  for (const { db } of open) expect(await db.selectFrom('clients').select('id').execute()).toEqual([]);

  const waiting = engine.openSnapshot();
  // Closing twice frees one place.
  await open[0]?.close();
  await open[0]?.close();
  const next = await waiting;
  expect(await next.db.selectFrom('clients').select('id').execute()).toHaveLength(1);
  const another = engine.openSnapshot();
  const soon = Symbol('still waiting');
  expect(await Promise.race([another, new Promise((resolve) => setTimeout(resolve, 200, soon))])).toBe(soon);
  for (const { close } of [next, ...open]) await close();
  await (await another).close();
});
