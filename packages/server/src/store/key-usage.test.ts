import { expect, test } from 'vitest';
import { aWorkspace, TestClock } from '../testing/builders.ts';
import { openTestStore } from '../testing/test-store.ts';

test('the use of keys is added up by workspace, and one never sees the numbers of another', async () => {
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
