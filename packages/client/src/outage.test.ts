import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AuthenticationError, ConnectionError, RateLimitError, ServiceUnavailableError } from './errors.ts';
import type { FetchLike } from './fetch.ts';
import type { Retry } from './retry.ts';
import { Rollcall } from './rollcall.ts';
import type { RollcallOptions } from './settings.ts';
import { FakeService } from './testing/fake-service.ts';
import { failure, hang, tooManyRequests } from './testing/faulty-replies.ts';
import { aRecord } from './testing/records.ts';
import type { WatchOptions } from './watch.ts';

/** Sockets are real. Only the waits between attempts are skipped, by advancing a fake clock. */
function skipWaits(): { onRetry(retry: Retry): void; elapsedMs(): number } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = performance.now();
  const onRetry = async ({ waitMs }: Retry) => {
    await setImmediate();
    vi.advanceTimersByTime(waitMs + 1);
  };
  return { onRetry, elapsedMs: () => performance.now() - begun };
}

/** Waits without advancing the clock, which `expect.poll` would do. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

const open = ({ address }: FakeService, options: Partial<RollcallOptions> = {}) =>
  new Rollcall({ apiKey: 'key', baseUrl: address, ...options });

const idsOf = ({ clients }: FakeService) => clients.map(({ reference_id }) => reference_id);

test('by default, a walk survives a minute of refused connections and neither loses nor repeats a client', async () => {
  const service = await FakeService.start(25);
  const { onRetry, elapsedMs } = skipWaits();
  let stoppedAt: number | undefined;
  const untilBack = async (retry: Retry) => {
    expect(retry.error).toBeInstanceOf(ConnectionError);
    if (stoppedAt !== undefined && elapsedMs() - stoppedAt > 65_000) {
      await service.startAgain();
      stoppedAt = undefined;
    }
    onRetry(retry);
  };
  const seen: string[] = [];
  for await (const client of open(service, { onRetry: (retry) => void untilBack(retry) }).clients.list({
    pageLimit: 2,
  })) {
    seen.push(client.reference_id);
    if (seen.length === 11) {
      await service.stop();
      stoppedAt = elapsedMs();
    }
  }
  expect(seen).toEqual(idsOf(service));
  expect(elapsedMs()).toBeGreaterThan(65_000);
});

test.each(['exchange', 'list'])('by default, a call survives a minute of 503 responses to its %s', async (where) => {
  const service = await FakeService.start(3);
  const { onRetry, elapsedMs } = skipWaits();
  const rollcall = open(service, {
    onRetry: (retry) => {
      expect(retry.error).toBeInstanceOf(ServiceUnavailableError);
      service.busy = elapsedMs() < 65_000;
      onRetry(retry);
    },
  });
  if (where === 'list') await rollcall.token();
  service.busy = true;
  expect((await rollcall.clients.page()).total_count).toBe(3);
  expect(elapsedMs()).toBeGreaterThan(65_000);
});

test('a permanent outage is an error after two minutes by default, with the number of attempts', async () => {
  const service = await FakeService.start();
  const { onRetry, elapsedMs } = skipWaits();
  await service.stop();
  const retries: Retry[] = [];
  const rollcall = open(service, {
    onRetry: (retry) => {
      retries.push(retry);
      onRetry(retry);
    },
  });
  const error = await rollcall.token().catch((caught) => caught);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.attempts).toBe(retries.length + 1);
  expect(error.message).toMatch(new RegExp(`ECONNREFUSED.* \\(tried ${error.attempts} times within 12\\d s\\)$`));
  expect(elapsedMs()).toBeGreaterThanOrEqual(120_000);
  expect(elapsedMs()).toBeLessThan(121_000);
  expect(retries.map(({ attempts }) => attempts)).toEqual(retries.map((_, index) => index + 1));
  expect(Math.max(...retries.map(({ waitMs }) => waitMs))).toBeLessThanOrEqual(10_000);
  // At most ten seconds apart, but not so often that they burden the service.
  expect(retries.length).toBeGreaterThan(12);
  expect(retries.length).toBeLessThan(40);
});

test('the caller can set how long a call is retried', async () => {
  const service = await FakeService.start();
  const { onRetry, elapsedMs } = skipWaits();
  await service.stop();
  await expect(open(service, { retryForMs: 5000, onRetry }).token()).rejects.toBeInstanceOf(ConnectionError);
  expect(elapsedMs()).toBeGreaterThanOrEqual(5000);
  expect(elapsedMs()).toBeLessThan(5100);
  await expect(open(service, { retryForMs: 0 }).token()).rejects.toMatchObject({ attempts: 1 });
  await expect(open(service, { maxRetries: 0 }).token()).rejects.toMatchObject({ attempts: 1 });
});

test('a call that joins an exchange late still has all of its own time', async () => {
  const service = await FakeService.start(3);
  const { onRetry, elapsedMs } = skipWaits();
  await service.stop();
  let late: Promise<unknown> | undefined;
  const rollcall = open(service, {
    onRetry: (retry) => {
      if (elapsedMs() > 100_000) late ??= rollcall.clients.page();
      if (elapsedMs() > 180_000) void service.startAgain();
      onRetry(retry);
    },
  });
  await expect(rollcall.token()).rejects.toBeInstanceOf(ConnectionError);
  expect(await late).toMatchObject({ total_count: 3 });
});

test('a page whose prefetch failed is requested again when it is needed', async () => {
  const service = await FakeService.start(6);
  const { onRetry, elapsedMs } = skipWaits();
  const seen: string[] = [];
  for await (const page of open(service, { onRetry }).clients.list({ pageLimit: 2 }).pages()) {
    seen.push(...page.results.map(({ reference_id }) => reference_id));
    // The second page has arrived already; it is the third that is asked for in vain.
    service.busy = seen.length === 4;
    if (service.busy) await until(() => elapsedMs() >= 120_000);
    service.busy = false;
  }
  expect(seen).toEqual(idsOf(service));
});

/** A watch that has looked once and waits for its second look, which `lookAgain` brings about. */
async function beginWatch(service: FakeService, options: Partial<RollcallOptions>, watch: WatchOptions = {}) {
  const changes = open(service, options).clients.watch({}, { intervalMs: 1, includeExisting: true, ...watch });
  for (const _existing of service.clients) await changes.next();
  const next = changes.next();
  await until(() => vi.getTimerCount() === 1);
  return { changes, next, lookAgain: () => vi.advanceTimersByTime(1) };
}

