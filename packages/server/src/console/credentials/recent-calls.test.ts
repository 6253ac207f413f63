import { expect, test } from 'vitest';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../../testing/test-api.ts';
import { openTestConsole } from '../../testing/test-console.ts';

const CALLS = '/console/production/recent-calls';

interface Recent {
  calls_per_hour: number[];
  failed_per_hour: number[];
  limited_per_hour: number[];
  last_hour_at: string;
}

test('the calls of all keys are shown by the hour, with those that failed and those beyond a limit', async () => {
  const api = await openTestApi();
  const { owner, clock } = await openTestConsole({ api });
  const browser = await owner();
  const make = async (form: object) =>
    api.token(String((await browser.post('/console/production/keys', form)).body.data?.api_key));
  const list = async (token: string, query = '') =>
    (await api.get(LIST_PATH + query, { authorization: `Bearer ${token}` })).status;
  const shown = async () => {
    await api.calls.flush();
    return (await browser.get(CALLS)).body.data as unknown as Recent;
  };
  const token = await make({ name: 'Billing' });
  const limited = await make({ name: 'Limited', rate_limit: '1/m,2' });
  const before = await shown();
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  expect([before.calls_per_hour.length, sum(before.failed_per_hour), sum(before.limited_per_hour)]).toEqual([
    360, 0, 0,
  ]);

  clock.advance(1800);
  expect([await list(token), await list(token, '?page_no=0'), await list(token, '?grup=x')]).toEqual([200, 400, 400]);
  expect([await list(limited), await list(limited), await list(limited)]).toEqual([200, 200, 429]);
  expect((await api.get(LIST_PATH, { authorization: 'Bearer nonsense' })).status, 'nobody knows whose it is').toBe(401);
  expect((await api.get(TOKEN_PATH, { 'api-key': 'nonsense' })).status).toBe(401);
  const after = await shown();
  expect([after.calls_per_hour, after.failed_per_hour, after.limited_per_hour].map((each) => each.at(-1))).toEqual([
    6, 2, 1,
  ]);
  expect(after.calls_per_hour.at(-2), 'the hour before').toBe(before.calls_per_hour.at(-1));
  expect(after.last_hour_at).toBe('2026-01-31T10:00:00.000Z');
  expect(
    sum(((await browser.get(CALLS.replace('production', 'sandbox'))).body.data as unknown as Recent).calls_per_hour),
  ).toBe(0);
});

test('calls with a key that was revoked are counted, so that somebody sees whether a program still makes them', async () => {
  const api = await openTestApi();
  const { owner, clock } = await openTestConsole({ api });
  const browser = await owner();
  const { api_key: secret, key_id: id } = (await browser.post('/console/production/keys', { name: 'Billing' })).body
    .data as {
    api_key: string;
    key_id: string;
  };
  const authorization = `Bearer ${await api.token(secret)}`;
  expect((await browser.send('DELETE', `/console/production/keys/${id}`)).status).toBe(200);

  clock.advance(1800);
  expect((await api.get(LIST_PATH, { authorization })).status).toBe(401);
  for (const path of [TOKEN_PATH, TOKEN_PATH]) expect((await api.get(path, { 'api-key': secret })).status).toBe(401);
  await api.calls.flush();
  const recent = (await browser.get(CALLS)).body.data as unknown as Recent;
  expect([recent.calls_per_hour.at(-1), recent.failed_per_hour.at(-1)]).toEqual([3, 3]);
  const { last_used_at: lastUsedAt } = (await browser.get(`/console/production/keys/${id}`)).body.data ?? {};
  expect(lastUsedAt).toBe(new Date(clock.now()).toISOString());
});
