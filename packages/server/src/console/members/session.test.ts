import { expect, test } from 'vitest';
import { codeAt } from '../../domain/members/second-factor.ts';
import { removeExpired } from '../../domain/members/session.ts';
import { createSetUpLink } from '../../domain/members/set-up.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';

const OWNER = 'owner@firm.example';

test('the first owner is created by a one-time link, which works once', async () => {
  const { store, clock, browser } = await openTestConsole();
  const token = await createSetUpLink({ ...store, clock });
  const form = { token, name: 'Firm', email: OWNER, password: TEST_PASSWORD };

  const first = browser();
  expect(await first.post('/console/set-up', { ...form, token: 'wrong' })).toMatchObject({ status: 404 });
  expect(await first.post('/console/set-up', { ...form, password: 'short' })).toMatchObject({
    status: 400,
    body: { message: 'password must have at least 15 characters.' },
  });
  expect(await first.post('/console/set-up', form)).toMatchObject({ status: 200 });
  expect((await first.get('/console/session')).body.data).toMatchObject({ email: OWNER, role: 'owner' });

  expect(await browser().post('/console/set-up', { ...form, email: 'other@firm.example' })).toMatchObject({
    status: 404,
  });
  expect(await createSetUpLink({ ...store, clock })).toBeUndefined();
});

test('signing in again ends the session that the browser had before', async () => {
  const { browser, owner } = await openTestConsole();
  await owner();
  const visitor = browser();
  await visitor.signIn('owner@firm.example');
  const former = visitor.cookie;
  await visitor.signIn('owner@firm.example');
  const { sessions } = (await visitor.get('/console/profile')).body.data as { sessions: unknown[] };
  expect(sessions, 'this one, and that of the first browser').toHaveLength(2);
  visitor.cookie = former;
  expect((await visitor.get('/console/session')).status).toBe(401);
});

