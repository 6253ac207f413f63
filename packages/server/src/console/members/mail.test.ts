import { expect, test } from 'vitest';
import { OPERATOR } from '../../domain/change.ts';
import { deliverMail, removeOldMail } from '../../domain/members/deliver-mail.ts';
import { createResetLink } from '../../domain/members/reset-password.ts';
import { codeAt } from '../../domain/members/second-factor.ts';
import { openSmtp } from '../../mail/smtp.ts';
import { anAccount, TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole, type TestConsole } from '../../testing/test-console.ts';
import { linkIn, startMailServer } from '../../testing/test-mail-server.ts';

const OWNER = 'owner@firm.example';
const ANN = 'ann@firm.example';
const DASHBOARD = 'https://rollcall.firm.example';
const NEW_PASSWORD = 'nine purple walruses waltz';
const MINUTE = 60;
const HOUR = 3600;

async function openFirm() {
  const firm = await openTestConsole({ sendsMail: true });
  const owner = await firm.owner();
  const server = await startMailServer();
  const reports: string[] = [];
  const deliver = () =>
    deliverMail({
      ...firm.store,
      clock: firm.clock,
      sendMail: openSmtp({ ...server.settings, from: 'Rollcall <rollcall@firm.example>' }),
      dashboardUrl: DASHBOARD,
      signal: new AbortController().signal,
      onTrouble: (error) => reports.push(String(error)),
      onSent: () => reports.push('sent'),
      onGivenUp: (kind, reason) => reports.push(`gave up on ${kind}: ${reason}`),
    });
  const forget = (email: string) => firm.browser().post('/console/forgotten-password', { email });
  const waiting = () => firm.store.mailQueue.count();
  return { ...firm, firm, owner, server, reports, deliver, forget, waiting };
}

const invite = async (owner: Browser, email = ANN) =>
  (await owner.post('/console/invitations', { email, role: 'viewer' })).body.data as {
    token: string;
    is_mailed: boolean;
  };

const accept = (firm: TestConsole, token: string) =>
  firm.browser().post('/console/invitation/acceptance', { token, password: NEW_PASSWORD });

async function addSecondFactor(browser: Browser, { clock }: TestConsole): Promise<string> {
  const { body } = await browser.post('/console/profile/second-factor');
  const secret = String(body.data?.secret);
  const code = codeAt(secret, clock.now());
  expect((await browser.send('PUT', '/console/profile/second-factor', { code })).status).toBe(200);
  return secret;
}

test('an invitation is mailed as text and HTML, and its link works once, like the one that is shown', async () => {
  const { firm, owner, server, deliver, waiting } = await openFirm();
  const { token: shown, is_mailed: isMailed } = await invite(owner);
  expect(isMailed).toBe(true);
  await deliver();
  const mail = await server.mailTo(ANN);
  expect(mail.to).toEqual([ANN]);
  expect(mail.headers).toContain('From: Rollcall <rollcall@firm.example>');
  expect(mail.headers).toMatch(/^Auto-Submitted: auto-generated/m);
  expect(mail.text).toContain('owner@firm.example has invited you to');
  expect(mail.text).toContain('works once, for 7 days');
  const link = linkIn(mail);
  expect(link.origin + link.pathname).toBe(`${DASHBOARD}/invitation`);
  expect(mail.html).toContain(`href="${link.href}"`);
  expect(link.hash).not.toBe(`#${shown}`);

  const mailed = link.hash.slice(1);
  expect((await firm.browser().post('/console/invitation', { token: mailed })).body.data).toMatchObject({ email: ANN });
  expect((await accept(firm, mailed)).status).toBe(200);
  expect((await accept(firm, shown)).status, 'both are one invitation').toBe(404);
  expect((await accept(firm, mailed)).status).toBe(404);
  expect(await waiting()).toBe(0);
});

