import { expect, test } from 'vitest';
import { TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { retireSigningKey, rotateSigningKey } from './manage-signing-keys.ts';
import { SigningKeyRing } from './signing-keys.ts';

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
