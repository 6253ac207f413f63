import { expect, test } from 'vitest';
import { TestClock } from '../../testing/builders.ts';
import { heapInUse } from '../../testing/heap.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { issueAccessToken } from './access-token.ts';
import { SigningKeyRing } from './signing-keys.ts';
import { TokenCache } from './token-cache.ts';

const MB = 1024 * 1024;

async function memoryWith(maxBytes: number) {
  const clock = new TestClock();
  const deps = { clock, signingKeys: await SigningKeyRing.open({ ...(await openTestStore()), clock }) };
  const memory = new TokenCache(deps, 'production', maxBytes);
  const caller = {
    keyId: 'key_1g54b0dgb7k2feq9923',
    workspaceId: 1,
    environment: 'production',
    secretNumber: 1,
    scopes: ['clients:read', 'clients:write'],
  } as const;
  const newCredentials = async () => `Bearer ${await issueAccessToken(deps, caller, 3600)}`;
  /** A cached token is returned synchronously, without a promise. */
  const isKnown = (credentials: string) => !(memory.verify(credentials) instanceof Promise);
  return { memory, clock, newCredentials, isKnown };
}

test('a token that is used stays in the cache when others are added; the least recently used one is dropped', async () => {
  const { memory, newCredentials, isKnown } = await memoryWith(20_000);
  const [used, unused] = [await newCredentials(), await newCredentials()];
  for (const credentials of [used, unused]) await memory.verify(credentials);
  for (let other = 0; other < 50; other++) {
    await memory.verify(await newCredentials());
    expect(isKnown(used)).toBe(true);
  }
  expect(isKnown(unused)).toBe(false);
});

test('a token that was used is refused like any other when the clock is set back to long before it was issued', async () => {
  const { memory, clock, newCredentials } = await memoryWith(20_000);
  const credentials = await newCredentials();
  await memory.verify(credentials);
  clock.advance(-3600);
  await expect(async () => memory.verify(credentials)).rejects.toThrow('issued in the future');
  clock.advance(3600);
  await expect(memory.verify(credentials)).resolves.toMatchObject({ workspaceId: 1 });
});

test('the memory limit of the cache is the memory that it really takes', async () => {
  const bound = MB;
  const { memory, newCredentials, isKnown } = await memoryWith(bound);
  for (let warmUp = 0; warmUp < 20; warmUp++) await memory.verify(await newCredentials());
  const before = heapInUse();
  let credentials = '';
  for (let token = 0; token < 1500; token++) {
    credentials = Buffer.from(await newCredentials()).toString('latin1');
    await memory.verify(credentials);
  }
  const taken = heapInUse() - before;
  expect(isKnown(credentials)).toBe(true);
  expect(taken).toBeLessThan(bound * 1.25);
  expect(taken).toBeGreaterThan(bound * 0.4);
});
