import { expect, test } from 'vitest';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, type TestApi } from '../../testing/test-api.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { EndedKeyCache, type EndedKeyStore } from './ended-keys.ts';
import { createKey, revokeAnyKey } from './manage-keys.ts';

const LONGEST_TTL_SECONDS = 86_400;

const list = (api: TestApi, token: string) => api.get(LIST_PATH, { authorization: `Bearer ${token}` });

async function aKeyInUse(ttlSeconds = 3600) {
  const api = await openTestApi(undefined, { ttlSeconds });
  const { key, secret, workspaceId } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  await addClients(api.store, workspaceId, [aClient()]);
  const token = await api.token(secret);
  expect(await list(api, token)).toMatchObject({ status: 200 });
  return { api, key, token };
}

test.each([
  ['two hours behind', -7200],
  ['years behind', -400_000_000],
  ['five minutes ahead', 300],
  ['years ahead', 400_000_000],
])('a key that is revoked by a machine whose clock is %s has ended on all machines', async (_how, seconds) => {
  const { api, key, token } = await aKeyInUse();
  const revoker = new TestClock(api.clock.now() + seconds * 1000);
  await revokeAnyKey({ ...api.store, clock: revoker }, TESTER, key.id);
  await api.endedKeys.load();
  const answer = await list(api, token);
  expect(answer).toMatchObject({ status: 401 });
  expect(answer.body.message).toMatch(/^Access token has been revoked/);
});

test.each([
  ['two minutes', 120],
  ['almost a day', LONGEST_TTL_SECONDS - 10],
])('a revoked token stays refused after a restart with a shorter lifetime, %s later', async (_when, seconds) => {
  const { api, key, token } = await aKeyInUse(LONGEST_TTL_SECONDS);
  await revokeAnyKey({ ...api.store, clock: api.clock }, TESTER, key.id);
  api.clock.advance(seconds);
  const restarted = await openTestApi(api.store, { clock: api.clock, ttlSeconds: 60 });
  const answer = await list(restarted, token);
  expect(answer).toMatchObject({ status: 401 });
  expect(answer.body.message).toMatch(/^Access token has been revoked/);
});

test('an expired key has ended for as long as any of its tokens could be valid', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const expiresAt = clock.now() + 1000;
  const request = { environment: 'production', name: 'short', expiresAt } as const;
  const { key } = await createKey({ ...store, clock }, { workspaceId, actor: TESTER }, request);
  const endedKeys = new EndedKeyCache({ keys: store.keys, clock });
  await endedKeys.load();
  expect(endedKeys.hasEnded(key.id, expiresAt - 1)).toBe(false);
  expect(endedKeys.hasEnded(key.id, expiresAt)).toBe(true);

  clock.advance(LONGEST_TTL_SECONDS);
  const restarted = new EndedKeyCache({ keys: store.keys, clock });
  await restarted.load();
  expect(restarted.hasEnded(key.id, clock.now())).toBe(true);
});

test('a read that started before a revocation does not undo it', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const { key } = await aWorkspace(store, clock, 'a@firm.example');
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>();
  const slowly =
    <T>(read: () => Promise<T>) =>
    async () => {
      const result = await read();
      await isOver;
      return result;
    };
  const { countRevoked, revokedIds, expiringAfter } = store.keys;
  const keys = { countRevoked: slowly(countRevoked), revokedIds: slowly(revokedIds), expiringAfter };
  const endedKeys = new EndedKeyCache({ keys, clock });

  const loading = endedKeys.load();
  await revokeAnyKey({ ...store, clock }, TESTER, key.id);
  endedKeys.end([key.id]);
  goOn();
  await loading;
  expect(endedKeys.hasEnded(key.id, clock.now())).toBe(true);
  await endedKeys.load();
  expect(endedKeys.hasEnded(key.id, clock.now())).toBe(true);
});

test('revocations are counted at every load, and read when there are more or a minute has passed', async () => {
  const [before, restored] = [await openTestStore(), await openTestStore()];
  const clock = new TestClock();
  const first = await aWorkspace(before, clock, 'a@firm.example');
  const second = await aWorkspace(restored, clock, 'a@firm.example');
  let store = before;
  let timesRead = 0;
  const keys: EndedKeyStore = {
    countRevoked: () => store.keys.countRevoked(),
    revokedIds: () => {
      timesRead++;
      return store.keys.revokedIds();
    },
    expiringAfter: (since) => store.keys.expiringAfter(since),
  };
  const endedKeys = new EndedKeyCache({ keys, clock });
  const hasEnded = ({ id }: { id: string }) => endedKeys.hasEnded(id, clock.now());

  for (let look = 0; look < 10; look++) await endedKeys.load();
  expect(timesRead).toBe(1);
  await revokeAnyKey({ ...before, clock }, TESTER, first.key.id);
  for (let look = 0; look < 10; look++) await endedKeys.load();
  expect(timesRead).toBe(2);
  expect(hasEnded(first.key)).toBe(true);

  // The same number as before, but from another database that replaced the first one.
  await revokeAnyKey({ ...restored, clock }, TESTER, second.key.id);
  store = restored;
  clock.advance(60);
  await endedKeys.load();
  expect(hasEnded(second.key)).toBe(true);
});
