import { expect, test } from 'vitest';
import { KeyUsageCounter, removeOldUsage } from '../../domain/credentials/key-usage.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../../testing/test-api.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';
import { problemsOfKeyValues } from '../contract/credentials/key-values.ts';

const KEYS = '/console/production/keys';

async function openScene() {
  const api = await openTestApi();
  const testConsole = await openTestConsole({ api });
  const browser = await testConsole.owner();
  const list = async (token: string) => (await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).status;
  return { ...testConsole, api, browser, list };
}

async function make(browser: Browser, form: object = {}) {
  const { body } = await browser.post(KEYS, { name: 'Billing', ...form });
  const { key_id, api_key } = body.data as { key_id: string; api_key: string };
  return { path: `${KEYS}/${key_id}`, keyId: key_id, secret: api_key };
}

test('one key is shown with everything about it, and without anything that could be used', async () => {
  const { browser } = await openScene();
  const { path, keyId, secret } = await make(browser, {
    scopes: ['clients:write', 'clients:read'],
    note: ' Nightly export of the finance team. ',
    allowed_networks: ['10.0.0.0/8', ' 2001:DB8:0::/32', '10.0.0.0/8'],
    rate_limit: '600/m, 20',
    expires_at: '2027-01-31T00:00:00.000Z',
  });
  const { text, body } = await browser.get(path);
  expect(text).not.toContain(secret);
  const { calls_per_hour, ...rest } = body.data as { calls_per_hour: number[] };
  expect(calls_per_hour).toEqual(Array(720).fill(0));
  const preview = expect.stringMatching(/^rc_production_.{4}….{4}$/);
  expect(rest).toEqual({
    key_id: keyId,
    name: 'Billing',
    state: 'active',
    note: 'Nightly export of the finance team.',
    preview,
    scopes: ['clients:read', 'clients:write'],
    allowed_networks: ['10.0.0.0/8', '2001:db8::/32'],
    rate_limit: '600/m,20',
    default_rate_limit: '50/s,60',
    created_at: '2026-01-31T09:30:00.000Z',
    created_by: 'owner@firm.example',
    last_used_at: null,
    last_used_from: null,
    recent_calls: 0,
    idle: false,
    expires_at: '2027-01-31T00:00:00.000Z',
    revoked_at: null,
    old_secret_ends_at: null,
    secrets: [{ number: 1, preview, created_at: '2026-01-31T09:30:00.000Z', ends_at: null, works: true }],
    last_hour_at: '2026-01-31T09:00:00.000Z',
    listings: [],
  });
});

test('the state of a key follows the clock of the service, in the list as on its own', async () => {
  const { browser, clock } = await openScene();
  const { path } = await make(browser, { expires_at: '2026-01-31T11:30:00.000Z' });
  const state = async () => {
    const { state, key_id } = (await browser.get(path)).body.data as { state: string; key_id: string };
    expect((await browser.get(KEYS)).body.data?.keys).toMatchObject([{ key_id, state }]);
    return state;
  };
  expect(await state()).toBe('active');
  await browser.post(`${path}/roll`, { overlap_seconds: 3600 });
  clock.advance(3599);
  expect(await state()).toBe('rolling');
  clock.advance(1);
  expect(await state()).toBe('active');
  clock.advance(3599);
  expect(await state()).toBe('active');
  clock.advance(1);
  expect(await state()).toBe('expired');
  const signedIn = await browser.signIn('owner@firm.example');
  expect(signedIn.status).toBe(200);
  await browser.delete(path);
  expect(await state()).toBe('revoked');
});

test('only what is given is changed, and the activity log says what that was', async () => {
  const { browser } = await openScene();
  const { path } = await make(browser, { note: 'old', expires_at: '2027-01-31T00:00:00.000Z' });
  const changed = await browser.send('PATCH', path, { name: 'Invoices', rate_limit: '0', expires_at: null });
  expect(changed.body.data).toMatchObject({ name: 'Invoices', note: 'old', rate_limit: '0', expires_at: null });
  const again = await browser.send('PATCH', path, { name: ' Invoices ', rate_limit: '0' });
  expect(again.body.data).toMatchObject({ name: 'Invoices', note: 'old' });
  await browser.send('PATCH', path, { note: '', allowed_networks: ['127.0.0.1'], rate_limit: null });
  expect((await browser.get(path)).body.data).toMatchObject({
    note: '',
    allowed_networks: ['127.0.0.1'],
    rate_limit: null,
  });
  const { body } = await browser.get('/console/activity?kind=key');
  const { results } = body.data as { results: { action: string; subject: string; changed: unknown }[] };
  expect(results.slice(0, 2).map(({ changed }) => changed)).toEqual([
    {
      from: { note: 'old', allowed_networks: '', rate_limit: '0' },
      to: { note: '', allowed_networks: '127.0.0.1', rate_limit: '' },
      reason: null,
    },
    {
      from: { name: 'Billing', expires_at: '2027-01-31T00:00:00.000Z', rate_limit: '' },
      to: { name: 'Invoices', expires_at: '', rate_limit: '0' },
      reason: null,
    },
  ]);
  const entries = results.map(({ action, subject }) => [action, subject.replace(/\(.*\)/, '(…)')]);
  expect(entries.filter(([action]) => action === 'key.updated')).toEqual([
    ['key.updated', 'Invoices (…): note, allowed addresses, rate limit'],
    ['key.updated', 'Invoices (…): name, expiry, rate limit'],
  ]);
});

