import { expect, inject, test } from 'vitest';
import { aWorkspace, TestClock } from '../../testing/builders.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';

test('the usage of keys is counted by workspace, and no workspace sees the counts of another', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const mine = await aWorkspace(store, clock, 'mine@firm.example');
  const theirs = await aWorkspace(store, clock, 'theirs@firm.example');
  const use = (of: typeof mine, day: number, calls: number) => ({
    workspaceId: of.workspaceId,
    keyId: of.key.id,
    day,
    calls,
    lastUsedAt: day * 1000,
  });
  await store.keyUsage.add([use(mine, 10, 1), use(mine, 11, 2), use(theirs, 11, 40)]);
  await store.keyUsage.add([use(mine, 11, 3)]);

  expect(await store.keyUsage.ofKeys(mine.workspaceId, 11)).toEqual(
    new Map([[mine.key.id, { calls: 5, lastUsedAt: 11_000 }]]),
  );
  expect(await store.keyUsage.calls(mine.workspaceId, 10)).toBe(6);
  expect(await store.keyUsage.calls(theirs.workspaceId, 10)).toBe(40);
});

test('nodes that count the same keys in any order do not deadlock, and the time of last use never goes back', async () => {
  const url = await newDatabase(inject('engine'));
  const stores = [await openTestStoreAt(url), await openTestStoreAt(url)];
  const [store] = stores;
  if (!store) throw new Error('no store');
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'mine@firm.example');
  const counts = Array.from({ length: 200 }, (_, n) => ({
    workspaceId,
    keyId: `key ${n}`,
    day: 1,
    calls: 1,
    lastUsedAt: n,
  }));
  const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()';
  const isPostgres = inject('engine') === 'postgres';
  const before = isPostgres && (await onDatabase(url, deadlocks));
  for (let round = 0; round < 5; round++) {
    await Promise.all([stores[0]?.keyUsage.add(counts), stores[1]?.keyUsage.add(counts.toReversed())]);
  }
  await store.keyUsage.add([{ workspaceId, keyId: 'key 7', day: 1, calls: 1, lastUsedAt: 3 }]);
  const usage = await store.keyUsage.ofKeys(workspaceId, 0);
  expect(usage.get('key 7')).toEqual({ calls: 11, lastUsedAt: 7 });
  expect(usage.get('key 8')).toEqual({ calls: 10, lastUsedAt: 8 });
  if (isPostgres) expect(await onDatabase(url, deadlocks)).toEqual(before);
});
