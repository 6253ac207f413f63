import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RateLimitError } from './errors.ts';
import type { FetchResponse } from './fetch.ts';
import { Pace } from './pace.ts';
import { readRateLimit } from './rate-limit-fields.ts';
import { Rollcall } from './rollcall.ts';
import type { RollcallOptions } from './settings.ts';
import { FakeRateLimit, FakeService } from './testing/fake-service.ts';

const open = ({ address }: FakeService, options: Partial<RollcallOptions> = {}) =>
  new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1, ...options });

async function startLimited(perSecond: number, burst: number, clients = 1) {
  const service = await FakeService.start(clients);
  const limit = new FakeRateLimit(perSecond, burst);
  service.rateLimit = limit;
  return { service, limit };
}

test('a walk that is faster than the rate limit slows down instead of being refused', async () => {
  const { service, limit } = await startLimited(30, 30, 90);
  const startedAt = performance.now();
  const seen = await Array.fromAsync(open(service).clients.list({ pageLimit: 1 }));
  expect(seen).toEqual(service.clients);
  expect(limit.refused).toBe(0);
  expect(performance.now() - startedAt).toBeGreaterThan(1500);
});

test('calls at the same time, and a watch beside them, share what is left', async () => {
  const { service, limit } = await startLimited(40, 40);
  const { clients } = open(service);
  await clients.page();
  const controller = new AbortController();
  const watching = clients.watch({}, { intervalMs: 1, signal: controller.signal }).next();
  const pages = await Promise.all(Array.from({ length: 100 }, () => clients.page()));
  expect(pages).toHaveLength(100);
  // The watch has its turn after the calls that were there before, and then calls on.
  await expect.poll(() => service.lists.length, { timeout: 20_000 }).toBeGreaterThan(120);
  controller.abort(new Error('seen enough'));
  await expect(watching).rejects.toThrow('seen enough');
  expect(limit.refused).toBe(0);
});

test('a call that waits can be aborted, and the calls after it still get their turn', async () => {
  const { service, limit } = await startLimited(2, 2);
  const { clients } = open(service);
  for (let call = 0; call < 2; call++) await clients.page();
  const controller = new AbortController();
  const aborted = clients.page({}, { signal: controller.signal });
  const others = [clients.page(), clients.page()];
  controller.abort(new Error('not needed any more'));
  await expect(aborted).rejects.toThrow('not needed any more');
  await expect(Promise.all(others)).resolves.toHaveLength(2);
  expect(limit.refused).toBe(0);
  expect(service.lists).toHaveLength(4);
});

test('nothing of a call that has waited is kept when it is over', async () => {
  const { service } = await startLimited(5, 1);
  const { clients } = open(service);
  await clients.page();
  const abortOne = async () => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const aborted = clients.page({}, { signal: controller.signal });
    controller.abort(reason);
    // Not with `expect`, which would keep the error itself.
    await aborted.catch(() => undefined);
    return new WeakRef(reason);
  };
  const kept = await abortOne();
  await clients.page();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const isKept = () => {
    collectGarbage();
    return kept.deref() !== undefined;
  };
  await expect.poll(isKept, { timeout: 5000 }).toBe(false);
});

test('a call that would have to wait for longer than it may be retried fails at once, with the time to wait', async () => {
  const { service } = await startLimited(1 / 3600, 1);
  const { clients } = open(service, { retryForMs: 1000 });
  await clients.page();
  const error = await clients.page().catch((reason) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error.retryAfterMs).toBeGreaterThan(3_000_000);
});

/** A pace that was told that one call comes back in this time, and that none is left. */
async function emptyPace(seconds: number) {
  const pace = new Pace();
  const headers = headersOf(`"api";q=1;w=${seconds}`, `"api";r=0;t=${seconds}`);
  await pace.run(0, undefined, async (onAnswer) => onAnswer({ status: 200, headers } as FetchResponse));
  return pace;
}

test('a call that cannot be made in time does not wait for a call that may wait for ever', {
  timeout: 20_000,
}, async () => {
  const pace = await emptyPace(3600);
  const controller = new AbortController();
  const patient = pace.run(Number.POSITIVE_INFINITY, controller.signal, async () => 'made');
  expect(await pace.run(100_000, undefined, async () => 'made')).toBe('made');
  controller.abort(new Error('seen enough'));
  await expect(patient).rejects.toThrow('seen enough');
});

test('a call whose time is over is made before calls that may wait for longer', { timeout: 20_000 }, async () => {
  const pace = await emptyPace(2);
  const made: string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const first = pace.run(60_000, undefined, () => answered);
  const second = pace.run(60_000, undefined, async () => made.push('patient'));
  await pace.run(3000, undefined, async () => made.push('hurried'));
  answer();
  await Promise.all([first, second]);
  expect(made).toEqual(['hurried', 'patient']);
});

test('a limit that another program has used up is noticed by the refusal, and the call still succeeds', async () => {
  const { service, limit } = await startLimited(4, 4);
  const accessToken = await open(service).token();
  const [one, other] = [1, 2].map(() => open(service, { apiKey: undefined, accessToken })) as [Rollcall, Rollcall];
  await Promise.all([one.clients.page(), other.clients.page()]);
  await Promise.all(Array.from({ length: 6 }, (_, call) => (call % 2 ? one : other).clients.page()));
  expect(limit.refused).toBeGreaterThan(0);
  expect(limit.refused).toBeLessThan(10);
});

test('a service that no longer limits calls is called without waiting', async () => {
  const { service } = await startLimited(1 / 3600, 2);
  const { clients } = open(service);
  await clients.page();
  service.rateLimit = undefined;
  for (let call = 0; call < 50; call++) await clients.page();
  expect(service.lists).toHaveLength(51);
});

const headersOf = (policy: string | null, state: string | null) => ({
  get: (name: string) => (name === 'ratelimit-policy' ? policy : name === 'ratelimit' ? state : null),
});

test('both headers are read together', () => {
  expect(readRateLimit(headersOf('"api";q=200;w=2', '"api";r=187;t=1'))).toEqual({
    quota: 200,
    windowSeconds: 2,
    left: 187,
    fullInSeconds: 1,
  });
  expect(readRateLimit(headersOf('"api"; w=2; q=200', '"api"; t=0; r=0'))).toMatchObject({ left: 0, fullInSeconds: 0 });
});

test.each([
  [null, null],
  ['"api";q=200;w=2', null],
  [null, '"api";r=1;t=1'],
  ['"api";q=200;w=2', '"other";r=1;t=1'],
  ['"api";q=200;w=0', '"api";r=1;t=1'],
  ['"api";q=0;w=1', '"api";r=1;t=1'],
  ['"api";q=200', '"api";r=1;t=1'],
  ['"api";q=200;w=2', '"api";r=-1;t=1'],
  ['"api";q=200;w=2', '"api";r=1.5;t=1'],
  ['"api";q=200;w=2, "gateway";q=1;w=1', '"api";r=1;t=1'],
  ['100', '5'],
])('headers that are not understood are ignored: %s and %s', (policy, state) => {
  expect(readRateLimit(headersOf(policy, state))).toBeUndefined();
});
