import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { OPERATOR } from '../../domain/change.ts';
import { createResetLink } from '../../domain/members/reset-password.ts';
import { codeAt } from '../../domain/members/second-factor.ts';
import { androidCertificates } from '../../testing/android-certificates.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { type CborValue, newClientDataHash, TestAuthenticator } from '../../testing/test-authenticator.ts';
import { Browser, openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';

const OWNER = 'owner@firm.example';
const MINUTE = 60;

async function openFirm() {
  const firm = await openTestConsole();
  const origin = firm.address.replace('127.0.0.1', 'localhost');
  const owner = new Browser(origin, (await firm.owner()).cookie);
  const browser = () => new Browser(origin);
  const signInWith = async (key: TestAuthenticator, options = {}, visitor = browser()) => {
    const passkey = key.use(await challengeFor(visitor), { origin, ...options });
    return visitor.post('/console/session/passkey', { passkey });
  };
  return { ...firm, firm, origin, owner, browser, signInWith };
}

async function challengeFor(visitor: Browser): Promise<string> {
  return String((await visitor.post('/console/passkey')).body.data?.challenge);
}

async function add(member: Browser, key: TestAuthenticator, origin: string, { name = 'Laptop', ...options } = {}) {
  const { body } = await member.post('/console/profile/passkeys/offer');
  const passkey = key.make(String(body.data?.challenge), { origin, ...options });
  return member.post('/console/profile/passkeys', { name, passkey });
}

const codesIn = (answer: { body: { data: Record<string, unknown> | null } }) =>
  answer.body.data?.recovery_codes as string[];

test('a passkey is added, signs in without a password, and is on record with its name', async () => {
  const { origin, owner, browser, signInWith, clock } = await openFirm();
  const elsewhere = browser();
  await elsewhere.signIn(OWNER);
  const [laptop, phone] = [new TestAuthenticator(), new TestAuthenticator()];
  const added = await add(owner, laptop, origin);
  expect(codesIn(added)).toHaveLength(10);
  expect((await elsewhere.get('/console/session')).status, 'other browsers are signed out').toBe(401);
  clock.advance(1);
  expect(codesIn(await add(owner, phone, origin, { name: 'Phone' })), 'there are codes already').toEqual([]);

  const visitor = browser();
  expect((await signInWith(phone, {}, visitor)).status).toBe(200);
  expect((await visitor.get('/console/session')).body.data).toMatchObject({
    email: OWNER,
    has_second_factor: true,
    has_passkey: true,
  });
  expect((await visitor.get('/console/profile')).body.data).toMatchObject({
    has_app: false,
    recovery_codes_left: 10,
    passkeys: [
      { passkey_id: laptop.id, name: 'Laptop', used_at: null },
      { passkey_id: phone.id, name: 'Phone', used_at: expect.any(String) },
    ],
  });
  const entries = (await visitor.get('/console/activity')).body.data?.results;
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'profile.passkey-added', subject: 'Phone', member: OWNER }),
      expect.objectContaining({ action: 'sign-in.succeeded', subject: OWNER }),
    ]),
  );
});

test('whoever has a passkey cannot sign in with the password alone, and can with a recovery code', async () => {
  const { origin, owner, browser } = await openFirm();
  const codes = codesIn(await add(owner, new TestAuthenticator(), origin));
  expect((await browser().signIn(OWNER)).body.data).toEqual({ signed_in: false });
  expect((await browser().signIn(OWNER, TEST_PASSWORD, '123456')).status).toBe(401);
  expect((await browser().signIn(OWNER, TEST_PASSWORD, codes[0])).body.data).toEqual({ signed_in: true });
  expect((await browser().signIn(OWNER, TEST_PASSWORD, codes[0])).status, 'once').toBe(401);
});

