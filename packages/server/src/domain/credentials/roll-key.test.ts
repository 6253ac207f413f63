import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { expect, inject, test } from 'vitest';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import { isLive } from './api-key.ts';
import { KeyDirectory } from './key-directory.ts';
import type { KeyFacts } from './key-facts.ts';
import { createKey, revokeKey, updateKey } from './manage-keys.ts';
import { endOldSecret, rollKey } from './roll-key.ts';

const DAY_SECONDS = 86_400;

/** A key in use, with a service that follows its changes. */
async function openScene({ ttlSeconds = 3600 } = {}) {
  const api = await openTestApi(undefined, { ttlSeconds });
  const { store, clock, keyDirectory } = api;
  const { key, secret, workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const onKeysChanged = async (changed: readonly KeyFacts[]) => keyDirectory.follow(changed);
  const deps = { ...store, clock, onKeysChanged };
  const by = { workspaceId, actor: TESTER };
  const exchange = (secret: string) => api.get(TOKEN_PATH, { 'api-key': secret });
  const list = async (token: string) => (await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).status;
  return { api, clock, deps, by, key, secret, exchange, list };
}

test('both secrets of a rolled key work until the old one ends, and tokens end with the secret that they came from', async () => {
  const { api, clock, deps, by, key, secret, exchange, list } = await openScene();
  const early = await api.token(secret);
  const rolled = await rollKey(deps, by, key.id, { overlapSeconds: 600 });
  expect(rolled.key.id).toBe(key.id);
  const [late, fresh] = [await api.token(secret), await api.token(rolled.secret)];
  expect([early, late, fresh].map((token) => decodeJwt(token).secret)).toEqual([1, 1, 2]);
  expect(await Promise.all([early, late, fresh].map(list))).toEqual([200, 200, 200]);
  expect((await exchange(secret)).body.data?.expires_in, 'not beyond the end of the secret').toBe(600);
  expect((await exchange(rolled.secret)).body.data?.expires_in).toBe(3600);

  clock.advance(600);
  expect(await Promise.all([early, fresh].map(list))).toEqual([401, 200]);
  expect((await exchange(secret)).body.message).toBe(
    'Invalid API key: this secret was replaced on 2026-01-31T09:30:00.000Z; use the new one.',
  );
  expect((await exchange(rolled.secret)).status).toBe(200);
});

test('unless another time is chosen, the old secret works for 24 hours', async () => {
  const { clock, deps, by, key, secret, exchange } = await openScene();
  await rollKey(deps, by, key.id);
  clock.advance(DAY_SECONDS - 1);
  expect((await exchange(secret)).status).toBe(200);
  clock.advance(1);
  expect((await exchange(secret)).status).toBe(401);
});

test('without an overlap, and when the old secret is ended, its tokens are refused as soon as that is answered', async () => {
  const { api, deps, by, key, secret, exchange, list } = await openScene();
  const first = await api.token(secret);
  const second = await rollKey(deps, by, key.id, { overlapSeconds: 0 });
  expect(await list(first)).toBe(401);
  expect((await exchange(secret)).status).toBe(401);

  const token = await api.token(second.secret);
  const third = await rollKey(deps, by, key.id);
  const newest = await api.token(third.secret);
  expect(await list(token)).toBe(200);
  await endOldSecret(deps, by, key.id);
  expect([await list(token), await list(newest)]).toEqual([401, 200]);
  expect((await exchange(second.secret)).body.message).toMatch(/this secret was replaced on .*; use the new one\.$/);
  await expect(endOldSecret(deps, by, key.id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await endOldSecret(deps, by, key.id, 2), 'ending it again changes nothing').toMatchObject({ id: key.id });
  await expect(endOldSecret(deps, by, key.id, 3)).rejects.toThrow(/^This is the current secret of the API key\. Roll/);
  await expect(endOldSecret(deps, by, key.id, 4)).rejects.toMatchObject({ code: 'not_found' });
});

test('a third roll ends the oldest secret at once and says so', async () => {
  const { api, deps, by, key, secret, list } = await openScene();
  const oldest = await api.token(secret);
  const second = await rollKey(deps, by, key.id, { overlapSeconds: DAY_SECONDS });
  expect(second.ended).toBeUndefined();
  const middle = await api.token(second.secret);
  const third = await rollKey(deps, by, key.id, { overlapSeconds: 60 });
  expect(third.ended).toMatchObject({ number: 1 });
  expect(await Promise.all([oldest, middle, await api.token(third.secret)].map(list))).toEqual([401, 200, 200]);
});

test('a revoked or expired key cannot be rolled, and the refusal says what to do', async () => {
  const { clock, deps, by, key } = await openScene();
  const request = { environment: 'production', name: 'short', expiresAt: clock.now() + 1000 } as const;
  const short = await createKey(deps, by, request);
  clock.advance(1);
  await expect(rollKey(deps, by, short.key.id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This API key has expired. Give it a later expiry first, or create a new API key.',
  });
  await updateKey(deps, by, short.key.id, { expiresAt: null });
  await rollKey(deps, by, short.key.id);
  await revokeKey(deps, by, key.id);
  await expect(rollKey(deps, by, key.id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(updateKey(deps, by, key.id, { name: 'x' })).rejects.toMatchObject({ code: 'conflict' });
  for (const overlapSeconds of [-1, 0.5, 30 * DAY_SECONDS + 1, Number.NaN]) {
    await expect(rollKey(deps, by, key.id, { overlapSeconds })).rejects.toMatchObject({ code: 'bad_parameter' });
  }
});

test('a token never outlives its key, also when the key is given an earlier end afterwards', async () => {
  const { api, clock, deps, by, key, secret, list } = await openScene();
  const token = await api.token(secret);
  await updateKey(deps, by, key.id, { expiresAt: clock.now() + 60_000 });
  expect(await list(token)).toBe(200);
  clock.advance(60);
  expect(await list(token)).toBe(401);
  await updateKey(deps, by, key.id, { expiresAt: clock.now() + 60_000 });
  expect(await list(token), 'a later end counts, too').toBe(200);
});

test('whatever is rolled and ended when, the newest secret works and at most one other, and memory agrees with the store', async () => {
  const { api, deps, by, clock } = await openScene();
  const step = fc.oneof(
    fc.record({ roll: fc.constantFrom(0, 1, 60, DAY_SECONDS) }),
    fc.record({ end: fc.constant(true) }),
    fc.record({ wait: fc.constantFrom(1, 59, 3600) }),
  );
  const run = async (steps: ({ roll: number } | { end: boolean } | { wait: number })[]) => {
    const { key, secret } = await createKey(deps, by, { environment: 'production', name: 'x' });
    const secrets = [secret];
    for (const each of steps) {
      if ('roll' in each) secrets.push((await rollKey(deps, by, key.id, { overlapSeconds: each.roll })).secret);
      if ('end' in each) await endOldSecret(deps, by, key.id).catch(() => {});
      if ('wait' in each) clock.advance(each.wait);
    }
    const stored = await api.store.keys.find(by.workspaceId, key.id);
    const live = stored?.secrets.filter((one) => isLive(one, clock.now())) ?? [];
    expect(live.length).toBeLessThanOrEqual(2);
    expect(live.at(-1)?.number).toBe(secrets.length);
    const fresh = new KeyDirectory({ keys: api.store.keys, clock });
    await fresh.load();
    const numbers = (directory: KeyDirectory) =>
      directory.get(key.id, 1)?.facts.secrets.filter(({ endsAt }) => endsAt === null || endsAt > clock.now());
    if (secrets.length > 1) expect(numbers(api.keyDirectory)).toEqual(numbers(fresh));
    expect(numbers(fresh)?.map(({ number }) => number)).toEqual(live.map(({ number }) => number));
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 14 }), run), { numRuns: 15 });
});

/** Several nodes on one database. */
async function openNodes(count: number) {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const nodes = [];
  for (let each = 0; each < count; each++) {
    nodes.push({ ...(await openTestStoreAt(url)), clock, onKeysChanged: async () => {} });
  }
  const [first] = nodes;
  if (!first) throw new Error('no node');
  const { key, workspaceId } = await aWorkspace(first, clock, 'a@firm.example');
  return { nodes, first, clock, key, by: { workspaceId, actor: TESTER } };
}

test('rolls at the same time come one after the other: every secret has its number, and two of them work', async () => {
  const { nodes, first, clock, key, by } = await openNodes(4);
  const rolls = await Promise.all(nodes.map((node) => rollKey(node, by, key.id)));
  expect(rolls.map(({ key }) => key.secrets.at(-1)?.number).sort()).toEqual([2, 3, 4, 5]);
  const stored = await first.keys.find(by.workspaceId, key.id);
  expect(stored?.secrets.filter((secret) => isLive(secret, clock.now())).map(({ number }) => number)).toEqual([4, 5]);
});

test('a roll and a revocation at the same time leave a revoked key, rolled or not', async () => {
  const { nodes, first, by, clock } = await openNodes(2);
  const [one, other] = nodes;
  if (!one || !other) throw new Error('no nodes');
  for (let round = 0; round < 8; round++) {
    const { key } = await createKey({ ...first, clock }, by, { environment: 'production', name: `key ${round}` });
    const [rolled, revoked] = await Promise.allSettled([rollKey(one, by, key.id), revokeKey(other, by, key.id)]);
    const stored = await first.keys.find(by.workspaceId, key.id);
    expect(revoked.status).toBe('fulfilled');
    expect(stored?.revokedAt).toBe(clock.now());
    expect(stored?.secrets).toHaveLength(rolled.status === 'fulfilled' ? 2 : 1);
    if (rolled.status === 'rejected') expect(rolled.reason).toMatchObject({ code: 'conflict' });
  }
});

test('old secrets are kept only for a while', async () => {
  const { first, clock, key, by } = await openNodes(1);
  for (let roll = 0; roll < 14; roll++) {
    await rollKey({ ...first, clock, onKeysChanged: async () => {} }, by, key.id);
  }
  const stored = await first.keys.find(by.workspaceId, key.id);
  expect(stored?.secrets.map(({ number }) => number)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
});
