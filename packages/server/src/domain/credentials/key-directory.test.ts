import { setImmediate as otherWork } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { LIST_PATH, openTestApi, type TestApi } from '../../testing/test-api.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';
import { hasEnded, KeyDirectory, type KeyDirectoryStore } from './key-directory.ts';
import { factsOf, type KeyFacts, NOBODY_TO_TELL } from './key-facts.ts';
import { createKey, revokeAnyKey, updateKey } from './manage-keys.ts';
import { endOldSecret, rollKey } from './roll-key.ts';

const LONGEST_TTL_SECONDS = 86_400;
const ANY_KEY = { environment: 'production', name: 'any' } as const;

const list = (api: TestApi, token: string) => api.get(LIST_PATH, { authorization: `Bearer ${token}` });

async function aKeyInUse(ttlSeconds = 3600) {
  const api = await openTestApi(undefined, { ttlSeconds });
  const { key, secret, workspaceId } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  await addClients(api.store, workspaceId, [aClient()]);
  const token = await api.token(secret);
  expect(await list(api, token)).toMatchObject({ status: 200 });
  return { api, key, token, by: { workspaceId, actor: TESTER } };
}

async function aDirectory() {
  const store = await openTestStore();
  const clock = new TestClock();
  const { key, workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const deps = { ...store, clock, onKeysChanged: NOBODY_TO_TELL };
  return { store, clock, key, deps, by: { workspaceId, actor: TESTER } };
}

const WRONG_CLOCKS: [string, number][] = [
  ['two hours behind', -7200],
  ['years behind', -400_000_000],
  ['five minutes ahead', 300],
  ['years ahead', 400_000_000],
];

test.each(WRONG_CLOCKS)(
  'a key that is revoked by a machine whose clock is %s has ended on all machines',
  async (_how, seconds) => {
    const { api, key, token } = await aKeyInUse();
    const revoker = new TestClock(api.clock.now() + seconds * 1000);
    await revokeAnyKey({ ...api.store, clock: revoker }, TESTER, key.id);
    await api.keyDirectory.load();
    const answer = await list(api, token);
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.body.message).toMatch(/^Access token has been revoked/);
  },
);

test.each(WRONG_CLOCKS)(
  'a secret that is ended at once by a machine whose clock is %s has ended on all machines',
  async (_how, seconds) => {
    const { api, key, token, by } = await aKeyInUse();
    const clock = new TestClock(api.clock.now() + seconds * 1000);
    const deps = { ...api.store, clock, onKeysChanged: NOBODY_TO_TELL };
    await rollKey(deps, by, key.id, { overlapSeconds: 0 });
    await api.keyDirectory.load();
    const answer = await list(api, token);
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.body.message).toMatch(/^Access token has been revoked: the secret that it was made from/);
  },
);

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
  const { store, clock, deps, by } = await aDirectory();
  const expiresAt = clock.now() + 1000;
  const { key } = await createKey(deps, by, { environment: 'production', name: 'short', expiresAt });
  const endedAt = async (now: number) => {
    const directory = new KeyDirectory({ keys: store.keys, clock });
    await directory.load();
    const known = directory.get(key.id, 1);
    return known && hasEnded(known, 1, now);
  };
  expect(await endedAt(expiresAt - 1)).toBeUndefined();
  expect(await endedAt(expiresAt)).toBe('key');
  clock.advance(LONGEST_TTL_SECONDS);
  expect(await endedAt(clock.now())).toBe('key');
});

test('a token whose API key does not exist is refused, also when its signature is right', async () => {
  const { api, key, token } = await aKeyInUse();
  const other = await openTestStore();
  const elsewhere = await openTestApi(other, { clock: api.clock });
  const moved = await api.store.signingKeys.all();
  await other.changeInstallation({ actor: TESTER, at: 0 }, async (change) => {
    for (const each of moved) await change.signingKeys.add(each);
  });
  await elsewhere.signingKeys.load();
  const answer = await list(elsewhere, token);
  expect(answer).toMatchObject({ status: 401, body: { message: 'Invalid access token.' } });
  expect(await elsewhere.keyDirectory.find(key.id, 1)).toBeUndefined();
});