test('a watch survives an outage of ten minutes, and then reports the changes that it missed', async () => {
  const service = await FakeService.start(3);
  const [newest, middle, oldest] = service.clients;
  if (!newest || !middle || !oldest) throw new Error('three clients');
  const { onRetry, elapsedMs } = skipWaits();
  let waits = 0;
  const countWaits = (retry: Retry) => {
    waits++;
    if (elapsedMs() > 600_000) void service.startAgain();
    onRetry(retry);
  };
  // A low number of retries must not end a watch.
  const { changes, next, lookAgain } = await beginWatch(service, { maxRetries: 1, onRetry: countWaits });
  await service.stop();
  service.change([aRecord(9), { ...newest, client_name: 'Renamed' }, oldest]);
  lookAgain();
  expect([(await next).value, (await changes.next()).value, (await changes.next()).value]).toEqual([
    { type: 'removed', client: middle },
    { type: 'changed', client: { ...newest, client_name: 'Renamed' }, before: newest },
    { type: 'added', client: aRecord(9) },
  ]);
  expect(elapsedMs()).toBeGreaterThan(600_000);
  expect(waits).toBeGreaterThan(60);
  await changes.return();
});

test('a watch at an address that has never responded fails like any other call', async () => {
  const service = await FakeService.start();
  const { onRetry, elapsedMs } = skipWaits();
  await service.stop();
  await expect(open(service, { onRetry }).clients.watch().next()).rejects.toBeInstanceOf(ConnectionError);
  expect(elapsedMs()).toBeLessThan(121_000);
});