test('an answer is refused without a verified user, twice, too late, for another page, and for anything that was changed', async () => {
  const { origin, owner, browser, signInWith, clock, store } = await openFirm();
  const key = new TestAuthenticator();
  expect((await add(owner, key, origin, { verifies: false } as object)).status).toBe(400);
  expect((await add(owner, key, 'http://evil.example')).status).toBe(400);
  expect((await add(owner, key, origin, { rpId: 'evil.example' } as object)).status).toBe(400);
  expect((await add(owner, key, origin)).status).toBe(200);

  expect((await signInWith(key, { verifies: false })).status).toBe(400);
  expect((await signInWith(key, { origin: 'http://evil.example' })).status).toBe(400);
  expect((await signInWith(key, { rpId: 'evil.example' })).status).toBe(400);
  const visitor = browser();
  const passkey = key.use(await challengeFor(visitor), { origin });
  const use = (changed = {}) => visitor.post('/console/session/passkey', { passkey: { ...passkey, ...changed } });
  expect((await use({ signature: `A${passkey.signature.slice(1)}` })).status).toBe(400);
  expect((await use({ signature: '' })).body.message).toContain('signature');
  const other = key.use(await challengeFor(visitor), { origin });
  expect((await use({ client_data: other.client_data })).status).toBe(400);
  const both = await Promise.all([use(), use()]);
  expect(both.map(({ status }) => status).sort(), 'an answer is good for one session').toEqual([200, 401]);

  const late = key.use(await challengeFor(visitor), { origin });
  clock.advance(5 * MINUTE);
  expect((await visitor.post('/console/session/passkey', { passkey: late })).status).toBe(400);
  const offered = String((await visitor.post('/console/profile/passkeys/offer')).body.data?.challenge);
  const forAdding = key.use(offered, { origin });
  expect((await browser().post('/console/session/passkey', { passkey: forAdding })).status).toBe(400);
  const unknown = new TestAuthenticator();
  expect((await signInWith(unknown)).status).toBe(401);

  await store.refusals.flush(Number.POSITIVE_INFINITY);
  const { results } = (await visitor.get('/console/activity?kind=sign-in')).body.data as { results: Refusal[] };
  const refused = results.filter(({ action }) => action === 'sign-in.failed');
  expect(refused.map(({ member, subject }) => [member, subject])).toEqual([
    [OWNER, `${OWNER}, with a passkey (2 times)`],
    [OWNER, `${OWNER}, with a passkey (6 times)`],
  ]);
  const inInstallation = await store.activityChains.inSnapshot((read) => Array.fromAsync(read.entries('installation')));
  expect(inInstallation.at(-1)).toMatchObject({ action: 'sign-in.failed', subject: 'an unknown passkey' });
});

interface Refusal {
  action: string;
  member: string;
  subject: string;
}

