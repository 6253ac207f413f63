import { expect, test } from 'vitest';
import { aWorkspace, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { KeyUsageCounter, type KeyUsageStore } from './key-usage.ts';

/** A counter whose store does what the test wants before it writes. */
async function aCounter(before: Partial<Record<'add' | 'moveLastUse', () => void | Promise<void>>>) {
  const store = await openTestStore();
  const clock = new TestClock();
  const { workspaceId, key } = await aWorkspace(store, clock, 'a@firm.example');
  const keyUsage: KeyUsageStore = {
    ...store.keyUsage,
    add: async (counts) => {
      await before.add?.();
      await store.keyUsage.add(counts);
    },
    moveLastUse: async (uses) => {
      await before.moveLastUse?.();
      await store.keyUsage.moveLastUse(uses);
    },
  };
  const calls = new KeyUsageCounter({ keyUsage, clock });
  const count = (keyId: string, status = 200) => calls.count({ workspaceId, keyId }, '192.0.2.7', status);
  const hours = () => store.keyUsage.hoursOfWorkspace(workspaceId, 0);
  const stored = async () => (await hours()).reduce((sum, hour) => sum + hour.calls, 0);
  return { calls, count, key, clock, store, workspaceId, hours, stored };
}

test('errors and calls beyond a limit are counted apart, also if a first write fails', async () => {
  let isFailing = true;
  const { calls, count, hours } = await aCounter({
    add: () => {
      if (isFailing) throw new Error('timeout');
    },
  });
  for (const status of [200, 304, 404, 500, 429]) count('key_1', status);
  await expect(calls.flush()).rejects.toThrow('timeout');
  isFailing = false;
  count('key_2', 429);
  await calls.flush();
  expect(await hours()).toMatchObject([{ calls: 6, failed: 2, limited: 2 }]);
  count('key_1', 403);
  await calls.flush();
  expect(await hours()).toMatchObject([{ calls: 7, failed: 3, limited: 2 }]);
});

test('the last flush also stores what a flush that is still under way fails to store', async () => {
  const { promise: isStuck, reject: fail } = Promise.withResolvers<void>();
  let writes = 0;
  const { calls, count, stored } = await aCounter({ add: () => (++writes === 1 ? isStuck : undefined) });
  count('key_1');
  const stuck = calls.flush();
  await expect.poll(() => writes).toBe(1);
  count('key_2');
  const last = calls.flush();
  fail(new Error('timeout'));
  await expect(stuck).rejects.toThrow('timeout');
  await last;
  expect(await stored()).toBe(2);
  expect(calls.notStored).toBe(0);
});

test('calls of many keys are stored in short writes, and a write that fails loses no call and repeats none', async () => {
  let writes = 0;
  const { calls, count, stored } = await aCounter({
    add: () => {
      if (++writes === 3) throw new Error('timeout');
    },
  });
  for (let n = 0; n < 1000; n++) count(`key_${n}`);
  await expect(calls.flush()).rejects.toThrow('timeout');
  expect(await stored()).toBe(600);
  expect(calls.notStored).toBe(400);
  count('key_999');
  await calls.flush();
  expect(await stored()).toBe(1001);
});

test('calls are not counted twice if only the time of last use could not be stored', async () => {
  let isFailing = true;
  const { calls, count, stored, store, key, workspaceId, clock } = await aCounter({
    moveLastUse: () => {
      if (isFailing) throw new Error('timeout');
    },
  });
  count(key.id);
  await expect(calls.flush()).rejects.toThrow('timeout');
  expect([await stored(), calls.notStored]).toEqual([1, 0]);
  isFailing = false;
  await calls.flush();
  expect(await stored()).toBe(1);
  expect(await store.keys.find(workspaceId, key.id)).toMatchObject({
    lastUsedAt: clock.now(),
    lastUsedFrom: '192.0.2.7',
  });
});
