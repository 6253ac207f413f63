import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { Failure } from '../failure.ts';
import { retireSigningKey } from '../retire-signing-key.ts';
import { issueAccessToken, TOKEN_MAX_SECONDS, verifyAccessToken } from './access-token.ts';
import {
  listSigningKeys,
  removeEndedSigningKeys,
  rotateSigningKey,
  rotateSigningKeyIfDue,
} from './manage-signing-keys.ts';
import { SigningKeyRing } from './signing-keys.ts';

const SUBJECT = {
  keyId: 'key_1',
  secretNumber: 1,
  scopes: ['clients:read'],
  workspaceId: 1,
  environment: 'production',
} as const;

test('a new signing key is known to every node before any of them signs with it', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  const rings = [await SigningKeyRing.open(deps), await SigningKeyRing.open(deps)];
  const signers = () => rings.map((ring) => ring.current().kid);
  const [old] = signers();
  expect(signers()).toEqual([old, old]);

  clock.advance(3600);
  const { kid } = await rotateSigningKey(deps);
  await Promise.all(rings.map((ring) => ring.load()));
  expect(signers()).toEqual([old, old]);
  clock.advance(10);
  expect(signers()).toEqual([kid, kid]);
  for (const ring of rings) expect(await ring.byKid(old ?? '')).toBeDefined();
});

test('a node that does not know a new key yet loads it when it gets its first token', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  const ring = await SigningKeyRing.open(deps);
  await rotateSigningKey(deps);
  const { kid } = await rotateSigningKey(deps);
  expect(await ring.byKid(kid), 'not more than once a second').toBeUndefined();
  clock.advance(1);
  expect(await ring.byKid(kid)).toMatchObject({ kid });
});

test('no token of a new key is refused while a node is loading the key, or because that has failed', async () => {
  const clock = new TestClock();
  const store = await openTestStore();
  const all = vi.fn(store.signingKeys.all);
  const deps = { ...store, signingKeys: { all }, clock };
  const ring = await SigningKeyRing.open(deps);
  await rotateSigningKey(deps);
  const { kid } = await rotateSigningKey(deps);

  clock.advance(1);
  all.mockRejectedValueOnce(new Failure('unavailable', 'The database does not answer.'));
  for (let call = 0; call < 2; call++) await expect(ring.byKid(kid)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(1);
  expect(await Promise.all([ring.byKid(kid), ring.byKid(kid)])).toMatchObject([{ kid }, { kid }]);
});

test('no token of a new key is refused while a node waits to load it, because it is still loading what was there before', async () => {
  const clock = new TestClock();
  const store = await openTestStore();
  const all = vi.fn(store.signingKeys.all);
  const deps = { ...store, signingKeys: { all }, clock };
  const ring = await SigningKeyRing.open(deps);

  const before = await store.signingKeys.all();
  const slow = Promise.withResolvers<typeof before>();
  all.mockReturnValueOnce(slow.promise);
  const loads = [ring.load()];
  await vi.waitFor(() => expect(all).toHaveReturnedWith(slow.promise));
  await rotateSigningKey({ ...store, clock });
  const { kid } = await rotateSigningKey({ ...store, clock });
  loads.push(ring.load());
  const found = ring.byKid(kid);
  slow.resolve(before);
  expect(await found).toMatchObject({ kid });
  await Promise.all(loads);
});

test('a leaked key can be retired once it no longer signs, and then no token that it signed is accepted', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  const ring = await SigningKeyRing.open(deps);
  const { kid } = ring.current();
  clock.advance(1);
  await rotateSigningKey(deps);
  await expect(retireSigningKey(deps, kid)).rejects.toMatchObject({ code: 'conflict' });
  clock.advance(10);
  await retireSigningKey(deps, kid);
  await ring.load();
  expect(await ring.byKid(kid)).toBeUndefined();
  await expect(retireSigningKey(deps, kid)).rejects.toMatchObject({ code: 'not_found' });
});

const DAY = 86_400;

async function statesOf(deps: Parameters<typeof listSigningKeys>[0]) {
  return (await listSigningKeys(deps)).map(({ state }) => state);
}

test('there is always a next key, which is published before it signs', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  const ring = await SigningKeyRing.open(deps);
  expect(await statesOf(deps)).toEqual(['current', 'next']);
  const [next] = ring.published();
  const { kid } = await rotateSigningKey(deps);
  expect(kid).toBe(next?.kid);
  expect(await statesOf(deps)).toEqual(['current', 'next', 'next']);
  clock.advance(10);
  expect(await statesOf(deps)).toEqual(['earlier', 'current', 'next']);
  await ring.load();
  expect(ring.published().map((key) => key.kid)).toEqual(
    (await deps.signingKeys.all()).map((key) => key.kid).reverse(),
  );
  await retireSigningKey(deps, ring.published()[0]?.kid ?? '');
  expect(await statesOf(deps), 'a next key that leaked is replaced').toEqual(['earlier', 'current', 'next']);
});

