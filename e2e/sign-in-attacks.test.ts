import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt } from '../packages/server/src/domain/members/second-factor.ts';
import { TestAuthenticator } from '../packages/server/src/testing/test-authenticator.ts';
import { Browser } from '../packages/server/src/testing/test-console.ts';
import { databaseForFile } from './database-for-file.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount, PASSWORD } from './test-account.ts';

const WRONG = 'a wrong but long password';
/** Mistakes that cost nothing. The next one is answered, too, and begins the first wait. */
const CHECKED_AT_ONCE = 6;
const FIRST_WAIT_SECONDS = 2;

/** How many guesses may have been checked since then: after the first wait another one, after one twice as long the next. */
function checkedAtMost(startedAt: number): number {
  const seconds = (performance.now() - startedAt) / 1000;
  return CHECKED_AT_ONCE + Math.floor(Math.log2(seconds / FIRST_WAIT_SECONDS + 1));
}

let program: Program;
let service: Serving;
let accounts = 0;
const cleanUps: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  const onFinished = (cleanUp: () => Promise<void> | void) => void cleanUps.unshift(cleanUp);
  // Two workers, behind a proxy that tells the address of the caller.
  const settings = { ROLLCALL_WORKERS: '2', ROLLCALL_TRUSTED_PROXIES: '127.0.0.1,::1' };
  program = new Program({ ...settings, ...(await databaseForFile(onFinished)) }, onFinished);
  service = await program.serve();
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  for (const cleanUp of cleanUps) await cleanUp();
});

async function aMember(): Promise<string> {
  const email = `owner${++accounts}@firm.example`;
  await createTestAccount(program, { email });
  return email;
}

/** Tries to sign in. Attempts at the same time use connections of their own, which both workers accept. */
function attempt(email: string, from: string, { password = WRONG, code }: { password?: string; code?: string } = {}) {
  const body = { email, password, ...(code && { code }) };
  return new Browser(service.dashboard).send('POST', '/console/session', body, { 'x-forwarded-for': from });
}

function signedIn(email: string): Promise<Browser> {
  const browser = new Browser(service.dashboard);
  return browser.signIn(email, PASSWORD).then(() => browser);
}

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status);
/** Not checked: because there were so many guesses, or because the machine is busy. */
const refused = (answers: { status: number }[]) => count(answers, 429) + count(answers, 503);
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('of many guesses at once through both workers, no more are checked than in sequence', async () => {
  const email = await aMember();
  const startedAt = performance.now();
  const guesses = await Promise.all(Array.from({ length: 40 }, (_, n) => attempt(email, `192.0.2.${n}`)));
  expect(count(guesses, 401)).toBeLessThanOrEqual(checkedAtMost(startedAt));
  expect(count(guesses, 401) + refused(guesses)).toBe(40);
  // Where guesses are answered slowly, the first waits may be over already, and later ones are longer.
  await expect
    .poll(async () => {
      await attempt(email, '198.51.100.1');
      return (await attempt(email, '198.51.100.2', { password: PASSWORD })).status;
    })
    .toBe(429);
});

test('addresses that rotate within a network of IPv6 count as one, and those of others do not help for one email', async () => {
  const startedAt = performance.now();
  const sprayed = await Promise.all(
    Array.from({ length: 30 }, (_, n) => attempt(`nobody${n}@firm.example`, `2001:db8:1:1::${n.toString(16)}`)),
  );
  expect(count(sprayed, 401), 'many emails from one network').toBeLessThanOrEqual(checkedAtMost(startedAt));
  const email = await aMember();
  const rotatedAt = performance.now();
  const rotated = await Promise.all(
    Array.from({ length: 30 }, (_, n) => attempt(email, `2001:db8:2:${n.toString(16)}::1`)),
  );
  expect(count(rotated, 401), 'one email from many networks').toBeLessThanOrEqual(checkedAtMost(rotatedAt));
});

