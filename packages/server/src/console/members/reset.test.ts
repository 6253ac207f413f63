import { expect, test } from 'vitest';
import { OPERATOR } from '../../domain/change.ts';
import { createResetLink } from '../../domain/members/reset-password.ts';
import { codeAt } from '../../domain/members/second-factor.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { openTestConsole, type TestConsole } from '../../testing/test-console.ts';

const OWNER = 'owner@firm.example';
const NEW_PASSWORD = 'nine purple walruses waltz';

const offer = async ({ store, clock }: TestConsole, email = OWNER, endSessions = false) =>
  (await createResetLink({ ...store, clock }, OPERATOR, { email, endSessions })).token;

async function openFirm() {
  const firm = await openTestConsole();
  const owner = await firm.owner();
  const use = (token: string, password = NEW_PASSWORD) =>
    firm.browser().post('/console/reset/password', { token, password });
  return { ...firm, firm, ownerBrowser: owner, use };
}

test('a link sets a new password, removes the second factor, ends all other sessions and is on record', async () => {
  const { firm, ownerBrowser, browser, clock } = await openFirm();
  const offered = await ownerBrowser.post('/console/profile/second-factor');
  const code = codeAt(String(offered.body.data?.secret), clock.now());
  expect((await ownerBrowser.send('PUT', '/console/profile/second-factor', { code })).status).toBe(200);

  const token = await offer(firm, 'OWNER@firm.example');
  expect((await browser().post('/console/reset', { token })).body.data).toEqual({
    email: OWNER,
    account_name: 'Firm',
    removes_second_factor: true,
  });
  expect((await ownerBrowser.get('/console/session')).status, 'until it is used, all stays').toBe(200);

  const fresh = browser();
  expect((await fresh.post('/console/reset/password', { token, password: NEW_PASSWORD })).status).toBe(200);
  expect((await fresh.get('/console/session')).body.data).toMatchObject({ email: OWNER, role: 'owner' });
  expect((await ownerBrowser.get('/console/session')).status).toBe(401);
  expect((await browser().signIn(OWNER, TEST_PASSWORD)).status).toBe(401);
  expect((await browser().signIn(OWNER, NEW_PASSWORD)).body.data).toEqual({ signed_in: true });
  expect((await fresh.get('/console/profile')).body.data).toMatchObject({ has_second_factor: false });
  const entries = (await fresh.get('/console/activity')).body.data?.results as { action: string; member: string }[];
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'member.reset-offered', member: 'operator', subject: OWNER, address: '' }),
      expect.objectContaining({ action: 'profile.password-reset', member: OWNER, address: '127.0.0.1' }),
    ]),
  );
});

test('a link works once, for an hour, and not after a newer one or after the password was changed', async () => {
  const { firm, ownerBrowser, use, clock, store } = await openFirm();
  const older = await offer(firm);
  const newer = await offer(firm);
  expect((await use(older)).status).toBe(404);
  expect((await use(newer, 'too short')).status, 'a refused password leaves the link').toBe(400);
  const both = await Promise.all([use(newer), use(newer)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);

  const overtaken = await offer(firm);
  const password = 'seven green herons hurry';
  const again = firm.browser();
  await again.signIn(OWNER, NEW_PASSWORD);
  const change = { password: NEW_PASSWORD, new_password: password };
  expect((await again.send('PUT', '/console/profile/password', change)).status).toBe(200);
  expect((await use(overtaken)).status).toBe(404);

  const late = await offer(firm);
  clock.advance(3600);
  expect((await use(late)).status).toBe(404);
  await store.links.removeExpired(clock.now());
  expect((await ownerBrowser.get('/console/session')).status).toBe(401);
});

test('a link ends with its member, even when a member with the same email joins again', async () => {
  const { firm, ownerBrowser, browser, use } = await openFirm();
  const join = async () => {
    const { body } = await ownerBrowser.post('/console/invitations', { email: 'ann@firm.example', role: 'viewer' });
    await browser().post('/console/invitation/acceptance', { token: body.data?.token, password: TEST_PASSWORD });
  };
  await join();
  const token = await offer(firm, 'ann@firm.example');
  const { members } = (await ownerBrowser.get('/console/members')).body.data as {
    members: { member_id: number; email: string }[];
  };
  const ann = members.find(({ email }) => email === 'ann@firm.example');
  expect((await ownerBrowser.delete(`/console/members/${ann?.member_id}`)).status).toBe(200);
  expect((await use(token)).status).toBe(404);
  await join();
  expect((await use(token)).status).toBe(404);
  expect((await browser().signIn('ann@firm.example')).body.data).toEqual({ signed_in: true });
});

test('sessions end at once when that is requested, and no other member is affected', async () => {
  const { firm, ownerBrowser } = await openFirm();
  const other = await firm.owner('other@firm.example');
  await offer(firm, OWNER, true);
  expect((await ownerBrowser.get('/console/session')).status).toBe(401);
  expect((await other.get('/console/session')).status).toBe(200);
  expect((await firm.browser().signIn(OWNER)).body.data, 'the old password stays').toEqual({ signed_in: true });
});

test('no link is accepted as one of another kind, and there is none for an unknown member', async () => {
  const { firm, ownerBrowser, browser, use, store } = await openFirm();
  const { body } = await ownerBrowser.post('/console/invitations', { email: 'ann@firm.example', role: 'owner' });
  const invitation = String(body.data?.token);
  expect((await use(invitation)).status).toBe(404);
  expect((await browser().post('/console/reset', { token: invitation })).status).toBe(404);

  const token = await offer(firm);
  const acceptance = { token, password: NEW_PASSWORD };
  expect((await browser().post('/console/invitation/acceptance', acceptance)).status).toBe(404);
  const setUp = { ...acceptance, name: 'Mine', email: 'mine@firm.example' };
  expect((await browser().post('/console/set-up', setUp)).status).toBe(404);
  expect((await ownerBrowser.get('/console/members')).body.data?.invitations).toHaveLength(1);
  expect((await use(token)).status, 'none of that has spent it').toBe(200);

  const [account] = await store.accounts.list();
  const before = await store.activity.read(account?.id ?? 0, {}, { offset: 0, limit: 100 });
  await expect(offer(firm, 'nobody@firm.example')).rejects.toMatchObject({ code: 'not_found' });
  expect(await store.activity.read(account?.id ?? 0, {}, { offset: 0, limit: 100 })).toEqual(before);
});