test('an invitation that was withdrawn before its mail was sent is not mailed, and a renewed one is', async () => {
  const { firm, owner, server, deliver } = await openFirm();
  await invite(owner);
  const list = (await owner.get('/console/members')).body.data as { invitations: { invitation_id: string }[] };
  const id = list.invitations[0]?.invitation_id;
  const renewed = await owner.post(`/console/invitations/${id}/renewal`);
  await deliver();
  const mail = await server.mailTo(ANN);
  expect((await accept(firm, linkIn(mail).hash.slice(1))).status).toBe(200);
  expect((await accept(firm, String(renewed.body.data?.token))).status).toBe(404);
});

test('names cannot add markup or headers to a mail', async () => {
  const { firm, server, deliver } = await openFirm();
  const { ownerEmail } = await anAccount(firm.store, firm.clock, { name: 'F <img src=x> "&"', email: 'eve@f.example' });
  const eve = firm.browser();
  await eve.signIn(ownerEmail);
  await invite(eve);
  await deliver();
  const { html, headers } = await server.mailTo(ANN);
  expect(html).toContain('F &lt;img src=x&gt; &quot;&amp;&quot;');
  expect(html).not.toContain('<img');
  expect(headers.match(/^To:/gm)).toHaveLength(1);
});

test('a mailed link sets a new password, ends all sessions, keeps the second factor, and is on record', async () => {
  const { firm, owner, server, deliver, forget } = await openFirm();
  const secret = await addSecondFactor(owner, firm);
  await deliver();
  expect((await forget('OWNER@firm.example')).body).toMatchObject({ status_code: 200, data: null });
  await deliver();
  // The spelling that was typed counts as the same, but may be another mailbox.
  const mail = await server.mailTo(OWNER, /Set a new password/);
  expect(mail.text).toContain('You will still need your second factor');
  const link = linkIn(mail);
  expect(link.origin + link.pathname).toBe(`${DASHBOARD}/reset`);
  const token = link.hash.slice(1);
  expect((await firm.browser().post('/console/reset', { token })).body.data).toEqual({
    email: OWNER,
    account_name: 'Firm',
    removes_second_factor: false,
  });
  expect((await owner.get('/console/session')).status, 'until it is used, all stays').toBe(200);

  const fresh = firm.browser();
  const set = await fresh.post('/console/reset/password', { token, password: NEW_PASSWORD });
  expect(set.body.data).toEqual({ signed_in: false });
  expect((await fresh.get('/console/session')).status).toBe(401);
  expect((await owner.get('/console/session')).status).toBe(401);
  expect((await fresh.post('/console/reset/password', { token, password: NEW_PASSWORD })).status).toBe(404);
  expect((await fresh.signIn(OWNER, TEST_PASSWORD)).status).toBe(401);
  expect((await fresh.signIn(OWNER, NEW_PASSWORD)).body.data, 'a code is asked for').toEqual({ signed_in: false });
  firm.clock.advance(MINUTE);
  const signedIn = await fresh.signIn(OWNER, NEW_PASSWORD, codeAt(secret, firm.clock.now()));
  expect(signedIn.body.data).toEqual({ signed_in: true });
  const entries = (await fresh.get('/console/activity')).body.data?.results;
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'profile.password-forgotten', member: OWNER, address: '127.0.0.1' }),
      expect.objectContaining({ action: 'profile.password-reset', member: OWNER }),
    ]),
  );
});

test('without a second factor, a mailed link also signs in, and an older one no longer works', async () => {
  const { firm, server, deliver, forget } = await openFirm();
  await forget(OWNER);
  await deliver();
  const older = linkIn(await server.mailTo(OWNER)).hash.slice(1);
  server.received.length = 0;
  await forget(OWNER);
  await deliver();
  const token = linkIn(await server.mailTo(OWNER)).hash.slice(1);
  const fresh = firm.browser();
  const password = NEW_PASSWORD;
  expect((await fresh.post('/console/reset/password', { token: older, password })).status).toBe(404);
  expect((await fresh.post('/console/reset/password', { token, password })).body.data).toEqual({ signed_in: true });
  expect((await fresh.get('/console/session')).body.data).toMatchObject({ email: OWNER });
});

