import { expect, test } from 'vitest';
import { codeAt } from '../../domain/members/second-factor.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';

const OWNER = 'owner@firm.example';
const OTHER_PASSWORD = 'nine purple walruses waltz';

async function addSecondFactor(browser: Browser, now: number): Promise<{ secret: string; codes: string[] }> {
  const { body } = await browser.post('/console/profile/second-factor');
  const secret = String(body.data?.secret);
  const confirmed = await browser.send('PUT', '/console/profile/second-factor', { code: codeAt(secret, now) });
  expect(confirmed.status).toBe(200);
  return { secret, codes: confirmed.body.data?.recovery_codes as string[] };
}

test('with a second factor the password alone does not sign in, and a code works once', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const { secret } = await addSecondFactor(await owner(), clock.now());

  const visitor = browser();
  expect((await visitor.signIn(OWNER)).body.data).toEqual({ signed_in: false });
  expect(visitor.cookie).toBeUndefined();
  expect((await visitor.signIn(OWNER, TEST_PASSWORD, codeAt(secret, clock.now()))).status).toBe(401);

  clock.advance(30);
  const code = codeAt(secret, clock.now());
  expect((await visitor.signIn(OWNER, TEST_PASSWORD, '000000')).status).toBe(401);
  expect((await visitor.signIn(OWNER, TEST_PASSWORD, code)).body.data).toEqual({ signed_in: true });
  expect((await browser().signIn(OWNER, TEST_PASSWORD, code)).status).toBe(401);
});

test('a second factor counts only after a code of it was entered, and cannot be replaced silently', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  await signedIn.post('/console/profile/second-factor');
  const wrong = await signedIn.send('PUT', '/console/profile/second-factor', { code: '123456' });
  expect(wrong.body.message).toBe('code is not correct, or was used before; enter a current one.');
  expect((await browser().signIn(OWNER)).body.data).toEqual({ signed_in: true });

  await addSecondFactor(signedIn, clock.now());
  expect((await signedIn.post('/console/profile/second-factor')).status).toBe(409);
});

test('guessing the first code of a second factor is slowed as it is when signing in', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  await browser.post('/console/profile/second-factor');
  const guess = (n: number) => browser.send('PUT', '/console/profile/second-factor', { code: String(100_000 + n) });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)));
  expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(6);
  expect((await guess(99)).status).toBe(429);
});

test('a short password is allowed with a second factor, which cannot be removed until the password is long again', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const change = (password: string, newPassword: string) =>
    browser.send('PUT', '/console/profile/password', { password, new_password: newPassword });
  expect((await change(TEST_PASSWORD, 'w4lrus-x')).body.message).toBe('new_password must have at least 15 characters.');

  const { codes } = await addSecondFactor(browser, clock.now());
  expect((await change(TEST_PASSWORD, 'w4lrus-x')).status).toBe(200);
  const removal = (password: string) =>
    browser.post('/console/profile/second-factor/removal', { password, code: codes[0] });
  expect((await removal('w4lrus-x')).status).toBe(409);
  expect((await change('w4lrus-x', OTHER_PASSWORD)).status).toBe(200);
  expect((await removal('wrong password')).status).toBe(400);
  expect((await removal(OTHER_PASSWORD)).status).toBe(200);
  expect((await browser.get('/console/profile')).body.data).toMatchObject({ has_second_factor: false });
});

test('each of ten recovery codes replaces the code of the app once, however it is typed', async () => {
  const { owner, browser, clock, log } = await openTestConsole();
  const signedIn = await owner();
  const { codes } = await addSecondFactor(signedIn, clock.now());
  const left = async () => (await signedIn.get('/console/profile')).body.data?.recovery_codes_left;
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  expect(await left()).toBe(10);

  const [first = '', second = '', third = ''] = codes;
  expect((await browser().signIn(OWNER, TEST_PASSWORD, first)).body.data).toEqual({ signed_in: true });
  expect((await browser().signIn(OWNER, TEST_PASSWORD, first)).status).toBe(401);
  const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
  expect((await browser().signIn(OWNER, TEST_PASSWORD, typed)).body.data).toEqual({ signed_in: true });
  expect(await left()).toBe(8);

  const renewed = (await signedIn.post('/console/profile/recovery-codes')).body.data?.recovery_codes as string[];
  expect(await left()).toBe(10);
  expect((await browser().signIn(OWNER, TEST_PASSWORD, third)).status).toBe(401);
  expect((await browser().signIn(OWNER, TEST_PASSWORD, renewed[0])).body.data).toEqual({ signed_in: true });
  const everything = log.join('\n');
  for (const code of [...codes, ...renewed]) expect(everything).not.toContain(code);
});

test('of two sign-ins with one recovery code at the same time, one succeeds', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const { codes } = await addSecondFactor(await owner(), clock.now());
  const answers = await Promise.all([1, 2].map(() => browser().signIn(OWNER, TEST_PASSWORD, codes[0])));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a second factor is not removed with the password alone, and guessing its code is slowed', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { secret } = await addSecondFactor(browser, clock.now());
  const removal = (code?: string) =>
    browser.post('/console/profile/second-factor/removal', { password: TEST_PASSWORD, code });
  expect((await removal()).body.message).toBe('code is missing.');
  const used = codeAt(secret, clock.now());
  for (let guess = 0; guess < 6; guess++) expect((await removal(used)).status).toBe(400);
  expect((await removal(codeAt(secret, clock.now() + 30_000))).status).toBe(429);
  clock.advance(7200);
  expect((await browser.get('/console/profile')).body.data).toMatchObject({ has_second_factor: true });
  expect((await removal(codeAt(secret, clock.now()))).status).toBe(200);
});