test('two browsers with the same former session can sign in at the same time', async () => {
  const { browser, owner } = await openTestConsole();
  await owner();
  const first = browser();
  await first.signIn('owner@firm.example');
  const others = [1, 2, 3, 4].map(() => {
    const other = browser();
    other.cookie = first.cookie;
    return other;
  });
  const answers = await Promise.all(others.map((other) => other.signIn('owner@firm.example')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('a visitor learns that there is no account yet, and nothing else', async () => {
  const { browser, owner } = await openTestConsole();
  expect((await browser().get('/console/set-up')).body.data).toEqual({
    is_needed: true,
    sends_mail: false,
    provider: null,
  });
  await owner();
  expect((await browser().get('/console/set-up')).body.data).toEqual({
    is_needed: false,
    sends_mail: false,
    provider: null,
  });
});

test('a page can ask who is signed in without being refused, and learns nothing else about anybody', async () => {
  const { browser, owner } = await openTestConsole();
  const signedIn = await owner();
  const nobody = await browser().get('/console/visitor');
  expect([nobody.status, nobody.body.data]).toEqual([200, { session: null }]);
  const { data } = (await signedIn.get('/console/session')).body;
  expect((await signedIn.get('/console/visitor')).body.data).toEqual({ session: data });
  expect(await signedIn.send('GET', '/console/visitor', undefined, { 'x-rollcall-account': '999' })).toMatchObject({
    status: 412,
  });
});

test('of two people with the same set-up link, one becomes the owner', async () => {
  const { store, clock, browser } = await openTestConsole();
  const token = await createSetUpLink({ ...store, clock });
  const answers = await Promise.all(
    ['a@firm.example', 'b@firm.example'].map((email) =>
      browser().post('/console/set-up', { token, name: 'Firm', email, password: TEST_PASSWORD }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await store.accounts.list()).toHaveLength(1);
});

test('the session cookie is hidden from scripts and other sites, new after each sign-in and invalid after sign-out', async () => {
  const { owner, browser } = await openTestConsole();
  await owner();
  const visitor = browser();
  const signedIn = await visitor.signIn(OWNER);
  expect(signedIn.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^rollcall_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^rollcall_device=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const { cookie } = visitor;
  await visitor.signIn(OWNER);
  expect(visitor.cookie).not.toBe(cookie);

  const kept = visitor.cookie;
  expect((await visitor.delete('/console/session')).headers.get('set-cookie')).toContain('Max-Age=0');
  visitor.cookie = kept;
  expect(await visitor.get('/console/session')).toMatchObject({ status: 401 });
});

test('under a public https address the cookie is Secure and bound to its host', async () => {
  const { owner, browser } = await openTestConsole({ publicUrl: 'https://rollcall.example' });
  await owner();
  const answer = await browser().send(
    'POST',
    '/console/session',
    { email: OWNER, password: TEST_PASSWORD },
    { origin: 'https://rollcall.example' },
  );
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-rollcall_session=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-rollcall_device=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect(answer.headers.get('strict-transport-security')).toContain('max-age=31536000');
});

test('a session ends after twelve idle hours, and after fourteen days in any case', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  for (let hours = 0; hours < 14 * 24; hours += 11) {
    expect((await browser.get('/console/session')).status).toBe(200);
    clock.advance(11 * 3600);
  }
  expect((await browser.get('/console/session')).status).toBe(401);

  const idle = await owner('idle@firm.example');
  clock.advance(12 * 3600);
  expect((await idle.get('/console/session')).status).toBe(401);
});

test('an unknown email, a wrong password and a wrong code are answered alike', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  const secret = String((await signedIn.post('/console/profile/second-factor')).body.data?.secret);
  const used = codeAt(secret, clock.now());
  expect((await signedIn.send('PUT', '/console/profile/second-factor', { code: used })).status).toBe(200);

  const rightCode = () => codeAt(secret, clock.now());
  const wrongCode = () => String((Number(rightCode()) + 1) % 1_000_000).padStart(6, '0');
  const refused: [what: string, email: string, password: string, code: () => string | undefined][] = [
    ['a code that was used', OWNER, TEST_PASSWORD, () => used],
    ['a wrong code', OWNER, TEST_PASSWORD, wrongCode],
    ['an unknown email', 'nobody@firm.example', TEST_PASSWORD, () => undefined],
    ['an unknown email with a code', 'nobody@firm.example', TEST_PASSWORD, wrongCode],
    ['a wrong password', OWNER, 'a wrong but long password', () => undefined],
    ['a wrong password with a wrong code', OWNER, 'a wrong but long password', wrongCode],
    ['a wrong password with the right code', OWNER, 'a wrong but long password', rightCode],
  ];
  for (const [what, email, password, code] of refused) {
    const visitor = browser();
    const sent = code();
    const { status, body } = await visitor.signIn(email, password, sent);
    expect(status, what).toBe(401);
    expect(visitor.cookie, what).toBeUndefined();
    // The answer depends only on whether a code was sent, which the visitor knows.
    const fields = sent === undefined ? 'email or password' : 'email, password or code';
    expect(body, what).toEqual({ ...body, status_code: 401, message: `The ${fields} is not correct.`, data: null });
    // Guessing is slowed, which other tests are about.
    clock.advance(7200);
  }
  expect((await browser().signIn(OWNER, TEST_PASSWORD, rightCode())).body.data).toEqual({ signed_in: true });
});

test('guessing is slowed after five failures, for known and unknown emails alike', async () => {
  const { owner, browser, clock } = await openTestConsole();
  await owner();
  for (const email of [OWNER, 'nobody@firm.example']) {
    for (let attempt = 0; attempt < 6; attempt++) {
      expect((await browser().signIn(email, 'a wrong but long password')).status).toBe(401);
    }
    const slowed = await browser().signIn(email);
    expect(slowed).toMatchObject({ status: 429, body: { message: expect.stringMatching(/Try again in \d+ seconds/) } });
    clock.advance(7200);
  }
  expect((await browser().signIn(OWNER)).status).toBe(200);
});

test('whatever others try, a member can sign in with a browser that has signed in before, and guess no more than others', async () => {
  const { owner, browser } = await openTestConsole();
  await owner();
  const mine = browser();
  await mine.signIn(OWNER);
  await mine.delete('/console/session');
  for (let attempt = 0; attempt < 6; attempt++) await browser().signIn(OWNER, 'a wrong but long password');
  expect((await browser().signIn(OWNER)).status).toBe(429);
  expect((await mine.signIn(OWNER)).status).toBe(200);

  const statuses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++)
    statuses.push((await mine.signIn(OWNER, 'a wrong but long password')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
});

test('of many guesses at once, no more are checked than of as many in sequence', async () => {
  const { owner, browser } = await openTestConsole();
  await owner();
  const guess = (n: number) => browser().signIn(OWNER, `a wrong but long password ${n}`);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(6);
  expect(statuses.filter((status) => status === 429)).toHaveLength(34);
});

test('many right passwords at once all sign in', async () => {
  const { owner, browser } = await openTestConsole();
  await owner();
  const answers = await Promise.all(Array.from({ length: 12 }, () => browser().signIn(OWNER)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test('expired sessions and one-time links are deleted', async () => {
  const { owner, store, clock } = await openTestConsole();
  const browser = await owner();
  await browser.post('/console/invitations', { email: 'guest@firm.example', role: 'viewer' });
  const accountId = (await store.accounts.list())[0]?.id ?? 0;
  const left = async () => [
    (await store.links.invitations(accountId, 0)).length,
    (await store.sessions.list(accountId, (await store.members.list(accountId))[0]?.id ?? 0)).length,
  ];
  await removeExpired({ ...store, clock });
  expect(await left()).toEqual([1, 1]);
  clock.advance(15 * 86_400);
  await removeExpired({ ...store, clock });
  expect(await left()).toEqual([0, 0]);
});

const sharedOwner = openOnce(async () => (await openTestConsole()).owner());

test.each([
  ['POST', '/console/session'],
  ['DELETE', '/console/session'],
  ['POST', '/console/production/keys'],
])('%s %s from another site is refused', async (method, path) => {
  const browser = await sharedOwner();
  for (const origin of ['https://evil.example', 'null', '']) {
    const body = method === 'POST' ? { name: 'x' } : undefined;
    expect((await browser.send(method, path, body, { origin })).status).toBe(403);
  }
  expect((await browser.get('/console/session')).status).toBe(200);
});

test('every answer carries the headers that keep pages from being framed, sniffed or scripted', async () => {
  const { address } = await openTestConsole();
  for (const path of ['/', '/console/session', '/nothing']) {
    const { headers } = await fetch(address + path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  }
});

const sharedConsole = openOnce(openTestConsole);

test.each([
  ['{"email":', 'Bad request'],
  ['[]', 'The body must be an object.'],
  [
    '{"email":"a@b","password":"x","extra":1}',
    'extra is not a field. The fields are email, password, code, account_id.',
  ],
  ['{"email":7,"password":"x"}', 'email must be text.'],
  ['{"email":"a@b"}', 'password is missing.'],
  ['{"email":"no address","password":"x"}', 'email must be an email address.'],
  ['{"email":"a@b","password":"x","__proto__":{"admin":true}}', 'Bad request'],
])('a sign-in of %s is refused with a message', async (body, message) => {
  const { address } = await sharedConsole();
  const response = await fetch(`${address}/console/session`, {
    method: 'POST',
    headers: { origin: address, 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    status_code: 400,
    message: expect.stringContaining(message),
    data: null,
  });
});

test('no password, cookie or link token appears in the log', async () => {
  const { owner, browser, log } = await openTestConsole();
  const signedIn = await owner();
  await browser().signIn(OWNER, 'a wrong but long password');
  const { body } = await signedIn.post('/console/invitations', { email: 'new@firm.example', role: 'viewer' });
  await signedIn.get(`/console/nothing?token=${body.data?.token}`);
  const everything = log.join('\n');
  expect(log.length).toBeGreaterThan(2);
  for (const secret of [TEST_PASSWORD, 'a wrong but', signedIn.cookie?.split('=')[1], body.data?.token, OWNER]) {
    expect(everything).not.toContain(String(secret));
  }
});
