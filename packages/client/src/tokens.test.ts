import { expect, onTestFinished, test, vi } from 'vitest';
import { AuthenticationError, ServiceUnavailableError } from './errors.ts';
import { Rollcall } from './rollcall.ts';
import { FakeService, type Reply } from './testing/fake-service.ts';
import { failure } from './testing/faulty-replies.ts';

const open = ({ address }: FakeService) => new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1 });

test('no request is sent before the first call, and calls that begin together share one exchange', async () => {
  const service = await FakeService.start(3);
  const { clients } = open(service);
  expect(service.exchanges).toHaveLength(0);
  await Promise.all(Array.from({ length: 20 }, () => clients.page()));
  expect(service.exchanges).toHaveLength(1);
  expect(service.exchanges[0]?.headers['api-key']).toBe('key');
  expect(service.lists).toHaveLength(20);
});

test.each([
  [1000, 930],
  [100, 89],
])('a token that is valid for %i seconds is used for %i and renewed before it expires', async (lifetime, usedFor) => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const service = await FakeService.start();
  service.expiresInSeconds = lifetime;
  const { clients } = open(service);
  await clients.page();
  vi.setSystemTime(now + usedFor * 1000);
  await clients.page();
  expect(service.exchanges).toHaveLength(1);
  vi.setSystemTime(now + (lifetime - 5) * 1000);
  await clients.page();
  expect(service.exchanges).toHaveLength(2);
});

test('calls that are refused together share one more exchange, and each is repeated once', async () => {
  const service = await FakeService.start(3);
  const { clients } = open(service);
  await clients.page();
  service.expireTokens();
  const pages = await Promise.all(Array.from({ length: 10 }, () => clients.page()));
  expect(pages.map((page) => page.total_count)).toEqual(Array(10).fill(3));
  expect(service.exchanges).toHaveLength(2);
  expect(service.lists).toHaveLength(1 + 20);
});

test('a token that is refused again is an AuthenticationError, after one more exchange and no more', async () => {
  const service = await FakeService.start();
  service.replyToListsWith(
    failure(401, 'Access token has been revoked.'),
    failure(401, 'Access token has been revoked.'),
  );
  const error = await open(service)
    .clients.page()
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, message: 'Access token has been revoked.', requestId: 'request-7' });
  expect(service.exchanges).toHaveLength(2);
  expect(service.lists).toHaveLength(2);
});

test('an API key that is refused is an AuthenticationError at once', async () => {
  const service = await FakeService.start();
  service.replyToExchangesWith(failure(401, 'Invalid API key.'));
  await expect(open(service).clients.page()).rejects.toBeInstanceOf(AuthenticationError);
  expect(service.exchanges).toHaveLength(1);
  expect(service.lists).toHaveLength(0);
});

test('a failed exchange does not affect the next call', async () => {
  const service = await FakeService.start();
  service.replyToExchangesWith(failure(500, 'Internal error.'));
  const { clients } = open(service);
  await expect(clients.page()).rejects.toBeInstanceOf(ServiceUnavailableError);
  expect((await clients.page()).total_count).toBe(0);
});

test('a call that is aborted during an exchange does not abort it for the others', async () => {
  const service = await FakeService.start(3);
  const answered = Promise.withResolvers<void>();
  const slow: Reply = async (response) => {
    await answered.promise;
    failure(503, 'Service temporarily unavailable.')(response, response.req);
  };
  service.replyToExchangesWith(slow);
  const { clients } = open(service);
  const giveUp = new AbortController();
  const given = clients.page({}, { signal: giveUp.signal });
  const other = clients.page();
  giveUp.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  answered.resolve();
  expect((await other).total_count).toBe(3);
});

test('an access token that the caller passes is never exchanged, and its refusal is final', async () => {
  const service = await FakeService.start(3);
  const token = await open(service).token();
  const { clients } = new Rollcall({ accessToken: token, baseUrl: service.address });
  expect((await clients.page()).total_count).toBe(3);
  service.expireTokens();
  await expect(clients.page()).rejects.toBeInstanceOf(AuthenticationError);
  expect(service.exchanges).toHaveLength(1);
  expect(service.lists).toHaveLength(2);
});