test('whoever is a member of several accounts gets a link for each, and each sets the password of its account only', async () => {
  const { firm, server, deliver, forget, waiting } = await openFirm();
  await anAccount(firm.store, firm.clock, { name: 'Second', email: OWNER });
  await forget(OWNER);
  await deliver();
  expect(server.received).toHaveLength(2);
  const mail = server.received.find(({ text }) => text.includes('your account at Second'));
  const token = mail && linkIn(mail).hash.slice(1);
  const fresh = firm.browser();
  expect((await fresh.post('/console/reset/password', { token, password: NEW_PASSWORD })).status).toBe(200);
  expect((await fresh.get('/console/session')).body.data).toMatchObject({ account_name: 'Second' });
  const other = firm.browser();
  await other.signIn(OWNER, TEST_PASSWORD);
  expect((await other.get('/console/session')).body.data).toMatchObject({ account_name: 'Firm' });
  expect(await waiting(), 'that the password was changed').toBe(2);
});

test('whoever asks for a mail does not end the link of the operator, and using one of the two ends both', async () => {
  const { firm, server, deliver, forget, store, clock } = await openFirm();
  const { token } = await createResetLink({ ...store, clock }, OPERATOR, { email: OWNER, endSessions: false });
  await forget(OWNER);
  await deliver();
  const mailed = linkIn(await server.mailTo(OWNER)).hash.slice(1);
  const set = (each: string) => firm.browser().post('/console/reset/password', { token: each, password: NEW_PASSWORD });
  expect((await set(token)).body.data).toEqual({ signed_in: true });
  expect((await set(mailed)).status).toBe(404);
});

test('a mail that is sent again has the same link, is recorded once, and is not sent once the link is used', async () => {
  const { firm, server, deliver, forget, clock, store } = await openFirm();
  await forget(OWNER);
  server.refuse = { code: 451, message: 'later' };
  await deliver();
  clock.advance(MINUTE);
  server.refuse = undefined;
  await deliver();
  const token = linkIn(await server.mailTo(OWNER)).hash.slice(1);
  const [account] = await store.accounts.list();
  const { entries } = await store.activity.read(account?.id ?? 0, {}, { offset: 0, limit: 100 });
  expect(entries.filter(({ action }) => action === 'profile.password-forgotten')).toHaveLength(1);
  expect((await firm.browser().post('/console/reset/password', { token, password: NEW_PASSWORD })).status).toBe(200);
});

test('mail that has waited for too long is not sent, and is deleted even if nothing is sent any more', async () => {
  const { owner, server, deliver, forget, waiting, clock, reports, store } = await openFirm();
  await forget(OWNER);
  await invite(owner);
  clock.advance(31 * MINUTE);
  await deliver();
  expect(server.received.map(({ to }) => to)).toEqual([[ANN]]);
  expect(reports).toContain('gave up on forgotten-password: it has waited for too long');
  await invite(owner, 'late@firm.example');
  clock.advance(25 * HOUR);
  await removeOldMail({ ...store, clock });
  expect(await waiting()).toBe(0);
});

test('unknown emails are answered like known ones, get no mail, and too many requests are refused alike', async () => {
  const { server, deliver, forget, waiting } = await openFirm();
  for (const email of [OWNER, 'nobody@firm.example']) {
    const answers = [];
    for (let attempt = 0; attempt < 4; attempt++) answers.push(await forget(email));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ text }) => text)).toEqual(Array(4).fill(answers[0]?.text));
    const refused = await forget(email);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toBe('Too many attempts. Try again in 2 seconds.');
  }
  await deliver();
  // Links that were replaced before they were mailed are not mailed.
  expect(new Set(server.received.map(({ to }) => to[0]))).toEqual(new Set([OWNER]));
  expect(await waiting()).toBe(0);
});

