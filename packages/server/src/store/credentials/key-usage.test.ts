import { expect, inject, test } from 'vitest';
import { NOBODY_TO_TELL } from '../../domain/credentials/key-facts.ts';
import { createKey, revokeInChange, revokeKey } from '../../domain/credentials/manage-keys.ts';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';

test('the usage of keys is counted by workspace, and no workspace sees the counts of another', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const mine = await aWorkspace(store, clock, 'mine@firm.example');
  const theirs = await aWorkspace(store, clock, 'theirs@firm.example');
  const use = (of: typeof mine, hour: number, calls: number) => ({
    workspaceId: of.workspaceId,
    keyId: of.key.id,
    hour,
    calls,
    failed: calls - 1,
    limited: 1,
    lastUsedAt: hour * 1000,
    lastUsedFrom: '192.0.2.7',
  });
  const uses = [use(mine, 10, 1), use(mine, 11, 2), use(theirs, 11, 40)];
  await store.keyUsage.add(uses);
  await store.keyUsage.add([use(mine, 11, 3)]);
  await store.keyUsage.moveLastUse(uses.toReversed());

  expect(await store.keyUsage.ofKeys(mine.workspaceId, 11)).toEqual(new Map([[mine.key.id, 5]]));
  expect(await store.keyUsage.byHour(mine.workspaceId, mine.key.id, 0)).toEqual(
    new Map([
      [10, 1],
      [11, 5],
    ]),
  );
  expect(await store.keyUsage.byHour(theirs.workspaceId, mine.key.id, 0)).toEqual(new Map());
  expect(await store.keys.find(mine.workspaceId, mine.key.id)).toMatchObject({
    lastUsedAt: 11_000,
    lastUsedFrom: '192.0.2.7',
  });
  const ofHour11 = { hour: 11, calls: 5, failed: 3, limited: 2 };
  expect(await store.keyUsage.hoursOfWorkspace(mine.workspaceId, 10)).toEqual([
    { hour: 10, calls: 1, failed: 0, limited: 1 },
    ofHour11,
  ]);
  expect(await store.keyUsage.hoursOfWorkspace(theirs.workspaceId, 10)).toMatchObject([{ hour: 11, calls: 40 }]);

  await store.keyUsage.removeBefore(11);
  expect(await store.keyUsage.hoursOfWorkspace(mine.workspaceId, 0)).toEqual([ofHour11]);
  expect((await store.keys.find(mine.workspaceId, mine.key.id))?.lastUsedAt, 'is not forgotten').toBe(11_000);
});

test('nodes that count the same keys in any order do not deadlock, and the time of last use never goes back', async () => {
  const url = await newDatabase(inject('engine'));
  const stores = [await openTestStoreAt(url), await openTestStoreAt(url)];
  const [store] = stores;
  if (!store) throw new Error('no store');
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'mine@firm.example');
  const keyIds: string[] = [];
  for (let n = 0; n < 100; n++) {
    const request = { environment: 'production', name: `key ${n}` } as const;
    keyIds.push((await createKey({ ...store, clock }, { workspaceId, actor: TESTER }, request)).key.id);
  }
  const use = (n: number, lastUsedAt: number, lastUsedFrom: string) => {
    return { workspaceId, keyId: keyIds[n] ?? '', hour: 1, calls: 1, failed: 0, limited: 0, lastUsedAt, lastUsedFrom };
  };
  const counts = keyIds.map((_, n) => use(n, n + 1, '192.0.2.1'));
  const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()';
  const isPostgres = inject('engine') === 'postgres';
  const before = isPostgres && (await onDatabase(url, deadlocks));
  for (let round = 0; round < 5; round++) {
    await Promise.all([stores[0]?.keyUsage.add(counts), stores[1]?.keyUsage.add(counts.toReversed())]);
    await Promise.all([stores[0]?.keyUsage.moveLastUse(counts), stores[1]?.keyUsage.moveLastUse(counts.toReversed())]);
  }
  const late = [use(7, 3, '192.0.2.9'), use(8, 99, '')];
  await store.keyUsage.add(late);
  await store.keyUsage.moveLastUse(late);
  const usage = await store.keyUsage.ofKeys(workspaceId, 0);
  expect([7, 8, 9].map((n) => usage.get(keyIds[n] ?? ''))).toEqual([11, 11, 10]);
  const lastUse = async (n: number) => {
    const key = await store.keys.find(workspaceId, keyIds[n] ?? '');
    return [key?.lastUsedAt, key?.lastUsedFrom];
  };
  expect(await lastUse(7), 'an earlier use that was stored late').toEqual([8, '192.0.2.1']);
  expect(await lastUse(8), 'an unknown address does not replace a known one').toEqual([99, '192.0.2.1']);
  if (isPostgres) expect(await onDatabase(url, deadlocks)).toEqual(before);
});

