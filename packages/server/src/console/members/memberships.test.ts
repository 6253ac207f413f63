import { expect, test } from 'vitest';
import { codeAt } from '../../domain/members/second-factor.ts';
import { anAccount, TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';

const ANN = 'ann@person.example';
const PASSWORDS = { first: 'nine purple walruses waltz', second: 'seven amber herons hum' };
const WRONG = 'a wrong but long password';

/** Two accounts that know nothing of each other. */
async function openFirms() {
  const firms = await openTestConsole();
  const first = await firms.owner('owner@first.example');
  await anAccount(firms.store, firms.clock, { name: 'Second', email: 'owner@second.example' });
  const second = firms.browser();
  await second.signIn('owner@second.example');
  const accept = async (owner: Browser, email: string, password: string) => {
    const invited = await owner.post('/console/invitations', { email, role: 'viewer' });
    const browser = firms.browser();
    const token = invited.body.data?.token;
    const preview = await browser.post('/console/invitation', { token });
    const accepted = await browser.post('/console/invitation/acceptance', { token, password });
    return { browser, answers: [invited, preview, accepted] };
  };
  const join = async (owner: Browser, password: string, email = ANN) => (await accept(owner, email, password)).browser;
  return { ...firms, first, second, accept, join };
}

async function accountOf(browser: Browser): Promise<unknown> {
  return (await browser.get('/console/session')).body.data?.account_name;
}

async function accountIdOf(browser: Browser): Promise<number> {
  return Number((await browser.get('/console/session')).body.data?.account_id);
}

async function actionsSeenBy(owner: Browser): Promise<string[]> {
  const { results } = (await owner.get('/console/activity')).body.data as {
    results: { action: string; subject: string }[];
  };
  return results.map(({ action, subject }) => `${action} ${subject}`);
}

test('one email is a member of two accounts, and each password opens its own account only', async () => {
  const { first, second, join, browser } = await openFirms();
  await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.second);
  for (const [password, account] of [
    [PASSWORDS.first, 'Firm'],
    [PASSWORDS.second, 'Second'],
  ] as const) {
    const visitor = browser();
    expect((await visitor.signIn('ANN@person.example', password)).body.data).toEqual({ signed_in: true });
    expect(await accountOf(visitor)).toBe(account);
  }
  const members = (await first.get('/console/members')).body.data?.members;
  expect(members).toHaveLength(2);
});

test('whoever has the same password in several accounts chooses one, and the others show only then', async () => {
  const { first, second, join, browser } = await openFirms();
  await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.first);
  const visitor = browser();
  const choice = {
    signed_in: false,
    accounts: [
      { account_id: expect.any(Number), name: 'Firm' },
      { account_id: expect.any(Number), name: 'Second' },
    ],
  };
  const { data } = (await visitor.signIn(ANN, PASSWORDS.first)).body;
  expect(data).toEqual(choice);
  expect((await visitor.get('/console/session')).status).toBe(401);
  const [, chosen] = (data?.accounts ?? []) as { account_id: number }[];
  expect((await visitor.signIn(ANN, PASSWORDS.first, undefined, chosen?.account_id)).body.data).toEqual({
    signed_in: true,
  });
  expect(await accountOf(visitor)).toBe('Second');
  expect((await visitor.signIn(ANN, PASSWORDS.first)).body.data, 'to change to the other').toEqual(choice);
  // Without the password, nothing is said about any account.
  const wrong = await browser().signIn(ANN, WRONG, undefined, chosen?.account_id);
  const nowhere = await browser().signIn('nobody@person.example', WRONG, undefined, 999);
  expect(wrong.body.message).toBe(nowhere.body.message);
  expect((await browser().signIn(ANN, PASSWORDS.first, undefined, 999)).body.message).toBe(nowhere.body.message);
});

