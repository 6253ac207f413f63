import { expect, test } from 'vitest';
import {
  AuthenticationError,
  ChangedError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
import { retryWaitMs, withRetries } from './retry.ts';
import { Rollcall } from './rollcall.ts';
import type { RollcallOptions } from './settings.ts';
import { FakeService, type Reply } from './testing/fake-service.ts';
import {
  cutOffBody,
  dropConnection,
  failure,
  hang,
  hangInTheBody,
  htmlPage,
  redirect,
  tooManyRequests,
  truncatedJson,
} from './testing/faulty-replies.ts';

/** The machine may be busy. */
const PATIENTLY = { timeout: 20_000 };

const open = ({ address }: FakeService, options: Partial<RollcallOptions> = {}) =>
  new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1, ...options });

/** Short only where the timeout itself is tested, because the machine may be busy. */
const timeoutFor = (type: typeof RollcallError) => (type === TimeoutError ? 400 : 20_000);

const TRANSIENT: [string, Reply, typeof RollcallError, number | undefined][] = [
  ['drops the connection', dropConnection, ConnectionError, undefined],
  ['cuts off the body', cutOffBody, ConnectionError, undefined],
  ['truncates the JSON', truncatedJson, ConnectionError, 200],
  ['never answers', hang, TimeoutError, undefined],
  ['never ends its answer', hangInTheBody, TimeoutError, undefined],
  ['answers 429 without Retry-After', tooManyRequests(), RateLimitError, 429],
  ['answers 429 with Retry-After', tooManyRequests('0'), RateLimitError, 429],
  ['answers 429 with an unreadable Retry-After', tooManyRequests('soon'), RateLimitError, 429],
  ['answers 502 without an envelope', failure(502), ServiceUnavailableError, 502],
  ['answers 503', failure(503, 'Service temporarily unavailable.'), ServiceUnavailableError, 503],
  ['answers 504 without an envelope', failure(504), ServiceUnavailableError, 504],
];

test.each(TRANSIENT)('a service that %s is asked again, and then its response is used', async (_what, reply, type) => {
  const service = await FakeService.start(3);
  service.replyToListsWith(reply, reply);
  service.replyToExchangesWith(reply);
  const page = await open(service, { timeoutMs: timeoutFor(type) }).clients.page();
  expect(page.total_count).toBe(3);
  expect(service.exchanges).toHaveLength(2);
  expect(service.lists).toHaveLength(3);
});

test.each(TRANSIENT)(
  'a service that %s every time ends in its own class of error',
  async (_what, reply, type, status) => {
    const service = await FakeService.start(3);
    service.replyToListsWith(reply, reply, reply, reply);
    const failed = open(service, { timeoutMs: timeoutFor(type), maxRetries: 2 }).clients.page();
    const error = await failed.catch((caught) => caught);
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(RollcallError);
    expect(error.name).toBe(type.name);
    expect(error.status).toBe(status);
    expect(error.attempts).toBe(3);
    expect(error.message).toMatch(/ \(tried 3 times within \d+ s\)$/);
    expect(service.lists).toHaveLength(3);
  },
);

test.each<[string, Reply, typeof RollcallError, number]>([
  ['a bad parameter', failure(400, 'page_no must be a whole number.'), InvalidRequestError, 400],
  ['a key without the scope', failure(403, 'Forbidden.'), PermissionError, 403],
  ['an unknown path', failure(404, 'Not found.'), NotFoundError, 404],
  ['a query that is too long', failure(414, 'Too long.'), InvalidRequestError, 414],
  ['a defect', failure(500, 'Internal error.'), ServiceUnavailableError, 500],
  ['a page that is not of this service', htmlPage, RollcallError, 200],
  ['a redirect', redirect('https://elsewhere.example/'), RollcallError, 302],
  ['a wait longer than ours', tooManyRequests('3600'), RateLimitError, 429],
])('%s is never retried', async (_what, reply, type, status) => {
  const service = await FakeService.start();
  service.replyToListsWith(reply);
  const error = await open(service)
    .clients.page()
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(type);
  expect(error.name).toBe(type.name);
  expect(error.status).toBe(status);
  expect(error.attempts).toBe(1);
  expect(service.lists).toHaveLength(1);
});

test('an error has the status, the message and the request id of the answer, and the wait it asked for', async () => {
  const service = await FakeService.start();
  service.replyToListsWith(tooManyRequests('3600'));
  await expect(open(service).clients.page()).rejects.toMatchObject({
    status: 429,
    message: 'Too many requests.',
    requestId: 'request-7',
    retryAfterMs: 3_600_000,
  });
});

test('neither the key nor the token is sent to the target of a redirect', async () => {
  const elsewhere = await FakeService.start();
  const service = await FakeService.start();
  service.replyToExchangesWith(redirect(elsewhere.address));
  await expect(open(service).clients.page()).rejects.toThrow(`Redirected to ${elsewhere.address}`);
  expect([...elsewhere.exchanges, ...elsewhere.lists]).toHaveLength(0);
});