/** Lets a read of all keys begin and holds its result back. */
function slowStore(keys: KeyDirectoryStore) {
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>();
  const slow: KeyDirectoryStore = {
    ...keys,
    allFacts: async function* () {
      for await (const facts of keys.allFacts()) {
        read();
        await isOver;
        yield facts;
      }
    },
  };
  return { slow, goOn, hasRead };
}

test('a read that started before a key was revoked, rolled, restricted or created does not undo that', async () => {
  const { store, clock, key, deps, by } = await aDirectory();
  const make = async () => (await createKey(deps, by, { environment: 'production', name: 'x' })).key.id;
  const [rolled, ended, restricted] = [await make(), await make(), await make()];
  await rollKey(deps, by, ended);
  const { slow, goOn, hasRead } = slowStore(store.keys);
  const directory = new KeyDirectory({ keys: slow, clock });
  const tell = async (changed: readonly KeyFacts[]) => directory.follow(changed);

  const loading = directory.load();
  await hasRead;
  await tell([factsOf(await revokeAnyKey(deps, TESTER, key.id))]);
  await rollKey({ ...deps, onKeysChanged: tell }, by, rolled, { overlapSeconds: 0 });
  await endOldSecret({ ...deps, onKeysChanged: tell }, by, ended);
  await updateKey({ ...deps, onKeysChanged: tell }, by, restricted, { allowedNetworks: ['10.0.0.0/8'] });
  const created = await createKey(deps, by, { environment: 'production', name: 'late' });
  directory.follow([factsOf(created.key)]);
  goOn();
  await loading;

  for (const look of ['after the old read', 'after another one']) {
    const end = (keyId: string, number: number) => {
      const known = directory.get(keyId, number);
      return known ? hasEnded(known, number, clock.now()) : 'missing';
    };
    expect(end(key.id, 1), look).toBe('key');
    expect([end(rolled, 1), end(rolled, 2)], look).toEqual(['secret', undefined]);
    expect([end(ended, 1), end(ended, 2)], look).toEqual(['secret', undefined]);
    expect(directory.get(restricted, 1)?.networks?.networks, look).toEqual(['10.0.0.0/8']);
    expect(end(created.key.id, 1), look).toBeUndefined();
    await directory.load();
  }
});

test('news that arrive late do not undo a later change', async () => {
  const { store, clock, key, deps, by } = await aDirectory();
  const directory = new KeyDirectory({ keys: store.keys, clock });
  const first = await updateKey(deps, by, key.id, { rateLimit: '5/s,5' });
  const second = await updateKey(deps, by, key.id, { rateLimit: '7/s,7', allowedNetworks: ['10.0.0.1'] });
  directory.follow([factsOf(second)]);
  directory.follow([factsOf(first)]);
  expect(directory.limitOf(key.id)).toEqual({ perSecond: 7, burst: 7 });
  expect(directory.get(key.id, 1)?.networks?.networks).toEqual(['10.0.0.1']);
  directory.follow([factsOf(await updateKey(deps, by, key.id, { rateLimit: '0', allowedNetworks: [] }))]);
  expect(directory.limitOf(key.id)).toBeNull();
  expect(directory.get(key.id, 1)?.networks).toBeUndefined();
  directory.follow([factsOf(await updateKey(deps, by, key.id, { rateLimit: null }))]);
  expect(directory.limitOf(key.id)).toBeUndefined();
  expect(directory.limitOf('key_unknown')).toBeUndefined();
});