test('the caller can set how long a watch retries during an outage', async () => {
  const service = await FakeService.start(1);
  const { onRetry, elapsedMs } = skipWaits();
  const { next, lookAgain } = await beginWatch(service, { onRetry }, { retryForMs: 30_000 });
  await service.stop();
  lookAgain();
  await expect(next).rejects.toBeInstanceOf(ConnectionError);
  expect(elapsedMs()).toBeLessThan(31_000);
});

test('a permanent error ends a watch at once', async () => {
  const service = await FakeService.start(1);
  const { onRetry } = skipWaits();
  const { next, lookAgain } = await beginWatch(service, { onRetry });
  service.expireTokens();
  service.replyToExchangesWith(failure(401, 'Invalid API key: it has been revoked.'));
  lookAgain();
  await expect(next).rejects.toBeInstanceOf(AuthenticationError);
});

test('an abort ends a watch that waits during an outage at once, and leaves no timers or listeners', async () => {
  const service = await FakeService.start(1);
  const { onRetry, elapsedMs } = skipWaits();
  const stop = new AbortController();
  const abortInTime = (retry: Retry) => {
    if (elapsedMs() < 600_000) onRetry(retry);
    else setImmediate().then(() => stop.abort(new Error('enough')));
  };
  const { next, lookAgain } = await beginWatch(service, { onRetry: abortInTime }, { signal: stop.signal });
  await service.stop();
  lookAgain();
  await expect(next).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
});

test('an exchange that no call waits for is aborted, and the next call starts another one', async () => {
  const service = await FakeService.start(3);
  const takenBack = Promise.withResolvers<void>();
  service.replyToExchangesWith((response) => void response.on('close', takenBack.resolve));
  const { clients } = open(service);
  const stop = new AbortController();
  const calls = [1, 2].map(() => clients.page({}, { signal: stop.signal }).catch((reason) => reason));
  await until(() => service.exchanges.length === 1);
  stop.abort('enough');
  expect(await Promise.all(calls)).toEqual(['enough', 'enough']);
  expect((await clients.page()).total_count).toBe(3);
  await takenBack.promise;
  expect(service.exchanges).toHaveLength(2);
});

test('a fetch that ignores its signal is still ended by the timeout', async () => {
  const service = await FakeService.start(1);
  service.replyToListsWith(hang);
  const ignoringSignal: FetchLike = (url, { headers }) => fetch(url, { headers });
  const retries: Retry[] = [];
  const { clients } = open(service, { fetch: ignoringSignal, timeoutMs: 400, onRetry: (retry) => retries.push(retry) });
  expect((await clients.page()).total_count).toBe(1);
  expect(retries).toMatchObject([{ attempts: 1, error: { name: 'TimeoutError' } }]);
});

test('a port that does not use TLS is never retried', async () => {
  const service = await FakeService.start();
  const address = service.address.replace('http:', 'https:');
  const error = await new Rollcall({ apiKey: 'key', baseUrl: address }).token().catch((caught) => caught);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.attempts).toBe(1);
});

test('a date in Retry-After is read by the clock of the service, however wrong ours is', async () => {
  const service = await FakeService.start();
  const hoursAhead = (seconds: number) => new Date(Date.now() + (8 * 3600 + seconds) * 1000).toUTCString();
  const headers = { Date: hoursAhead(0), 'Retry-After': hoursAhead(20) };
  service.replyToListsWith(failure(503, 'Service temporarily unavailable', headers));
  const { onRetry, elapsedMs } = skipWaits();
  expect((await open(service, { onRetry }).clients.page()).total_count).toBe(0);
  expect(elapsedMs()).toBeGreaterThanOrEqual(20_000);
  expect(elapsedMs()).toBeLessThan(22_000);
});

test('a rate limit that ends within the time of a call is waited for, and a longer one is reported at once', async () => {
  const service = await FakeService.start();
  const { onRetry, elapsedMs } = skipWaits();
  service.replyToListsWith(tooManyRequests('60'), service.answerNormally, tooManyRequests('121'));
  const { clients } = open(service, { onRetry });
  expect((await clients.page()).total_count).toBe(0);
  expect(elapsedMs()).toBeGreaterThanOrEqual(60_000);
  await expect(clients.page()).rejects.toBeInstanceOf(RateLimitError);
  expect(elapsedMs()).toBeLessThan(61_000);
});