test('a key is rolled without an interruption, and its old secret is ended with one request', async () => {
  const { api, browser, list } = await openScene();
  const { path, keyId, secret } = await make(browser);
  const oldToken = await api.token(secret);
  const rolled = await browser.post(`${path}/roll`, { overlap_seconds: 7 * 86_400 });
  expect(rolled.body.data).toEqual({
    key_id: keyId,
    name: 'Billing',
    api_key: expect.stringMatching(/^rc_production_/),
    old_secret_ends_at: '2026-02-07T09:30:00.000Z',
    ended_preview: null,
  });
  const newSecret = String(rolled.body.data?.api_key);
  const newToken = await api.token(newSecret);
  expect([await list(oldToken), await list(newToken)]).toEqual([200, 200]);
  const shown = await browser.get(path);
  expect(shown.text).not.toContain(newSecret);
  expect(shown.body.data?.secrets).toMatchObject([
    { number: 2, ends_at: null, works: true },
    { number: 1, ends_at: '2026-02-07T09:30:00.000Z', works: true },
  ]);
  expect((await browser.get(KEYS)).body.data?.keys).toMatchObject([
    { key_id: keyId, old_secret_ends_at: '2026-02-07T09:30:00.000Z' },
  ]);

  expect((await browser.delete(`${path}/secrets/2`)).status).toBe(409);
  expect((await browser.delete(`${path}/secrets/1`)).status).toBe(200);
  expect([await list(oldToken), await list(newToken)]).toEqual([401, 200]);
  expect((await browser.get(path)).body.data?.secrets).toMatchObject([
    { number: 2, works: true },
    { number: 1, ends_at: '2026-01-31T09:30:00.000Z', works: false },
  ]);
  for (const number of ['3', '0', '-1', 'one', '99999999999']) {
    expect((await browser.delete(`${path}/secrets/${number}`)).status, number).toBe(404);
  }
  expect((await api.get(TOKEN_PATH, { 'api-key': secret })).status).toBe(401);
});

test('rolling once more tells which secret had to end', async () => {
  const { browser } = await openScene();
  const { path } = await make(browser);
  const { body } = await browser.get(path);
  await browser.post(`${path}/roll`, {});
  const third = await browser.post(`${path}/roll`, {});
  expect(third.body.data?.ended_preview).toBe(body.data?.preview);
  expect(third.body.data?.old_secret_ends_at).toBe('2026-02-01T09:30:00.000Z');
});

test('a revoked key can be neither changed nor rolled', async () => {
  const { browser } = await openScene();
  const { path } = await make(browser);
  await browser.delete(path);
  const message = 'This API key has been revoked and cannot be changed any more. Create a new API key.';
  expect(await browser.post(`${path}/roll`, {})).toMatchObject({ status: 409, body: { message } });
  expect(await browser.send('PATCH', path, { name: 'x' })).toMatchObject({ status: 409, body: { message } });
});

const sharedKey = openOnce(async () => {
  const { browser } = await openScene();
  return { browser, ...(await make(browser)) };
});

test.each([
  [{ scopes: [] }, 'scopes must contain clients:read or clients:write, or both.'],
  [{ scopes: ['clients:delete'] }, 'scopes must be one of clients:read, clients:write.'],
  [{ note: 'x'.repeat(501) }, 'note must have at most 500 characters.'],
  [
    { allowed_networks: ['10.0.0.0/33'] },
    'allowed_networks: "10.0.0.0/33" is not an IP address or a network such as 10.0.0.0/8.',
  ],
  [{ allowed_networks: Array(101).fill('10.0.0.1') }, 'allowed_networks must have at most 100 entries.'],
  [
    { allowed_networks: ['10.0.0.1', 'f'.repeat(50)] },
    'allowed_networks must have at most 49 characters in each entry.',
  ],
  [{ allowed_networks: '10.0.0.1' }, 'allowed_networks must be a list.'],
  [{ rate_limit: 'fast' }, expect.stringMatching(/^rate_limit must be a rate and a burst such as 100\/s,200/)],
  [{ rate_limit: '0/s' }, expect.stringMatching(/^rate_limit must be a rate/)],
])('a key with %j is refused with a message, when it is created and when it is changed', async (form, message) => {
  const { browser, path } = await sharedKey();
  expect(await browser.post(KEYS, { name: 'x', ...form })).toMatchObject({ status: 400, body: { message } });
  const change = { ...form };
  if ('scopes' in change) return;
  expect(await browser.send('PATCH', path, change)).toMatchObject({ status: 400, body: { message } });
  expect((await browser.get(KEYS)).body.data?.keys).toMatchObject([{ name: 'Billing', allowed_networks: [] }]);
});