test('after a change only new and changed keys are read, and all keys again after 45 seconds', async () => {
  const [before, restored] = [await openTestStore(), await openTestStore()];
  const clock = new TestClock();
  const first = await aWorkspace(before, clock, 'a@firm.example');
  const second = await aWorkspace(restored, clock, 'a@firm.example');
  let store = before;
  let timesRead = 0;
  const news: string[] = [];
  const keys: KeyDirectoryStore = {
    stamp: () => store.keys.stamp(),
    versions: () => store.keys.versions(),
    changedSince: async (newest) => {
      const changed = await store.keys.changedSince(newest);
      news.push(...changed.facts.map(({ keyId }) => keyId));
      return changed;
    },
    allFacts: () => {
      timesRead++;
      return store.keys.allFacts();
    },
    factsOf: (keyIds) => store.keys.factsOf(keyIds),
  };
  const directory = new KeyDirectory({ keys, clock });
  const ended = ({ id }: { id: string }) => {
    const known = directory.get(id, 1);
    return known && hasEnded(known, 1, clock.now());
  };

  for (let look = 0; look < 10; look++) await directory.load();
  expect(timesRead).toBe(1);
  await addClients(before, first.workspaceId, [aClient()]);
  for (let look = 0; look < 10; look++) await directory.load();
  expect(timesRead, 'a change to clients').toBe(1);
  expect(news).toEqual([]);
  const other = await createKey({ ...before, clock }, { workspaceId: first.workspaceId, actor: TESTER }, ANY_KEY);
  for (let look = 0; look < 10; look++) await directory.load();
  const elsewhere = await aWorkspace(before, clock, 'b@firm.example');
  await revokeAnyKey({ ...before, clock }, TESTER, first.key.id);
  for (let look = 0; look < 10; look++) await directory.load();
  expect([timesRead, news.slice(0, 1), news.slice(1).sort()]).toEqual([
    1,
    [other.key.id],
    [first.key.id, elsewhere.key.id].sort(),
  ]);
  expect([ended(first.key), ended(other.key), ended(elsewhere.key)]).toEqual(['key', undefined, undefined]);
  expect(directory.get(elsewhere.key.id, 1)).toBeDefined();

  // The same number of keys and versions, but from another database that replaced the first one.
  await addClients(restored, second.workspaceId, [aClient()]);
  await createKey({ ...restored, clock }, { workspaceId: second.workspaceId, actor: TESTER }, ANY_KEY);
  await aWorkspace(restored, clock, 'b@firm.example');
  await revokeAnyKey({ ...restored, clock }, TESTER, second.key.id);
  expect(await restored.keys.stamp()).toBe(await before.keys.stamp());
  store = restored;
  clock.advance(45);
  await directory.load();
  expect(ended(second.key)).toBe('key');
  expect(directory.get(first.key.id, 1), 'a key that does not exist any more').toBeUndefined();
});

test('a database that was restored with fewer or older keys is read at once if its stamp differs', async () => {
  const { store: before, clock, key, deps, by } = await aDirectory();
  await createKey(deps, by, ANY_KEY);
  const restored = await openTestStore();
  const { key: restoredKey } = await aWorkspace(restored, clock, 'a@firm.example');
  let store = before;
  const keys: KeyDirectoryStore = {
    stamp: () => store.keys.stamp(),
    versions: () => store.keys.versions(),
    changedSince: (newest) => store.keys.changedSince(newest),
    allFacts: () => store.keys.allFacts(),
    factsOf: (keyIds) => store.keys.factsOf(keyIds),
  };
  const directory = new KeyDirectory({ keys, clock });
  await directory.load();
  store = restored;
  await directory.load();
  expect(directory.get(restoredKey.id, 1)).toBeDefined();
  expect(directory.get(key.id, 1)).toBeUndefined();
});