const DEADLOCKS = 'select deadlocks from pg_stat_database where datname = current_database()';

/** Keys of one member, in the order of their ids, and a use of each. */
async function usedKeys(url: string, number: number) {
  const store = await openTestStoreAt(url);
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'mine@firm.example');
  const by = { workspaceId, actor: TESTER };
  const deps = { ...store, clock, onKeysChanged: NOBODY_TO_TELL };
  const keyIds: string[] = [];
  for (let n = 0; n < number; n++) {
    const request = { environment: 'production', name: `key ${n}`, createdBy: 'ada@firm.example' } as const;
    keyIds.push((await createKey(deps, by, request)).key.id);
    clock.advance(1);
  }
  const uses = keyIds.sort().map((keyId) => {
    return { workspaceId, keyId, hour: 1, calls: 1, failed: 0, limited: 0, lastUsedAt: clock.now(), lastUsedFrom: '' };
  });
  return { store, clock, by, deps, keyIds, uses };
}

test.runIf(inject('engine') === 'postgres')('a key can be revoked while storing its calls has to wait', async () => {
  const url = await newDatabase('postgres');
  const { store, by, deps, keyIds, uses } = await usedKeys(url, 2);
  await store.keyUsage.add(uses);
  let isHeld = true;
  const lock = `begin; update key_usage set calls = calls where key_id = '${keyIds[1]}'; select pg_sleep(4); commit`;
  const held = onDatabase(url, lock).then(() => {
    isHeld = false;
  });
  const sleeping = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await expect.poll(() => onDatabase(url, sleeping)).toHaveLength(1);
  const adding = store.keyUsage.add(uses).then(() => store.keyUsage.moveLastUse(uses));
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(() => onDatabase(url, waiting)).toHaveLength(1);
  await revokeKey(deps, by, keyIds[0] ?? '');
  expect(isHeld, 'the calls are still waiting').toBe(true);
  await Promise.all([held, adding]);
  expect(await store.keyUsage.hoursOfWorkspace(by.workspaceId, 0)).toMatchObject([{ calls: 4 }]);
});

test.runIf(inject('engine') === 'postgres')(
  'revoking all keys of a member and storing their last use at the same time do not deadlock',
  async () => {
    const url = await newDatabase('postgres');
    const { store, clock, by, uses } = await usedKeys(url, 60);
    const other = await openTestStoreAt(url);
    const before = await onDatabase(url, DEADLOCKS);
    let isRevoking = true;
    const revoking = store
      .changeWorkspace({ ...by, at: clock.now() }, async (change) => {
        for (const key of await change.keys.createdBy('ada@firm.example')) await revokeInChange(change, key.id);
      })
      .finally(() => {
        isRevoking = false;
      });
    for (let at = clock.now(); isRevoking; at++) {
      await other.keyUsage.moveLastUse(uses.map((use) => ({ ...use, lastUsedAt: at })));
    }
    await revoking;
    expect(await onDatabase(url, DEADLOCKS)).toEqual(before);
    expect((await store.keys.list(by.workspaceId)).filter(({ revokedAt }) => revokedAt !== null)).toHaveLength(60);
  },
);