test('an unreachable service is a ConnectionError with the address and the reason', async () => {
  const service = await FakeService.start();
  const { address } = service;
  await service.stop();
  const failed = new Rollcall({ apiKey: 'key', baseUrl: address, maxRetries: 1, retryBaseMs: 1 }).clients.page();
  const error = await failed.catch((caught) => caught);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain(address);
  expect(error.message).toContain('ECONNREFUSED');
});

test('Retry-After is respected even if our own wait would be shorter', async () => {
  const service = await FakeService.start();
  service.replyToListsWith(tooManyRequests('1'));
  await open(service).clients.page();
  const [refused, repeated] = service.lists;
  expect((repeated?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(950);
});

test('an abort ends a wait between two attempts, with its own reason', async () => {
  const service = await FakeService.start();
  service.replyToListsWith(tooManyRequests('20'));
  const stop = new AbortController();
  const failed = open(service).clients.page({}, { signal: stop.signal });
  await expect.poll(() => service.lists.length, PATIENTLY).toBe(1);
  setTimeout(() => stop.abort(new Error('enough')), 100);
  await expect(failed).rejects.toThrow('enough');
  expect(service.lists).toHaveLength(1);
});

test('an abort ends an attempt that hangs, and is not mistaken for a timeout', async () => {
  const service = await FakeService.start();
  service.replyToListsWith(hang);
  const stop = new AbortController();
  const failed = open(service).clients.page({}, { signal: stop.signal });
  await expect.poll(() => service.lists.length, PATIENTLY).toBe(1);
  stop.abort(new Error('enough'));
  await expect(failed).rejects.toThrow('enough');
});

test('waits double up to their maximum, and differ between callers that failed together', () => {
  const wait = (attempts: number, random: number) =>
    retryWaitMs({ retryBaseMs: 100, retryMaxMs: 1000 }, attempts, new ConnectionError(''), 9999, () => random);
  expect([1, 2, 3, 4, 5, 50, 5000].map((attempts) => wait(attempts, 1))).toEqual([
    100, 200, 400, 800, 1000, 1000, 1000,
  ]);
  expect([1, 2, 3, 4, 5, 50, 5000].map((attempts) => wait(attempts, 0))).toEqual([50, 100, 200, 400, 500, 500, 500]);
});

test('a requested wait is never shortened, and one that is longer than the remaining time is refused', () => {
  const asked = (retryAfterMs: number, attempts: number, random: number, leftMs = 2000) =>
    retryWaitMs(
      { retryBaseMs: 100, retryMaxMs: 1000 },
      attempts,
      new RateLimitError('', { retryAfterMs }),
      leftMs,
      () => random,
    );
  expect(asked(700, 1, 0)).toBe(700);
  expect(asked(700, 1, 0.5)).toBe(750);
  expect(asked(1999, 1, 1)).toBe(2000);
  expect(asked(2001, 1, 0)).toBeUndefined();
  // A service that says "at once" again and again is not asked a thousand times a second.
  expect(asked(0, 4, 0)).toBe(400);
  expect(asked(Number.POSITIVE_INFINITY, 1, 0)).toBeUndefined();
  // A call without a time limit does not overflow a timer.
  expect(asked(Number.POSITIVE_INFINITY, 1, 0, Number.POSITIVE_INFINITY)).toBe(3_600_000);
});

test('a requested wait is respected after any number of attempts, also without waits of our own', () => {
  const error = new RateLimitError('', { retryAfterMs: 700 });
  const wait = (attempts: number) =>
    retryWaitMs({ retryBaseMs: 0, retryMaxMs: 1000 }, attempts, error, Number.POSITIVE_INFINITY);
  expect([1, 1025, 100_000].map(wait)).toEqual([700, 700, 700]);
});

test('the last wait ends with the time of the call, so that all of the time is used', () => {
  const wait = (leftMs: number) =>
    retryWaitMs({ retryBaseMs: 100, retryMaxMs: 1000 }, 9, new ConnectionError(''), leftMs, () => 1);
  expect([1001, 1000, 300, 0, -1].map(wait)).toEqual([1000, 1000, 300, undefined, undefined]);
});

test('errors can be distinguished by their class', () => {
  const classes = [
    AuthenticationError,
    NotFoundError,
    ConflictError,
    ChangedError,
    InvalidRequestError,
    RateLimitError,
    ServiceUnavailableError,
    ConnectionError,
    TimeoutError,
  ];
  for (const type of classes) {
    const error = new type('why');
    expect(classes.filter((each) => error instanceof each)).toEqual([type]);
  }
});

test('each attempt is told how much of the time of the call is left', async () => {
  const told: number[] = [];
  const settings = { maxRetries: 2, retryForMs: 60_000, retryBaseMs: 100, retryMaxMs: 100, onRetry: undefined };
  const call = withRetries(settings, undefined, async (leftMs) => {
    told.push(leftMs);
    throw new TimeoutError('on purpose');
  });
  await expect(call).rejects.toThrow('on purpose');
  const [first = 0, second = 0, third = 0] = told;
  expect(first).toBeLessThanOrEqual(60_000);
  // The waits are random, but at least half of what was asked for. Timers may be a little early.
  expect(second).toBeLessThan(first - 45);
  expect(third).toBeLessThan(second - 45);
});