test('while thousands of keys are read, other work goes on and a key that another node revokes is refused', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const clock = new TestClock();
  const { key, workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 4500)';
  await onDatabase(
    url,
    `${numbers} insert into api_keys (workspace_id, id, name, note, scopes, allowed_networks, created_at, version)
     select ${workspaceId}, 'key_' || i, 'x', '', 'clients:read', '', 0, 0 from n`,
  );
  await onDatabase(
    url,
    `${numbers} insert into api_key_secrets (workspace_id, key_id, number, hash, preview, created_at)
     select ${workspaceId}, 'key_' || i, 1, 'hash ' || i, '', 0 from n`,
  );
  const directory = new KeyDirectory({ keys: store.keys, clock });
  await directory.load();
  for (let n = 1; n <= 4500; n++) expect(directory.get(`key_${n}`, 1)).toBeDefined();

  clock.advance(45);
  let isLoading = true;
  const loading = directory.load().finally(() => {
    isLoading = false;
  });
  await otherWork();
  expect(isLoading).toBe(true);
  await revokeAnyKey({ ...store, clock }, TESTER, key.id);
  await revokeAnyKey({ ...store, clock }, TESTER, 'key_1');
  await loading;
  await directory.load();
  for (const id of [key.id, 'key_1']) expect(directory.get(id, 1)?.facts.isRevoked).toBe(true);
});

test('keys that another node has just created are found with one read for all of them, and missing ones are remembered', async () => {
  const { store, clock, deps, by } = await aDirectory();
  const reads: (readonly string[])[] = [];
  const keys: KeyDirectoryStore = {
    ...store.keys,
    factsOf: (keyIds) => {
      reads.push(keyIds);
      return store.keys.factsOf(keyIds);
    },
  };
  const directory = new KeyDirectory({ keys, clock });
  await directory.load();
  const make = async () => (await createKey(deps, by, { environment: 'production', name: 'x' })).key.id;
  const [one, two, three] = [await make(), await make(), await make()];

  expect((await directory.find(one, 1))?.facts.keyId).toBe(one);
  // The others wait for the next read instead of being refused.
  const found = await Promise.all([two, three, two, 'key_forged'].map((keyId) => directory.find(keyId, 1)));
  expect(found.map((known) => known?.facts.keyId)).toEqual([two, three, two, undefined]);
  expect(reads).toEqual([[one], [two, three, 'key_forged']]);

  for (let call = 0; call < 1000; call++) expect(await directory.find('key_forged', 1)).toBeUndefined();
  expect(reads).toHaveLength(2);
  const forged = Array.from({ length: 300 }, (_, n) => directory.find(`key_forged_${n}`, 1));
  const outcomes = await Promise.allSettled(forged);
  expect(reads).toHaveLength(3);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
});

test('a key that another process has just rolled or opened to an address works in every process at once', async () => {
  const { api, key, token, by } = await aKeyInUse();
  const other = await openTestApi(api.store, { clock: api.clock });
  expect(await list(other, token)).toMatchObject({ status: 200 });
  const deps = { ...api.store, clock: api.clock, onKeysChanged: NOBODY_TO_TELL };
  for (let round = 0; round < 3; round++) {
    const { secret } = await rollKey(deps, by, key.id);
    const fresh = await api.token(secret);
    expect(await list(api, fresh), 'where the secret was exchanged').toMatchObject({ status: 200 });
    expect(await list(other, fresh), 'elsewhere').toMatchObject({ status: 200 });
  }

  const closed = { environment: 'production', name: 'closed', allowedNetworks: ['10.0.0.0/8'] } as const;
  const restricted = await createKey(deps, by, closed);
  await api.keyDirectory.load();
  await updateKey(deps, by, restricted.key.id, { allowedNetworks: ['127.0.0.1'] });
  expect(await list(api, await api.token(restricted.secret))).toMatchObject({ status: 200 });
});

test('a store that does not answer does not turn an unknown key into a wrong one', async () => {
  const { store, clock, key } = await aDirectory();
  let isAway = true;
  const keys: KeyDirectoryStore = {
    ...store.keys,
    factsOf: async (keyIds) => {
      if (isAway) throw new Error('away');
      return store.keys.factsOf(keyIds);
    },
  };
  const directory = new KeyDirectory({ keys, clock });
  await expect(directory.find(key.id, 1)).rejects.toThrow('away');
  isAway = false;
  clock.advance(1);
  expect((await directory.find(key.id, 1))?.facts.keyId).toBe(key.id);
});