test('an invitation and its acceptance are answered alike, whether or not another account knows the email', async () => {
  const { first, second, accept } = await openFirms();
  await accept(first, ANN, PASSWORDS.first);
  const known = await accept(second, ANN, PASSWORDS.second);
  const unknown = await accept(second, 'bob@person.example', PASSWORDS.second);
  const told = (answers: typeof known.answers) =>
    answers.map(({ status, body }) => ({
      status,
      text: JSON.stringify(body).replace(/"token":"[^"]+"|ann@|bob@|"request_id":"[^"]+"/g, ''),
    }));
  expect(told(known.answers)).toEqual(told(unknown.answers));
  expect(known.answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a password, a second factor and a removal belong to one account', async () => {
  const { first, second, join, browser, clock } = await openFirms();
  const inFirst = await join(first, PASSWORDS.first);
  const inSecond = await join(second, PASSWORDS.second);
  const offer = await inFirst.post('/console/profile/second-factor');
  const secret = String(offer.body.data?.secret);
  expect(decodeURIComponent(String(offer.body.data?.link)), 'apps tell the accounts apart').toContain(`${ANN} (Firm)`);
  await inFirst.send('PUT', '/console/profile/second-factor', { code: codeAt(secret, clock.now()) });
  expect((await browser().signIn(ANN, PASSWORDS.first)).body.data, 'a code is needed').toEqual({ signed_in: false });
  expect((await browser().signIn(ANN, PASSWORDS.second)).body.data).toEqual({ signed_in: true });

  const changed = { password: PASSWORDS.second, new_password: 'eleven green otters nap' };
  expect((await inSecond.send('PUT', '/console/profile/password', changed)).status).toBe(200);
  expect((await inFirst.get('/console/session')).status, 'a session elsewhere stays').toBe(200);
  expect((await browser().signIn(ANN, PASSWORDS.first)).body.data).toEqual({ signed_in: false });

  const { members } = (await second.get('/console/members')).body.data as {
    members: { member_id: number; email: string }[];
  };
  const member = members.find(({ email }) => email === ANN);
  expect((await second.delete(`/console/members/${member?.member_id}`)).status).toBe(200);
  expect((await inSecond.get('/console/session')).status).toBe(401);
  expect((await inFirst.get('/console/session')).status).toBe(200);
  expect((await browser().signIn(ANN, 'eleven green otters nap')).status).toBe(401);
});

test('a refused sign-in is on record in every account that knows the email, and a success in its own', async () => {
  const { first, second, join, browser, store } = await openFirms();
  await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.second);
  await browser().signIn(ANN, WRONG);
  await browser().signIn(ANN, PASSWORDS.second);
  await store.refusals.flush(Number.POSITIVE_INFINITY);
  const [inFirst, inSecond] = [await actionsSeenBy(first), await actionsSeenBy(second)];
  expect(inFirst).toContain(`sign-in.failed ${ANN}`);
  expect(inSecond).toContain(`sign-in.failed ${ANN}`);
  const successes = (actions: string[]) => actions.filter((each) => each === `sign-in.succeeded ${ANN}`);
  expect(successes(inFirst), 'only the acceptance').toHaveLength(1);
  expect(successes(inSecond)).toHaveLength(2);
});

test('whoever has made a member with the email of somebody else can guess that one’s password no faster', async () => {
  const { first, second, join, browser, clock } = await openFirms();
  const victim = await join(first, PASSWORDS.first);
  await victim.delete('/console/session');
  // The attacker, an owner of the second account, has accepted the invitation there.
  const attacker = await join(second, PASSWORDS.second);
  let guesses = 0;
  // As strangers, and in between with their own password, to clear the count.
  for (let round = 0; round < 4; round++) {
    for (let guess = 0; guess < 3; guess++) if ((await browser().signIn(ANN, WRONG)).status === 401) guesses++;
    await browser().signIn(ANN, PASSWORDS.second);
  }
  expect(guesses).toBe(6);
  // On a device that is known for their own member.
  guesses = 0;
  for (let guess = 0; guess < 30; guess++) {
    const device = guess % 5 === 0 ? await join(second, PASSWORDS.second, `${guess}@person.example`) : attacker;
    if ((await device.signIn(ANN, WRONG)).status === 401) guesses++;
    if (guess % 3 === 0) await attacker.signIn(ANN, PASSWORDS.second);
  }
  expect(guesses).toBeLessThanOrEqual(21);
  expect((await victim.signIn(ANN, PASSWORDS.first)).status, 'the victim is not locked out').toBe(200);

  // With a password that they have just set for their own member: it would be right in both accounts.
  clock.advance(7200);
  await attacker.signIn(ANN, PASSWORDS.second);
  let password = PASSWORDS.second;
  const statuses: number[] = [];
  for (let guess = 0; guess < 14; guess++) {
    const next = `a guess with many letters ${guess}`;
    const { status } = await attacker.send('PUT', '/console/profile/password', { password, new_password: next });
    statuses.push(status);
    if (status === 200) password = next;
  }
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(11);
  expect(statuses.at(-1)).toBe(429);
});

test('a device counts the members who have signed in with it apart, so that one keeps no other out', async () => {
  const { first, second, join, browser } = await openFirms();
  const own = await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.second);
  await own.signIn(ANN, PASSWORDS.second);
  expect(await accountOf(own), 'known for both').toBe('Second');
  // Somebody who knew the password in the second account has many known devices there.
  for (let device = 0; device < 11; device++) {
    const known = browser();
    await known.signIn(ANN, PASSWORDS.second);
    for (let guess = 0; guess < 5; guess++) await known.signIn(ANN, WRONG, undefined, await accountIdOf(second));
  }
  expect((await own.signIn(ANN, PASSWORDS.second)).status, 'all devices of this member wait').toBe(429);
  expect((await own.signIn(ANN, PASSWORDS.first)).status).toBe(200);
  expect(await accountOf(own)).toBe('Firm');
});