test.each([{ allowed_networks: ['10.0.0.0/33'] }, { rate_limit: 'fast' }])(
  'the page says the same about %j as the service, before it asks it',
  async (form) => {
    const { browser } = await sharedKey();
    const { body } = await browser.post(KEYS, { name: 'x', ...form });
    const problems = problemsOfKeyValues({ allowed_networks: [], rate_limit: null, ...form });
    expect(problems.map(({ message }) => message)).toEqual([body.message]);
  },
);

test.each([[-1], [30 * 86_400 + 1], [1.5], ['1']])('an overlap of %j is refused', async (overlap_seconds) => {
  const { browser, path } = await sharedKey();
  expect(await browser.post(`${path}/roll`, { overlap_seconds })).toMatchObject({
    status: 400,
    body: { message: 'overlap_seconds must be a whole number from 0 to 2592000.' },
  });
});

test('changing and rolling keys requires a password that was typed recently', async () => {
  const { browser, clock } = await openScene();
  const { path } = await make(browser);
  clock.advance(601);
  expect((await browser.send('PATCH', path, { name: 'x' })).status).toBe(428);
  expect((await browser.post(`${path}/roll`, {})).status).toBe(428);
  expect((await browser.delete(`${path}/secrets/1`)).status).toBe(428);
  expect((await browser.get(path)).status).toBe(200);
});

test('calls are shown by the hour with the current one last, for thirty days, and then deleted', async () => {
  const { browser, store, clock } = await openScene();
  const { path, keyId } = await make(browser);
  const calls = new KeyUsageCounter({ keyUsage: store.keyUsage, clock });
  const workspaceId = await store.accounts.workspaceId(1, 'production');
  const use = async (times: number) => {
    for (let call = 0; call < times; call++) calls.count({ keyId, workspaceId }, '192.0.2.7', 200);
    await calls.flush();
  };
  const shown = async () => {
    const { body } = await browser.get(path);
    return body.data as { calls_per_hour: number[]; recent_calls: number; last_hour_at: string };
  };
  await use(2);
  clock.advance(3600);
  await use(3);
  expect((await shown()).calls_per_hour.slice(-3)).toEqual([0, 2, 3]);
  expect((await shown()).last_hour_at).toBe('2026-01-31T10:00:00.000Z');
  clock.advance(718 * 3600);
  await browser.signIn('owner@firm.example');
  expect((await shown()).calls_per_hour.slice(0, 3)).toEqual([2, 3, 0]);
  clock.advance(3600);
  expect((await shown()).calls_per_hour.slice(0, 2)).toEqual([3, 0]);
  expect((await shown()).recent_calls).toBe(3);
  await removeOldUsage({ keyUsage: store.keyUsage, clock });
  expect(await store.keyUsage.hoursOfWorkspace(workspaceId, 0)).toMatchObject([{ calls: 3 }]);
});

test('a key that is neither new nor used for 90 days is idle, unless it cannot be used anyway', async () => {
  const { browser, store, clock, api } = await openScene();
  const { keyId, secret, path } = await make(browser);
  const revoked = await make(browser, { name: 'revoked' });
  await make(browser, { name: 'expired', expires_at: '2026-02-28T00:00:00.000Z' });
  await browser.delete(revoked.path);
  const idle = async () => {
    await browser.signIn('owner@firm.example');
    const { keys } = (await browser.get(KEYS)).body.data as { keys: { name: string; idle: boolean }[] };
    return keys.filter((key) => key.idle).map(({ name }) => name);
  };
  clock.advance(90 * 86_400);
  expect(await idle()).toEqual([]);
  clock.advance(1);
  expect(await idle()).toEqual(['Billing']);
  expect((await browser.get(path)).body.data?.idle).toBe(true);
  const calls = new KeyUsageCounter({ keyUsage: store.keyUsage, clock });
  calls.count({ keyId, workspaceId: await store.accounts.workspaceId(1, 'production') }, '', 200);
  await calls.flush();
  expect(await idle()).toEqual([]);
  expect((await api.get(TOKEN_PATH, { 'api-key': secret })).status, 'it only warns').toBe(200);
});