test('certificates that come with a new passkey are refused, and nothing is fetched from the addresses that they name', async () => {
  const { owner, origin } = await openFirm();
  const fetched: string[] = [];
  const elsewhere = createServer((request, response) => {
    fetched.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  onTestFinished(() => void elsewhere.close());
  const { port } = elsewhere.address() as AddressInfo;
  const key = new TestAuthenticator();
  const { body } = await owner.post('/console/profile/passkeys/offer');
  const challenge = String(body.data?.challenge);
  const x5c = await androidCertificates(key, newClientDataHash(challenge, origin), `http://127.0.0.1:${port}/revoked`);
  const entries = new Map<string, CborValue>([
    ['alg', -7],
    ['sig', Buffer.from([1])],
    ['x5c', x5c],
  ]);
  const passkey = key.make(challenge, { origin, statement: { format: 'android-key', entries } });
  expect((await owner.post('/console/profile/passkeys', { name: 'Phone', passkey })).status).toBe(400);
  expect(fetched).toEqual([]);
});

const sharedFirm = openOnce(openFirm);

test.each(['AA', 'oA', 'gA', 'v_8', '____'])('an attestation that is none, %s, is refused', async (attestation) => {
  const { owner, origin } = await sharedFirm();
  const key = new TestAuthenticator();
  const { body } = await owner.post('/console/profile/passkeys/offer');
  const passkey = { ...key.make(String(body.data?.challenge), { origin }), attestation };
  expect((await owner.post('/console/profile/passkeys', { name: 'Laptop', passkey })).status).toBe(400);
});

test.each([
  { client_data: 'AA' },
  { client_data: Buffer.from('null').toString('base64url') },
  { client_data: Buffer.from('{"type":"webauthn.get","challenge":7}').toString('base64url') },
  { authenticator_data: 'AA' },
  { authenticator_data: 'A'.repeat(4000) },
  { id: 'A' },
])('an answer with %j is refused', async (odd) => {
  const { owner, origin, browser } = await openFirm();
  const key = new TestAuthenticator();
  await add(owner, key, origin);
  const visitor = browser();
  const passkey = { ...key.use(await challengeFor(visitor), { origin }), ...odd };
  expect((await visitor.post('/console/session/passkey', { passkey })).status).toBe(odd.id ? 401 : 400);
});

test('an authenticator whose counter goes backwards may have been copied, and is refused', async () => {
  const { origin, owner, signInWith } = await openFirm();
  const key = new TestAuthenticator();
  key.counter = 5;
  await add(owner, key, origin);
  key.counter = 7;
  expect((await signInWith(key)).status).toBe(200);
  key.counter = 6;
  expect((await signInWith(key)).status).toBe(400);
});

test('a proof needs a passkey of this member or a recovery code, and replaces the token', async () => {
  const { origin, owner, browser, clock, firm } = await openFirm();
  const key = new TestAuthenticator();
  const codes = codesIn(await add(owner, key, origin));
  clock.advance(11 * MINUTE);
  const create = () => owner.post('/console/production/keys', { name: 'key' });
  const refused = await create();
  expect([refused.status, refused.body.message]).toEqual([
    428,
    'Use a passkey or a recovery code to create an API key.',
  ]);
  const prove = (proof: object) => owner.post('/console/session/proof', proof);
  expect((await prove({ password: TEST_PASSWORD })).status).toBe(400);
  const other = new TestAuthenticator();
  const stranger = new Browser(origin, (await firm.owner('other@other.example')).cookie);
  await add(stranger, other, origin);
  expect((await prove({ passkey: other.use(await challengeFor(browser()), { origin }) })).status).toBe(400);
  const before = owner.cookie;
  expect((await prove({ passkey: key.use(await challengeFor(browser()), { origin }) })).status).toBe(200);
  expect(owner.cookie).not.toBe(before);
  expect((await create()).status).toBe(200);
  clock.advance(11 * MINUTE);
  expect((await prove({ code: codes[0] })).status).toBe(200);
  expect((await create()).status).toBe(200);
});

test('signing in with a code of the app does not count as a proof for whoever has a passkey', async () => {
  const { origin, owner, browser, clock } = await openFirm();
  const key = new TestAuthenticator();
  await add(owner, key, origin);
  const { body } = await owner.post('/console/profile/second-factor');
  const secret = String(body.data?.secret);
  await owner.send('PUT', '/console/profile/second-factor', { code: codeAt(secret, clock.now()) });
  clock.advance(MINUTE);
  const phished = browser();
  expect((await phished.signIn(OWNER, TEST_PASSWORD, codeAt(secret, clock.now()))).body.data).toEqual({
    signed_in: true,
  });
  const removal = { passkey_id: key.id, password: TEST_PASSWORD };
  for (const [path, form] of [
    ['/console/profile/passkeys/removal', removal],
    ['/console/profile/passkeys/offer', undefined],
    ['/console/profile/recovery-codes', undefined],
  ] as const) {
    expect((await phished.post(path, form)).status, path).toBe(428);
  }
});

test('a removed passkey does not sign in, and with the last one its recovery codes end', async () => {
  const { origin, owner, browser, signInWith } = await openFirm();
  const [laptop, phone] = [new TestAuthenticator(), new TestAuthenticator()];
  const codes = codesIn(await add(owner, laptop, origin));
  await add(owner, phone, origin, { name: 'Phone' });
  const remove = (key: TestAuthenticator, password = TEST_PASSWORD) =>
    owner.post('/console/profile/passkeys/removal', { passkey_id: key.id, password });
  expect((await remove(laptop, 'wrong password')).status).toBe(400);
  expect((await remove(laptop)).status).toBe(200);
  expect((await remove(laptop)).status).toBe(404);
  expect((await signInWith(laptop)).status).toBe(401);
  expect((await browser().signIn(OWNER)).body.data).toEqual({ signed_in: false });
  expect((await remove(phone)).status).toBe(200);
  expect((await browser().signIn(OWNER)).body.data).toEqual({ signed_in: true });
  expect((await owner.get('/console/profile')).body.data).toMatchObject({ recovery_codes_left: 0, passkeys: [] });
  expect((await browser().signIn(OWNER, TEST_PASSWORD, codes[0])).body.data).toEqual({ signed_in: true });
});

test('a link of the operator removes passkeys, too', async () => {
  const { origin, owner, browser, signInWith, store, clock } = await openFirm();
  const key = new TestAuthenticator();
  await add(owner, key, origin);
  const { token } = await createResetLink({ ...store, clock }, OPERATOR, { email: OWNER, endSessions: false });
  const password = 'nine purple walruses waltz';
  expect((await browser().post('/console/reset/password', { token, password })).body.data).toEqual({ signed_in: true });
  expect((await signInWith(key)).status).toBe(401);
  expect((await browser().signIn(OWNER, password)).body.data).toEqual({ signed_in: true });
});

test('no member can have, use or remove the passkey of another', async () => {
  const { origin, owner, firm, signInWith } = await openFirm();
  const key = new TestAuthenticator();
  await add(owner, key, origin);
  const stranger = new Browser(origin, (await firm.owner('other@other.example')).cookie);
  expect((await add(stranger, key, origin)).status, 'its id is taken').toBe(409);
  const removal = await stranger.post('/console/profile/passkeys/removal', {
    passkey_id: key.id,
    password: TEST_PASSWORD,
  });
  expect(removal.status).toBe(404);
  expect((await signInWith(key)).status).toBe(200);
});

test('at an address without a host name, passkeys are refused with what to do', async () => {
  const { firm } = await openFirm();
  const { status, body } = await firm.browser().post('/console/passkey');
  expect(status).toBe(409);
  expect(body.message).toMatch(/^Passkeys belong to a host name\. Open http:\/\/localhost:\d+ instead/);
});