test('a right password clears no failures of another member on the same device', async () => {
  const { first, second, join } = await openFirms();
  const own = await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.second);
  await own.signIn(ANN, PASSWORDS.second);
  const firstId = await accountIdOf(first);
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    for (let guess = 0; guess < 3; guess++) statuses.push((await own.signIn(ANN, WRONG, undefined, firstId)).status);
    expect((await own.signIn(ANN, PASSWORDS.second)).status).toBe(200);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(6);
});

test('a device is counted alike, whether or not others have the email of its owner', async () => {
  const { first, second, join, browser, clock } = await openFirms();
  const alone = await join(first, PASSWORDS.first, 'alone@person.example');
  const shared = await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.second);
  const seen: number[][] = [];
  for (const [device, email] of [
    [alone, 'alone@person.example'],
    [shared, ANN],
  ] as const) {
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++) statuses.push((await device.signIn(email, WRONG)).status);
    statuses.push((await browser().signIn(email, WRONG)).status);
    seen.push(statuses);
    clock.advance(7200);
  }
  expect(seen[0]).toEqual(seen[1]);
});

test('passwords of one email in several accounts share a salt, so that comparing them takes no longer', async () => {
  const { store, first, second, join } = await openFirms();
  await Promise.all([join(first, PASSWORDS.first), join(second, PASSWORDS.second)]);
  await join(first, PASSWORDS.first, 'bob@person.example');
  const partsOf = async (email: string) =>
    (await store.credentials.byEmail(email)).map(({ passwordHash }) => passwordHash.split('$'));
  const [one, other] = await partsOf(ANN);
  expect(one?.slice(0, 5), 'although both were set at once').toEqual(other?.slice(0, 5));
  expect(one?.[5]).not.toBe(other?.[5]);
  expect((await partsOf('bob@person.example'))[0]?.[4], 'everybody has another').not.toBe(one?.[4]);
});

test('emails that look like others are refused', async () => {
  const { first } = await openFirms();
  const answer = await first.post('/console/invitations', { email: 'own\u200ber@first.example', role: 'admin' });
  expect(answer).toMatchObject({ status: 400, body: { message: 'email must not contain invisible characters.' } });
});

test('an admin cannot replace the invitation of an owner by one of their own', async () => {
  const { first, join, browser } = await openFirms();
  const invited = await first.post('/console/invitations', { email: 'hal@person.example', role: 'owner' });
  await join(first, PASSWORDS.first);
  const { members } = (await first.get('/console/members')).body.data as {
    members: { member_id: number; email: string }[];
  };
  const ann = members.find(({ email }) => email === ANN);
  await first.send('PATCH', `/console/members/${ann?.member_id}`, { role: 'admin' });
  const admin = browser();
  await admin.signIn(ANN, PASSWORDS.first);
  const instead = { email: 'HAL@person.example', role: 'viewer' };
  expect((await admin.post('/console/invitations', instead)).status).toBe(403);
  const preview = await browser().post('/console/invitation', { token: invited.body.data?.token });
  expect(preview.body.data).toMatchObject({ role: 'owner' });
});

test('an email is one member of an account only', async () => {
  const { first, join } = await openFirms();
  await join(first, PASSWORDS.first);
  const again = await first.post('/console/invitations', { email: 'Ann@person.example', role: 'admin' });
  expect(again).toMatchObject({ status: 409, body: { message: 'Ann@person.example is already a member.' } });
});

test('the owner of one account can be a member of another and change between them', async () => {
  const { first, second, join, browser } = await openFirms();
  await join(second, PASSWORDS.second, 'owner@first.example');
  const visitor = browser();
  await visitor.signIn('owner@first.example', TEST_PASSWORD);
  expect(await accountOf(visitor)).toBe('Firm');
  expect((await visitor.signIn('owner@first.example', PASSWORDS.second)).body.data).toEqual({ signed_in: true });
  expect(await accountOf(visitor)).toBe('Second');
  expect((await visitor.post('/console/invitations', { email: ANN, role: 'viewer' })).status, 'a viewer here').toBe(
    403,
  );
  expect((await first.get('/console/session')).status).toBe(200);
});

test('a page that was loaded for one account does nothing in another that its browser has changed to', async () => {
  const { first, second, join } = await openFirms();
  const own = await join(first, PASSWORDS.first);
  await join(second, PASSWORDS.second);
  const page = { 'x-rollcall-account': String(await accountIdOf(first)) };
  const change = () => own.send('PUT', '/console/profile/password', { password: 'x', new_password: 'y' }, page);
  expect((await change()).status, 'the page of the same account').toBe(400);
  await own.signIn(ANN, PASSWORDS.second);
  expect(await change()).toMatchObject({
    status: 412,
    body: { message: 'You have changed to another account in another tab. Load the page again.' },
  });
  expect((await own.send('GET', '/console/session', undefined, page)).status).toBe(412);
  expect((await own.send('GET', '/console/session')).status).toBe(200);
});