test('members are told about new devices and about changes to their password and second factor', async () => {
  const { firm, owner, server, deliver } = await openFirm();
  const told = async () => {
    await deliver();
    const subjects = server.received.map(({ headers }) => /^Subject: (.*)$/m.exec(headers)?.[1]);
    server.received.length = 0;
    return subjects;
  };
  const laptop = firm.browser();
  await laptop.signIn(OWNER);
  expect(await told()).toEqual(['New sign-in to Rollcall']);
  await laptop.signIn(OWNER);
  expect(await told(), 'this browser is known').toEqual([]);
  await firm.browser().signIn(OWNER, 'wrong password');
  expect(await told()).toEqual([]);

  const change = { password: TEST_PASSWORD, new_password: NEW_PASSWORD };
  expect((await laptop.send('PUT', '/console/profile/password', change)).status).toBe(200);
  expect(await told()).toEqual(['Your password was changed on Rollcall']);
  const secret = await addSecondFactor(laptop, firm);
  expect(await told()).toEqual(['A second factor was added on Rollcall']);
  firm.clock.advance(MINUTE);
  const removal = { password: NEW_PASSWORD, code: codeAt(secret, firm.clock.now()) };
  expect((await laptop.post('/console/profile/second-factor/removal', removal)).status).toBe(200);
  expect(await told()).toEqual(['Your second factor was removed on Rollcall']);
  expect((await owner.get('/console/session')).status).toBe(401);
});

test('a mail that the server does not take now is sent later, once; one that it never takes is given up', async () => {
  const { owner, server, deliver, waiting, clock, reports } = await openFirm();
  await invite(owner);
  server.refuse = { code: 451, message: `try later, ${ANN}` };
  await deliver();
  await deliver();
  expect(reports, 'tried once, and without the address').toEqual([
    'Error: the mail server failed: EENVELOPE at RCPT TO, answer 451',
  ]);
  clock.advance(MINUTE);
  server.refuse = undefined;
  await Promise.all([deliver(), deliver(), deliver()]);
  await server.mailTo(ANN);
  expect(await waiting()).toBe(0);

  reports.length = 0;
  await invite(owner, 'gone@firm.example');
  server.refuse = { code: 550, message: 'no such user gone@firm.example' };
  await deliver();
  expect(reports).toEqual(['gave up on invitation: EENVELOPE at RCPT TO, answer 550']);

  expect(await waiting()).toBe(0);

  reports.length = 0;
  server.refuse = { code: 451, message: 'later' };
  await invite(owner, 'late@firm.example');
  for (let hour = 0; hour < 40; hour++) {
    await deliver();
    clock.advance(HOUR);
  }
  expect(reports.at(-1)).toBe('gave up on invitation: it has waited for too long');
  expect(reports.length).toBeLessThan(40);
  expect(await waiting()).toBe(0);
});

test('a mail that was taken by a process that died is sent by another one later', async () => {
  const { owner, server, deliver, store, clock } = await openFirm();
  await invite(owner);
  expect(await store.mailQueue.take(clock.now(), clock.now() + 900_000)).toBeDefined();
  await deliver();
  expect(server.received).toEqual([]);
  clock.advance(16 * MINUTE);
  await deliver();
  await server.mailTo(ANN);
});

test('without a mail server nothing is queued, a new password cannot be asked for, and pages know it', async () => {
  const firm = await openTestConsole();
  const owner = await firm.owner();
  expect((await invite(owner)).is_mailed).toBe(false);
  await firm.browser().signIn(OWNER);
  const answer = await firm.browser().post('/console/forgotten-password', { email: OWNER });
  expect(answer.status).toBe(404);
  expect(await firm.store.mailQueue.count()).toBe(0);
  expect((await firm.browser().get('/console/set-up')).body.data).toEqual({
    is_needed: false,
    sends_mail: false,
    provider: null,
  });
});