test('adding a second factor signs out the other browsers, and its removal also removes the recovery codes', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  const other = browser();
  await other.signIn(OWNER);
  const { codes } = await addSecondFactor(signedIn, clock.now());
  expect((await other.get('/console/session')).status).toBe(401);
  expect((await signedIn.get('/console/session')).status).toBe(200);

  const removal = { password: TEST_PASSWORD, code: codes[0] };
  expect((await signedIn.post('/console/profile/second-factor/removal', removal)).status).toBe(200);
  expect((await signedIn.get('/console/profile')).body.data).toMatchObject({ recovery_codes_left: 0 });
  expect((await signedIn.post('/console/profile/recovery-codes')).status).toBe(409);
});

test('the right password without a code, and the use of a recovery code, are on record', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  const { codes } = await addSecondFactor(signedIn, clock.now());
  await browser().signIn(OWNER);
  await browser().signIn(OWNER, TEST_PASSWORD, codes[0]);
  const { results } = (await signedIn.get('/console/activity')).body.data as { results: { action: string }[] };
  const actions = results.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['sign-in.code-missing', 'profile.recovery-code-used']));
});

test('changing the password signs out every other browser, and a single browser can be signed out', async () => {
  const { owner, browser } = await openTestConsole();
  const first = await owner();
  const [second, third] = [browser(), browser()];
  await second.signIn(OWNER);
  await third.signIn(OWNER);
  const sessions = (await first.get('/console/profile')).body.data?.sessions as {
    session_id: string;
    is_current: boolean;
  }[];
  expect(sessions.map((session) => session.is_current).filter(Boolean)).toHaveLength(1);

  const current = (await second.get('/console/profile')).body.data?.sessions as typeof sessions;
  const secondId = current.find((session) => session.is_current)?.session_id;
  expect((await first.delete(`/console/profile/sessions/${secondId}`)).status).toBe(200);
  expect((await second.get('/console/session')).status).toBe(401);
  expect((await third.get('/console/session')).status).toBe(200);
  const { results } = (await first.get('/console/activity')).body.data as { results: unknown[] };
  expect(results[0]).toMatchObject({ action: 'profile.session-revoked', subject: OWNER });

  const form = { password: TEST_PASSWORD, new_password: OTHER_PASSWORD };
  expect((await first.send('PUT', '/console/profile/password', form)).status).toBe(200);
  expect((await third.get('/console/session')).status).toBe(401);
  expect((await first.get('/console/session')).status).toBe(200);
  expect((await browser().signIn(OWNER)).status).toBe(401);
  expect((await browser().signIn(OWNER, OTHER_PASSWORD)).status).toBe(200);
});

test('a browser whose session has expired is not listed any more', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const used = await owner();
  await browser().signIn(OWNER);
  const listed = async () => (await used.get('/console/profile')).body.data?.sessions;
  clock.advance(11 * 3600);
  expect(await listed()).toHaveLength(2);
  clock.advance(3600);
  expect(await listed()).toMatchObject([{ is_current: true }]);
});

test.each(['passwordpassword', 'Password1234567!', 'aaaaaaaaaaaaaaaa', 'qwertyuiopasdf12', 'thequickbrownfox'])(
  'the common password %s is refused',
  async (password) => {
    const { owner } = await openTestConsole();
    const form = { password: TEST_PASSWORD, new_password: password };
    const answer = await (await owner()).send('PUT', '/console/profile/password', form);
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^new_password is too common/) },
    });
  },
);

test('a right password does not clear the wrong codes, and every wrong code is on record', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  await addSecondFactor(browser, clock.now());
  const guess = () =>
    browser.post('/console/profile/second-factor/removal', { password: TEST_PASSWORD, code: '000000' });
  const clear = () =>
    browser.send('PUT', '/console/profile/password', { password: TEST_PASSWORD, new_password: 'passwordpassword' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    statuses.push((await guess()).status);
    expect((await clear()).status).toBe(400);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
  expect((await browser.post('/console/session/proof', { code: '000000' })).status).toBe(429);
  const { results } = (await browser.get('/console/activity?kind=sign-in')).body.data as {
    results: { action: string }[];
  };
  expect(results.filter(({ action }) => action === 'sign-in.failed')).toHaveLength(6);
});

test('wrong codes are counted by member, whichever device or network they come from', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  const devices = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const device = browser();
      await device.signIn(OWNER);
      return device;
    }),
  );
  await addSecondFactor(signedIn, clock.now());
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    const device = devices[attempt % devices.length] as Browser;
    statuses.push((await device.signIn(OWNER, TEST_PASSWORD, '000000')).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
});

test('adding a second factor or changing the password gives the session another token', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const stolen = [browser.cookie];
  await browser.send('PUT', '/console/profile/password', { password: TEST_PASSWORD, new_password: OTHER_PASSWORD });
  stolen.push(browser.cookie);
  await addSecondFactor(browser, clock.now());
  const own = browser.cookie;
  for (const cookie of stolen) {
    browser.cookie = cookie;
    expect((await browser.get('/console/session')).status).toBe(401);
  }
  browser.cookie = own;
  expect((await browser.get('/console/session')).status).toBe(200);
});

test('with a second factor, the password is changed only after a recent proof', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { codes } = await addSecondFactor(browser, clock.now());
  clock.advance(601);
  const change = () =>
    browser.send('PUT', '/console/profile/password', { password: TEST_PASSWORD, new_password: OTHER_PASSWORD });
  expect((await change()).status).toBe(428);
  expect((await browser.post('/console/session/proof', { code: codes[0] })).status).toBe(200);
  expect((await change()).status).toBe(200);
});