test('whatever others try, the browser of a member signs in', async () => {
  const email = await aMember();
  const own = await signedIn(email);
  await own.delete('/console/session');
  await Promise.all(Array.from({ length: 30 }, (_, n) => attempt(email, `203.0.113.${n}`)));
  expect((await own.signIn(email, PASSWORD)).status).toBe(200);
});

test('a flood of sign-ins from one network keeps nobody else from signing in, and is answered without a 5xx of its own', async () => {
  const email = await aMember();
  const flood = Array.from({ length: 300 }, (_, n) => attempt(`invented${n}@firm.example`, '198.51.100.77'));
  const answer = await attempt(email, '198.51.100.200', { password: PASSWORD });
  expect(answer.status).toBe(200);
  const statuses = new Set(statusesOf(await Promise.all(flood)));
  for (const status of statuses) expect([401, 429, 503]).toContain(status);
});

test('codes cannot be guessed or used twice, through whichever worker', async () => {
  const email = await aMember();
  const owner = await signedIn(email);
  const offer = await owner.post('/console/profile/second-factor');
  const secret = String(offer.body.data?.secret);
  const confirmed = await owner.send('PUT', '/console/profile/second-factor', { code: codeAt(secret, Date.now()) });
  const codes = confirmed.body.data?.recovery_codes as string[];
  expect(codes).toHaveLength(10);

  const replayed = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      attempt(email, `192.0.2.${100 + n}`, { password: PASSWORD, code: codes[0] ?? '' }),
    ),
  );
  expect(count(replayed, 200), 'a recovery code works once').toBe(1);
  expect((await attempt(email, '192.0.2.110', { password: PASSWORD, code: codes[1] ?? '' })).status).not.toBe(500);

  const other = await aMember();
  const member = await signedIn(other);
  const second = String((await member.post('/console/profile/second-factor')).body.data?.secret);
  await member.send('PUT', '/console/profile/second-factor', { code: codeAt(second, Date.now()) });
  const startedAt = performance.now();
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      attempt(other, `192.0.2.${150 + n}`, { password: PASSWORD, code: String(100_000 + n) }),
    ),
  );
  expect(count(guesses, 401)).toBeLessThanOrEqual(checkedAtMost(startedAt));
  expect(count(guesses, 401) + refused(guesses)).toBe(30);
});

test('a session that was ended is refused by both workers at once', async () => {
  const email = await aMember();
  const browser = await signedIn(email);
  const { cookie } = browser;
  await browser.delete('/console/session');
  const replays = await Promise.all(
    Array.from({ length: 12 }, () => new Browser(service.dashboard, cookie).get('/console/session')),
  );
  expect(new Set(statusesOf(replays))).toEqual(new Set([401]));
});

test('a passkey without a verified user is refused, and its answer signs in once, through whichever worker', async () => {
  const email = await aMember();
  const owner = await signedIn(email);
  const key = new TestAuthenticator();
  const origin = service.dashboard;
  const { body } = await owner.post('/console/profile/passkeys/offer');
  const passkey = key.make(String(body.data?.challenge), { origin });
  expect((await owner.post('/console/profile/passkeys', { name: 'Laptop', passkey })).status).toBe(200);

  const challenge = async () => String((await new Browser(origin).post('/console/passkey')).body.data?.challenge);
  const use = (answer: ReturnType<TestAuthenticator['use']>) =>
    new Browser(origin).post('/console/session/passkey', { passkey: answer });
  expect((await use(key.use(await challenge(), { origin, verifies: false }))).status).toBe(400);
  const answer = key.use(await challenge(), { origin });
  const uses = await Promise.all(Array.from({ length: 8 }, () => use(answer)));
  expect(count(uses, 200)).toBe(1);
  // Refused as used, before that for a counter that has not grown, because there are so many, or because the machine is busy.
  for (const status of statusesOf(uses)) expect([200, 400, 401, 429, 503]).toContain(status);
});
