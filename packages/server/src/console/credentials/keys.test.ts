import { expect, test } from 'vitest';
import { KeyUsageCounter } from '../../domain/credentials/key-usage.ts';
import { createKey } from '../../domain/credentials/manage-keys.ts';
import { codeAt } from '../../domain/members/second-factor.ts';
import { hashSecret } from '../../domain/secret.ts';
import { TEST_PASSWORD, TESTER } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi } from '../../testing/test-api.ts';
import { openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';

const KEYS = '/console/production/keys';

test('an API key is shown once, with the member who created it, and what is stored cannot be used', async () => {
  const { owner, store } = await openTestConsole();
  const browser = await owner();
  const created = await browser.post(KEYS, { name: ' Billing ', expires_at: '2026-12-31T00:00:00.000Z' });
  const secret = String(created.body.data?.api_key);
  expect(secret).toMatch(/^rc_production_/);

  const listed = await browser.get(KEYS);
  expect(listed.text).not.toContain(secret);
  expect(listed.body.data?.keys).toMatchObject([
    { name: 'Billing', created_by: 'owner@firm.example', recent_calls: 0, last_used_at: null, revoked_at: null },
  ]);
  expect((await store.keys.byHash(hashSecret(secret)))?.key.createdBy).toBe('owner@firm.example');
  expect((await browser.get('/console/sandbox/keys')).body.data).toEqual({
    keys: [],
    default_rate_limit: '50/s,60',
  });
});

test('changing API keys requires a password that was typed within the last ten minutes', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  clock.advance(601);
  expect((await browser.post(KEYS, { name: 'late' })).status).toBe(428);
  expect((await browser.post('/console/session/proof', { password: 'a wrong but long one' })).status).toBe(400);
  expect((await browser.post(KEYS, { name: 'late' })).status).toBe(428);
  expect((await browser.post('/console/session/proof', { password: TEST_PASSWORD })).status).toBe(200);
  expect((await browser.post(KEYS, { name: 'late' })).status).toBe(200);
});

test('a member with a second factor proves with a code, not with the password, that it is them', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const secret = String((await browser.post('/console/profile/second-factor')).body.data?.secret);
  await browser.send('PUT', '/console/profile/second-factor', { code: codeAt(secret, clock.now()) });
  clock.advance(601);
  const refused = await browser.post(KEYS, { name: 'late' });
  expect(refused).toMatchObject({
    status: 428,
    body: { message: 'Enter a code from your authenticator app to create an API key.' },
  });
  const prove = (proof: object) => browser.post('/console/session/proof', proof);
  expect((await prove({ password: TEST_PASSWORD })).body.message).toBe('code is missing.');
  expect((await prove({ code: '000000' })).status).toBe(400);
  expect((await browser.post(KEYS, { name: 'late' })).status).toBe(428);
  const code = codeAt(secret, clock.now());
  expect((await prove({ code })).status).toBe(200);
  expect((await browser.post(KEYS, { name: 'late' })).status).toBe(200);
  expect((await prove({ code })).status).toBe(400);
});

test('a proof is on record and gives the session another token, so that a stolen one ends', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const stolen = browser.cookie;
  const id = async () => {
    const { sessions } = (await browser.get('/console/profile')).body.data as { sessions: { session_id: string }[] };
    return sessions.map((session) => session.session_id);
  };
  const before = await id();
  expect((await browser.post('/console/session/proof', { password: TEST_PASSWORD })).status).toBe(200);
  expect(browser.cookie).not.toBe(stolen);
  expect(await id()).toEqual(before);
  const current = browser.cookie;
  browser.cookie = stolen;
  expect((await browser.get('/console/session')).status).toBe(401);
  browser.cookie = current;
  expect((await browser.get('/console/session')).status).toBe(200);
  const { results } = (await browser.get('/console/activity')).body.data as { results: { action: string }[] };
  expect(results[0]?.action).toBe('sign-in.proved');
});

test('two proofs at the same time leave the browser with a token that works', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const prove = () => browser.post('/console/session/proof', { password: TEST_PASSWORD });
  const answers = await Promise.all([prove(), prove(), prove()]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect((await browser.get('/console/session')).status).toBe(200);
});

test('a revoked API key stays on the list as revoked', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const { body } = await browser.post(KEYS, { name: 'short-lived' });
  expect((await browser.delete(`${KEYS}/${body.data?.key_id}`)).status).toBe(200);
  expect((await browser.get(KEYS)).body.data?.keys).toMatchObject([{ revoked_at: '2026-01-31T09:30:00.000Z' }]);
});

