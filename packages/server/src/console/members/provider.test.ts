import { expect, test } from 'vitest';
import { codeAt } from '../../domain/members/second-factor.ts';
import { openIdProvider } from '../../oidc/open-id-provider.ts';
import { anAccount } from '../../testing/builders.ts';
import { DASHBOARD, openTestConsole, type TestConsole } from '../../testing/test-console.ts';
import { OIDC_CLIENT, startIdentityProvider } from '../../testing/test-identity-provider.ts';

const OWNER = 'owner@firm.example';
const CALLBACK = `${DASHBOARD}/console/provider/callback`;

/** A browser that follows redirects by hand, and keeps the cookies of both sites. */
class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #console: string;

  constructor(address: string) {
    this.#console = address;
  }

  async open(url: string, options: RequestInit = {}): Promise<Response> {
    // The dashboard has another address in links than in this test.
    const real = url.replace(DASHBOARD, this.#console);
    const cookie = [...this.#cookies].map((each) => each.join('=')).join('; ');
    const headers = { origin: this.#console, 'content-type': 'application/json', ...options.headers, cookie };
    const answer = await fetch(real, { ...options, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  /** Goes where the redirects lead, up to a page of the dashboard, and returns its path. Stops before an address that matches. */
  async follow(url: string, stopAt?: RegExp): Promise<string> {
    for (let next = url, steps = 0; steps < 10; steps++) {
      const { pathname, search, origin } = new URL(next, DASHBOARD);
      if (origin === DASHBOARD && !pathname.startsWith('/console/')) return pathname + search;
      if (stopAt?.test(next)) return next;
      const answer = await this.open(new URL(next, DASHBOARD).href);
      next = new URL(answer.headers.get('location') ?? '', new URL(next, DASHBOARD)).href;
    }
    throw new Error('There are too many redirects.');
  }

  async session(): Promise<{ email: string; account_name: string } | null> {
    const answer = await this.open(`${DASHBOARD}/console/session`);
    return ((await answer.json()) as { data: { email: string; account_name: string } | null }).data;
  }

  signIn = (stopAt?: RegExp) => this.follow(`${DASHBOARD}/console/provider`, stopAt);
}

async function openFirm() {
  const service = await startIdentityProvider(() => CALLBACK);
  const settings = { issuer: service.issuer, clientId: OIDC_CLIENT.id, clientSecret: OIDC_CLIENT.secret };
  const firm = await openTestConsole({ provider: openIdProvider(settings) });
  const owner = await firm.owner();
  return { ...firm, firm, service, owner, visitor: () => new Visitor(firm.address) };
}

const actionsIn = async ({ store }: TestConsole) => {
  const [account] = await store.accounts.list();
  const entries = await store.activity.read(account?.id ?? 0, {}, { offset: 0, limit: 100 });
  return entries.entries.map(({ action, subject }) => `${action} ${subject}`);
};

test('a member signs in through the service, is known by its name for them from then on, and it is on record', async () => {
  const { firm, service, visitor } = await openFirm();
  const first = visitor();
  expect(await first.signIn()).toBe('/');
  expect(await first.session()).toMatchObject({ email: OWNER });
  service.person.email = 'renamed@firm.example';
  const second = visitor();
  expect(await second.signIn(), 'the email has changed there').toBe('/');
  expect(await second.session()).toMatchObject({ email: OWNER });
  const actions = await actionsIn(firm);
  expect(actions.filter((each) => each.startsWith('profile.identity-linked'))).toEqual([
    `profile.identity-linked ${service.issuer}`,
  ]);
  expect(actions.filter((each) => each === `sign-in.succeeded ${OWNER}`).length).toBeGreaterThanOrEqual(2);
});

test('nobody else gets in: unknown and unverified emails, another person with the email of a member, other spellings', async () => {
  const { firm, service, visitor } = await openFirm();
  const refused = async (person: Partial<typeof service.person>) => {
    Object.assign(service.person, { subject: 'stranger', email: OWNER, isVerified: true }, person);
    const stranger = visitor();
    expect(await stranger.signIn()).toBe('/sign-in?problem=unknown');
    expect(await stranger.session()).toBeNull();
  };
  await refused({ email: 'nobody@firm.example' });
  await refused({ isVerified: false });
  // These letters count as the same elsewhere, and may make another mailbox.
  await refused({ email: 'owner@firm.example'.replace('firm', 'ﬁrm') });
  Object.assign(service.person, { subject: 'person-1', email: OWNER, isVerified: true });
  expect(await visitor().signIn()).toBe('/');
  await refused({ subject: 'person-2' });

  await firm.store.refusals.flush(Number.POSITIVE_INFINITY);
  const inInstallation = await firm.store.activityChains.inSnapshot((read) =>
    Array.fromAsync(read.entries('installation')),
  );
  expect(inInstallation.filter(({ action }) => action === 'sign-in.failed').map(({ subject }) => subject)).toEqual([
    'somebody whom the sign-in service has named and who is not a member (4 times)',
  ]);
});

test('the email of a member is compared letter by letter, except for the case of A to Z', async () => {
  const { firm, service, owner, visitor } = await openFirm();
  for (const email of ['kate@firm.example', 'jürg@firm.example']) await firm.join(owner, email, 'viewer');
  const visit = async (email: string) => {
    Object.assign(service.person, { subject: email, email });
    const person = visitor();
    const page = await person.signIn();
    return (await person.session())?.email ?? page;
  };
  expect(await visit('\u212aate@firm.example'), 'with the sign of the unit kelvin').toBe('/sign-in?problem=unknown');
  expect(await visit('jÜrg@firm.example')).toBe('/sign-in?problem=unknown');
  expect(await visit('KATE@Firm.example')).toBe('kate@firm.example');
  expect(await visit('JüRG@firm.example')).toBe('jürg@firm.example');
});

test('the service does not replace the second factor of a member', async () => {
  const { owner, visitor, clock } = await openFirm();
  const { body } = await owner.post('/console/profile/second-factor');
  const secret = String(body.data?.secret);
  await owner.send('PUT', '/console/profile/second-factor', { code: codeAt(secret, clock.now()) });
  clock.advance(60);
  const member = visitor();
  const enter = (code: string) =>
    member.open(`${DASHBOARD}/console/session/provider`, { method: 'POST', body: JSON.stringify({ code }) });
  expect((await enter(codeAt(secret, clock.now()))).status, 'without a visit to the service').toBe(401);
  expect(await member.signIn()).toBe('/sign-in?step=code');
  expect(await member.session()).toBeNull();
  expect((await enter('000000')).status).toBe(401);
  expect((await enter(codeAt(secret, clock.now()))).status).toBe(200);
  expect(await member.session()).toMatchObject({ email: OWNER });

  const late = visitor();
  await late.signIn();
  clock.advance(301);
  const code = JSON.stringify({ code: codeAt(secret, clock.now()) });
  expect((await late.open(`${DASHBOARD}/console/session/provider`, { method: 'POST', body: code })).status).toBe(401);
});

test('a member of several accounts chooses one after the visit to the service, and is linked there only', async () => {
  const { firm, service, visitor, clock } = await openFirm();
  const second = await anAccount(firm.store, firm.clock, { name: 'Second', email: OWNER });
  const member = visitor();
  const accounts = async () => {
    const answer = await member.open(`${DASHBOARD}/console/provider/accounts`);
    return { status: answer.status, ...((await answer.json()) as { data: unknown }) };
  };
  const choose = async (id: number) => {
    const body = JSON.stringify({ account_id: id });
    return (await member.open(`${DASHBOARD}/console/provider/account`, { method: 'POST', body })).status;
  };
  expect(await choose(second.id), 'without a visit to the service').toBe(401);
  expect(await member.signIn()).toBe('/sign-in?step=account');
  expect(await member.session()).toBeNull();
  expect((await accounts()).data).toEqual({
    accounts: [
      { account_id: expect.any(Number), name: 'Firm' },
      { account_id: second.id, name: 'Second' },
    ],
  });
  expect(await choose(999)).toBe(401);
  expect(await choose(second.id)).toBe(200);
  expect(await member.session()).toMatchObject({ email: OWNER, account_name: 'Second' });
  expect(
    await firm.store.identities.find({ issuer: service.issuer, subject: service.person.subject, email: OWNER }),
  ).toEqual([expect.objectContaining({ accountId: second.id })]);
  expect((await accounts()).status, 'the note is used up').toBe(401);

  const late = visitor();
  expect(await late.signIn()).toBe('/sign-in?step=account');
  clock.advance(301);
  expect((await late.open(`${DASHBOARD}/console/provider/accounts`)).status, 'after five minutes').toBe(401);
  service.person.subject = 'another person with this email';
  expect(await visitor().signIn(), 'neither the linked account nor the other one').toBe('/sign-in?problem=unknown');
  await anAccount(firm.store, firm.clock, { name: 'Third', email: OWNER });
  const invitedLater = visitor();
  expect(await invitedLater.signIn(), 'what they were invited to afterwards').toBe('/');
  expect(await invitedLater.session()).toMatchObject({ account_name: 'Third' });
});

test('an answer of the service belongs to the browser that has asked, and works once', async () => {
  const { visitor, clock } = await openFirm();
  const [victim, attacker] = [visitor(), visitor()];
  const callback = await attacker.signIn(/provider\/callback/);
  expect(await victim.follow(callback), 'the victim did not ask').toBe('/sign-in?problem=provider');
  await victim.signIn(/provider\/callback/);
  expect(await victim.follow(callback), 'the victim asked something else').toBe('/sign-in?problem=provider');
  expect(await victim.session()).toBeNull();
  expect(await attacker.follow(callback)).toBe('/');
  expect(await attacker.follow(callback), 'a second time').toBe('/sign-in?problem=provider');
  expect(await visitor().follow(`${CALLBACK}?error=access_denied&state=x`)).toBe('/sign-in?problem=provider');
  const elsewhere = await visitor().open(`${DASHBOARD}/console/provider`, {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(elsewhere.headers.get('location'), 'a link on another site').toBe('/sign-in');
  const slow = visitor();
  const late = await slow.signIn(/provider\/callback/);
  clock.advance(601);
  expect(await slow.follow(late)).toBe('/sign-in?problem=provider');
});

test('made-up answers are slowed down', async () => {
  const { visitor, log } = await openFirm();
  const attacker = visitor();
  let last = '';
  for (let attempt = 0; attempt < 22; attempt++) {
    const callback = new URL(await attacker.signIn(/provider\/callback/));
    callback.searchParams.set('code', 'made-up');
    last = await attacker.follow(callback.href);
  }
  expect(last).toBe('/sign-in?problem=wait');
  expect(log.filter((line) => line.includes('the sign-in service cannot be used')).length).toBeLessThan(22);
});

test('a service that is away is reported without a 5xx', async () => {
  const settings = { issuer: 'http://localhost:1', clientId: 'x', clientSecret: 'y' };
  const { address, log } = await openTestConsole({ provider: openIdProvider(settings) });
  expect(await new Visitor(address).signIn()).toBe('/sign-in?problem=provider');
  expect(log.filter((line) => line.includes('the sign-in service cannot be used'))).toHaveLength(1);
});

test('without a service, its addresses do not exist', async () => {
  const { browser } = await openTestConsole();
  expect((await browser().get('/console/provider')).status).toBe(404);
  expect((await browser().get('/console/provider/callback')).status).toBe(404);
  expect((await browser().get('/console/set-up')).body.data).toMatchObject({ provider: null });
});
