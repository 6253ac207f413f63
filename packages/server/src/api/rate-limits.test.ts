import { expect, test } from 'vitest';
import { revokeAnyKey } from '../domain/credentials/manage-keys.ts';
import type { RateLimit } from '../domain/credentials/rate-limit.ts';
import { type LimitOf, openRateLimits, type RateLimitPolicy } from '../domain/credentials/rate-limiter.ts';
import { Failure } from '../domain/failure.ts';
import { NetworkList } from '../domain/network-address.ts';
import type { Store } from '../store/open-store.ts';
import { aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { type Answer, LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { openTestStore } from '../testing/test-store.ts';

const WRONG_KEY = { 'api-key': 'wrong' };

interface Options {
  limits: Partial<Record<RateLimitPolicy, RateLimit>>;
  limitOf?: LimitOf;
  trustedProxies?: string;
  store?: Store;
}

async function setUp({ limits, limitOf = () => undefined, trustedProxies = '', store }: Options) {
  const clock = new TestClock();
  const unlimited = { api: null, token: null, failed: null };
  const api = await openTestApi(store, {
    clock,
    rateLimits: openRateLimits({ limits: { ...unlimited, ...limits }, limitOf, now: () => clock.now() }),
    trustedProxies: NetworkList.parse(trustedProxies),
  });
  const workspace = await aWorkspace(api.store, clock, 'a@firm.example');
  return { api, clock, ...workspace, token: await api.token(workspace.secret) };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const fieldsOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

test('every answer to a known caller tells the limit and what is left of it, whatever the answer is', async () => {
  const { api, token } = await setUp({ limits: { api: { perSecond: 100, burst: 200 } } });
  const policy = '"api";q=200;w=2';
  const first = await api.get(LIST_PATH, bearer(token));
  expect(first.status).toBe(200);
  expect(fieldsOf(first)).toEqual([policy, '"api";r=199;t=1']);

  const etag = first.headers.get('etag') ?? '';
  const unchanged = await api.get(LIST_PATH, { ...bearer(token), 'if-none-match': etag });
  expect([unchanged.status, ...fieldsOf(unchanged)]).toEqual([304, policy, '"api";r=198;t=1']);
  const refused = await api.get(`${LIST_PATH}?page_limit=0`, bearer(token));
  expect([refused.status, ...fieldsOf(refused)]).toEqual([400, policy, '"api";r=197;t=1']);
  for (let call = 0; call < 100; call++) await api.get(LIST_PATH, bearer(token));
  expect(fieldsOf(await api.get(LIST_PATH, bearer(token)))).toEqual([policy, '"api";r=96;t=2']);
});

test.each([
  [{ perSecond: 11 / 60, burst: 11 }, '"api";q=11;w=60', '"api";r=10;t=6', '"api";r=0;t=60'],
  [{ perSecond: 49 / 3600, burst: 49 }, '"api";q=49;w=3600', '"api";r=48;t=74', '"api";r=0;t=3600'],
  [{ perSecond: 7, burst: 15 }, '"api";q=15;w=3', '"api";r=14;t=1', '"api";r=0;t=3'],
  [{ perSecond: 1000, burst: 20 }, '"api";q=20;w=1', '"api";r=19;t=1', '"api";r=0;t=1'],
])('times are rounded up to whole seconds, and only if they are not whole: %o', async (limit, policy, first, last) => {
  const { api, token } = await setUp({ limits: { api: limit } });
  expect(fieldsOf(await api.get(LIST_PATH, bearer(token)))).toEqual([policy, first]);
  for (let call = 2; call < limit.burst; call++) await api.get(LIST_PATH, bearer(token));
  expect(fieldsOf(await api.get(LIST_PATH, bearer(token)))).toEqual([policy, last]);
});

test('an answer that says that the database is unavailable tells what is left, too', async () => {
  const store = await openTestStore();
  const fail = async () => {
    throw new Failure('unavailable', 'Service temporarily unavailable: on purpose.');
  };
  const broken = { ...store, versions: { ...store.versions, current: fail } };
  const { api, token } = await setUp({ limits: { api: { perSecond: 1, burst: 5 } }, store: broken });
  const answer = await api.get(LIST_PATH, bearer(token));
  expect([answer.status, ...fieldsOf(answer)]).toEqual([503, '"api";q=5;w=5', '"api";r=4;t=1']);
  expect(answer.headers.get('retry-after')).toBe('1');
});

test('nobody else is told about limits', async () => {
  const { api, token, secret } = await setUp({ limits: { failed: { perSecond: 1, burst: 100 } } });
  for (const [path, headers] of [
    [LIST_PATH, {}],
    [LIST_PATH, bearer('wrong')],
    [LIST_PATH, bearer(token)],
    [TOKEN_PATH, WRONG_KEY],
    [TOKEN_PATH, { 'api-key': secret }],
    ['/nothing', bearer(token)],
    ['/healthz', bearer(token)],
    ['/openapi.json', bearer(token)],
  ] as [string, Record<string, string>][]) {
    expect(fieldsOf(await api.get(path, headers)), path).toEqual([null, null]);
  }
});

test('a key that calls too often is refused with the limit and the wait, and may call again after that', async () => {
  const { api, clock, token } = await setUp({ limits: { api: { perSecond: 0.5, burst: 3 } } });
  for (let call = 0; call < 3; call++) expect((await api.get(LIST_PATH, bearer(token))).status).toBe(200);
  const refused = await api.get(LIST_PATH, bearer(token));
  expect(refused.body).toEqual({
    status_code: 429,
    message: 'Too many requests: this API key may make 30 calls a minute, and 3 at once. Try again in 2 seconds.',
    data: null,
  });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(fieldsOf(refused)).toEqual(['"api";q=3;w=6', '"api";r=0;t=6']);
  clock.advance(1.9);
  expect((await api.get(LIST_PATH, bearer(token))).status).toBe(429);
  clock.advance(0.1);
  expect((await api.get(LIST_PATH, bearer(token))).status).toBe(200);
});

test('each key has calls of its own, and may have a limit of its own', async () => {
  const own = new Map<string, RateLimit | null>();
  const { api, clock, token, key } = await setUp({
    limits: { api: { perSecond: 1, burst: 2 } },
    limitOf: (keyId) => own.get(keyId),
  });
  const other = await aWorkspace(api.store, clock, 'b@firm.example');
  const otherToken = await api.token(other.secret);
  const statuses = async (count: number, of: string) => {
    const answers = [];
    for (let call = 0; call < count; call++) answers.push((await api.get(LIST_PATH, bearer(of))).status);
    return answers;
  };
  expect(await statuses(3, token)).toEqual([200, 200, 429]);
  expect(await statuses(3, otherToken)).toEqual([200, 200, 429]);

  own.set(key.id, { perSecond: 1, burst: 4 });
  expect(fieldsOf(await api.get(LIST_PATH, bearer(token)))).toEqual(['"api";q=4;w=4', '"api";r=1;t=3']);
  own.set(key.id, null);
  expect(await statuses(20, token)).toEqual(Array(20).fill(200));
  expect(fieldsOf(await api.get(LIST_PATH, bearer(token)))).toEqual([null, null]);
  expect(await statuses(1, otherToken)).toEqual([429]);
});

test('a refused call is logged like any other', async () => {
  const { api, token, key } = await setUp({ limits: { api: { perSecond: 1, burst: 1 } } });
  await api.get(LIST_PATH, bearer(token));
  await api.get(LIST_PATH, bearer(token));
  const lines = () => api.log.map((line) => JSON.parse(line)).filter(({ status }) => status === 429);
  await expect.poll(lines).toEqual([expect.objectContaining({ key: key.id, route: LIST_PATH, msg: 'request' })]);
});

test('a key that is exchanged too often is refused, while its tokens work', async () => {
  const { api, clock, secret, token } = await setUp({ limits: { token: { perSecond: 1, burst: 3, period: 'm' } } });
  const exchange = () => api.get(TOKEN_PATH, { 'api-key': secret });
  const second = await exchange();
  expect([second.status, ...fieldsOf(second)]).toEqual([200, '"token";q=3;w=3', '"token";r=1;t=2']);
  expect((await exchange()).status).toBe(200);
  const refused = await exchange();
  expect(refused.body.message).toBe(
    'Too many requests: this API key may be exchanged 60 times a minute. Use the access token until it expires. Try again in 1 second.',
  );
  expect([refused.status, ...fieldsOf(refused)]).toEqual([429, '"token";q=3;w=3', '"token";r=0;t=3']);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await api.get(LIST_PATH, bearer(token))).status).toBe(200);
  clock.advance(1);
  expect((await exchange()).status).toBe(200);
});

test('exchanges that fail for any reason are limited by address, and a right key from there is always answered', async () => {
  const { api, clock, secret } = await setUp({ limits: { failed: { perSecond: 1 / 6, burst: 4 } } });
  const statusOf = async (headers: Record<string, string>) => (await api.get(TOKEN_PATH, headers)).status;
  const { secret: sandboxKey } = await aWorkspace(api.store, clock, 'b@firm.example', 'sandbox');
  const revoked = await aWorkspace(api.store, clock, 'c@firm.example');
  await revokeAnyKey({ ...api.store, clock }, TESTER, revoked.key.id);
  for (const headers of [{}, WRONG_KEY, { 'api-key': sandboxKey }, { 'api-key': revoked.secret }]) {
    expect(await statusOf(headers)).toBe(401);
  }
  for (const headers of [{}, WRONG_KEY, { 'api-key': sandboxKey }, { 'api-key': revoked.secret }]) {
    const refused = await api.get(TOKEN_PATH, headers);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toBe(
      'Too many requests: there may be 10 failed exchanges a minute from this address. Check the API key. Try again in 6 seconds.',
    );
    expect(refused.headers.get('retry-after')).toBe('6');
    expect(fieldsOf(refused)).toEqual(['"failed";q=4;w=24', '"failed";r=0;t=24']);
  }
  for (let call = 0; call < 20; call++) expect(await statusOf({ 'api-key': secret })).toBe(200);
  clock.advance(6);
  expect(await statusOf(WRONG_KEY)).toBe(401);
  expect(await statusOf(WRONG_KEY)).toBe(429);
});

test('failed exchanges behind a trusted proxy count for the caller, and IPv6 callers by their network', async () => {
  const { api } = await setUp({ limits: { failed: { perSecond: 1 / 60, burst: 1 } }, trustedProxies: '127.0.0.1' });
  const statusFrom = async (address: string) =>
    (await api.get(TOKEN_PATH, { ...WRONG_KEY, 'x-forwarded-for': address })).status;
  expect(await statusFrom('192.0.2.1')).toBe(401);
  expect(await statusFrom('192.0.2.1')).toBe(429);
  expect(await statusFrom('198.51.100.9, 192.0.2.1')).toBe(429);
  expect(await statusFrom('192.0.2.2')).toBe(401);
  expect(await statusFrom('2001:db8:1:2::1')).toBe(401);
  expect(await statusFrom('2001:db8:1:2:ffff::2')).toBe(429);
  expect(await statusFrom('2001:db8:1:3::1')).toBe(401);
  expect(api.log.join(), 'a trusted proxy is nothing to warn of').not.toContain('ROLLCALL_TRUSTED_PROXIES');
});

test('without a trusted proxy, a forged address neither avoids a limit nor uses up the limit of others', async () => {
  const { api } = await setUp({ limits: { failed: { perSecond: 1 / 60, burst: 2 } }, trustedProxies: '10.0.0.0/8' });
  const statuses = [];
  for (let call = 0; call < 4; call++) {
    const forged = { 'x-forwarded-for': `192.0.2.${call}`, forwarded: `for=192.0.2.${call}`, 'x-real-ip': '192.0.2.1' };
    statuses.push((await api.get(TOKEN_PATH, { ...WRONG_KEY, ...forged })).status);
  }
  expect(statuses).toEqual([401, 401, 429, 429]);
  const warnings = api.log.filter((line) => JSON.parse(line).level === 40);
  expect(warnings, 'the operator is told once, without an address').toHaveLength(1);
  expect(warnings[0]).toContain('not in ROLLCALL_TRUSTED_PROXIES');
  expect(warnings[0]).not.toMatch(/127\.0\.0\.1|192\.0\.2/);
});