test('the service rotates the key when it has signed for as many days as the setting says, and only once', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  const ring = await SigningKeyRing.open(deps);
  const { kid } = ring.current();
  clock.advance(90 * DAY - 1);
  await rotateSigningKeyIfDue(deps, 90);
  expect(await statesOf(deps)).toEqual(['current', 'next']);
  clock.advance(1);
  await Promise.all([1, 2, 3].map(() => rotateSigningKeyIfDue(deps, 90)));
  await rotateSigningKeyIfDue(deps, 90);
  expect(await statesOf(deps)).toEqual(['current', 'next', 'next']);
  clock.advance(10);
  await ring.load();
  expect(ring.current().kid).not.toBe(kid);
});

test('an earlier key is deleted when its last token has expired, and not before', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  await SigningKeyRing.open(deps);
  const { signsFrom } = await rotateSigningKey(deps);
  clock.advance((signsFrom - clock.now()) / 1000 + TOKEN_MAX_SECONDS + 60);
  await removeEndedSigningKeys(deps);
  expect(await statesOf(deps)).toEqual(['earlier', 'current', 'next']);
  const [earlier] = await listSigningKeys(deps);
  clock.advance(((earlier?.endsAt ?? 0) - clock.now()) / 1000);
  await removeEndedSigningKeys(deps);
  expect(await statesOf(deps)).toEqual(['current', 'next']);
});

test('a key from before encryption goes after a day, and never takes the key that signs with it', async () => {
  const clock = new TestClock();
  const deps = { ...(await openTestStore()), clock };
  // The upgrade came within ten seconds after the key had been made, or the clock was set back.
  const clear = { kid: 'clear', publicJwk: CLEAR_PUBLIC_JWK, sealedPrivateJwk: null, createdAt: clock.now() };
  await deps.changeInstallation({ actor: TESTER, at: clock.now() }, (change) =>
    change.signingKeys.add({ ...clear, signsFrom: clock.now() + 10_000 }),
  );
  const ring = await SigningKeyRing.open(deps);
  const { kid } = ring.current();
  for (let hour = 0; hour < 72; hour++) {
    await removeEndedSigningKeys(deps);
    await ring.load();
    expect(ring.current().kid).toBe(kid);
    expect(ring.knows('clear'), `after ${hour} hours`).toBe(hour <= 24);
    clock.advance(3600);
  }
});

test('no token is refused before it expires, however rotations, sweeps, retirements of the next key and reloads follow each other', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const deps = { ...store, clock };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(STEP, fc.nat(2)), { maxLength: 40 }), async (steps) => {
      const nodes = await Promise.all([1, 2, 3].map(() => SigningKeyRing.open(deps)));
      const tokens: { token: string; until: number }[] = [];
      const everyNodeLoads = () => Promise.all(nodes.map((node) => node.load()));
      for (const [step, index] of steps) {
        const node = nodes[index];
        if (!node) continue;
        if (step === 'rotate') await rotateSigningKey(deps);
        if (step === 'rotate if due') await rotateSigningKeyIfDue(deps, 1);
        if (step === 'sweep') await removeEndedSigningKeys(deps);
        if (step === 'retire next') await retireSigningKey(deps, (await store.signingKeys.all()).at(-1)?.kid ?? '');
        if (step === 'issue') {
          const token = await issueAccessToken({ signingKeys: node, clock }, SUBJECT, TOKEN_MAX_SECONDS);
          tokens.push({ token, until: Math.floor(clock.now() / 1000) * 1000 + TOKEN_MAX_SECONDS * 1000 });
        }
        // Nodes learn of changes within a second, so they have loaded them before the clock moves by more.
        if (typeof step === 'number') {
          await everyNodeLoads();
          clock.advance(step);
        }
        for (const { token } of tokens.filter(({ until }) => until > clock.now())) {
          const verified = await verifyAccessToken({ signingKeys: node, clock }, 'production', token);
          expect(verified.keyId).toBe('key_1');
        }
      }
      clock.advance(3 * DAY);
      await removeEndedSigningKeys(deps);
      expect(await statesOf(deps), 'and no key stays for ever').toEqual(['current', 'next']);
    }),
    { numRuns: 40 },
  );
});

const STEP = fc.constantFrom(
  'rotate',
  'rotate if due',
  'sweep',
  'retire next',
  'issue',
  'issue',
  1,
  10,
  3600,
  DAY / 2,
  DAY,
);

const CLEAR_PUBLIC_JWK = '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}';