test('as soon as a revocation is answered, requests with tokens of the key are refused', async () => {
  const api = await openTestApi();
  const { owner } = await openTestConsole({ api });
  const browser = await owner();
  for (let round = 0; round < 20; round++) {
    const { body } = await browser.post(KEYS, { name: `key ${round}` });
    const tokens: string[] = [];
    for (let each = 0; each < 8; each++) tokens.push(await api.token(String(body.data?.api_key)));
    const ask = () => Promise.all(tokens.map((token) => api.get(LIST_PATH, { authorization: `Bearer ${token}` })));
    expect((await ask()).map(({ status }) => status)).toEqual(tokens.map(() => 200));

    expect((await browser.delete(`${KEYS}/${body.data?.key_id}`)).status).toBe(200);
    for (const answer of await ask()) {
      expect(answer).toMatchObject({ status: 401, body: { message: 'Access token has been revoked.' } });
    }
  }
});

test("of a key that does not exist, or is somebody else's, nobody is told that it ended", async () => {
  const api = await openTestApi();
  const { owner } = await openTestConsole({ api });
  const [browser, stranger] = [await owner(), await owner('owner@other.example')];
  const { body } = await browser.post(KEYS, { name: 'mine' });
  const token = await api.token(String(body.data?.api_key));
  expect((await stranger.delete(`${KEYS}/${body.data?.key_id}`)).status).toBe(404);
  expect((await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).status).toBe(200);
});

const sharedOwner = openOnce(async () => (await openTestConsole()).owner());

test.each([
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'x'.repeat(121) }, 'name must have at most 120 characters.'],
  [{ name: 'x\0' }, 'name must not contain a NUL character.'],
  [{ name: 'x', expires_at: 'soon' }, 'expires_at must be a time from 1970 to 9999, such as 2026-01-31T09:30:00.000Z.'],
  [{ name: 'x', expires_at: '10000-01-01' }, expect.stringMatching(/^expires_at must be a time from 1970 to 9999/)],
  [{ name: 'x', expires_at: '+010000-01-01T00:00:00.000Z' }, expect.stringMatching(/^expires_at must be a time/)],
  [{ name: 'x', expires_at: 'Jan 1, 10000' }, expect.stringMatching(/^expires_at must be a time/)],
  [{ name: 'x', expires_at: '2026-01-31T09:30:00.000Z' }, 'expires_at must be in the future.'],
])('a key of %j is refused with a message', async (form, message) => {
  const browser = await sharedOwner();
  expect(await browser.post(KEYS, form)).toMatchObject({ status: 400, body: { message } });
});

test('a key that expires in the last millisecond of 9999 is listed, and so is one that was stored with a later expiry', async () => {
  const { owner, store, clock } = await openTestConsole();
  const browser = await owner();
  const latest = '9999-12-31T23:59:59.999Z';
  expect((await browser.post(KEYS, { name: 'long-lived', expires_at: latest })).status).toBe(200);
  const workspaceId = await store.accounts.workspaceId(1, 'production');
  const expiresAt = Date.UTC(10_000, 0, 1);
  const request = { environment: 'production', name: 'stored', expiresAt } as const;
  await createKey({ ...store, clock }, { workspaceId, actor: TESTER }, request);
  const { status, body } = await browser.get(KEYS);
  expect(status).toBe(200);
  expect(body.data?.keys).toMatchObject([{ expires_at: latest }, { expires_at: latest }]);
});

test('calls are counted in memory, written in batches and added up over thirty days', async () => {
  const { owner, store, clock } = await openTestConsole();
  const browser = await owner();
  const { body } = await browser.post(KEYS, { name: 'busy' });
  const principal = {
    keyId: String(body.data?.key_id),
    workspaceId: await store.accounts.workspaceId(1, 'production'),
  };
  const calls = new KeyUsageCounter({ keyUsage: store.keyUsage, clock });
  const countNow = async (times: number) => {
    for (let call = 0; call < times; call++) calls.count(principal, '192.0.2.7', 200);
    await calls.flush();
  };
  await countNow(3);
  clock.advance(20 * 86_400);
  await countNow(4);
  await countNow(5);
  clock.advance(15 * 86_400);
  await browser.signIn('owner@firm.example');
  expect((await browser.get(KEYS)).body.data?.keys).toMatchObject([
    { recent_calls: 9, last_used_at: '2026-02-20T09:30:00.000Z', last_used_from: '192.0.2.7' },
  ]);
});

test('a batch that could not be written is counted with the next one', async () => {
  const { store, clock, owner } = await openTestConsole();
  await owner();
  const workspaceId = await store.accounts.workspaceId(1, 'production');
  let failing = true;
  const keyUsage = {
    ...store.keyUsage,
    add: async (counts: Parameters<typeof store.keyUsage.add>[0]) => {
      if (failing) throw new Error('disk full');
      await store.keyUsage.add(counts);
    },
  };
  const calls = new KeyUsageCounter({ keyUsage, clock });
  calls.count({ keyId: 'key_1', workspaceId }, '', 200);
  await expect(calls.flush()).rejects.toThrow('disk full');
  failing = false;
  calls.count({ keyId: 'key_1', workspaceId }, '', 200);
  await calls.flush();
  expect(await store.keyUsage.hoursOfWorkspace(workspaceId, 0)).toMatchObject([{ calls: 2 }]);
});
