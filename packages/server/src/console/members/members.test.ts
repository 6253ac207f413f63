import { expect, test } from 'vitest';
import { TEST_PASSWORD, TESTER } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';

async function idOf(browser: Browser, email: string): Promise<number> {
  const members = (await browser.get('/console/members')).body.data?.members as { member_id: number; email: string }[];
  return members.find((member) => member.email === email)?.member_id ?? 0;
}

test('an invitation works once, for seven days, and can be withdrawn', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  const invite = async (email: string) =>
    String((await signedIn.post('/console/invitations', { email, role: 'admin' })).body.data?.token);
  const accept = (token: string) =>
    browser().post('/console/invitation/acceptance', { token, password: TEST_PASSWORD });

  const token = await invite('one@firm.example');
  expect((await browser().post('/console/invitation', { token })).body.data).toEqual({
    email: 'one@firm.example',
    role: 'admin',
    account_name: 'Firm',
  });
  expect((await accept(token)).status).toBe(200);
  expect((await accept(token)).status).toBe(404);

  const withdrawn = await invite('two@firm.example');
  const { body } = await signedIn.get('/console/members');
  const invitations = body.data?.invitations as { invitation_id: string }[];
  await signedIn.delete(`/console/invitations/${invitations[0]?.invitation_id}`);
  expect((await accept(withdrawn)).status).toBe(404);

  await signedIn.post('/console/session/proof', { password: TEST_PASSWORD });
  const late = await invite('three@firm.example');
  clock.advance(7 * 86_400);
  expect((await accept(late)).status).toBe(404);
});

test('an admin manages members but cannot create, change or remove an owner', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  const ownerId = await idOf(owner, 'owner@firm.example');
  const adminId = await idOf(owner, 'admin@firm.example');
  expect((await admin.post('/console/invitations', { email: 'x@firm.example', role: 'owner' })).status).toBe(403);
  expect((await admin.send('PATCH', `/console/members/${adminId}`, { role: 'owner' })).status).toBe(403);
  expect((await admin.send('PATCH', `/console/members/${ownerId}`, { role: 'viewer' })).status).toBe(403);
  expect((await admin.delete(`/console/members/${ownerId}`)).status).toBe(403);
  const denied = (await owner.get('/console/activity?kind=denial')).body.data?.results as Record<string, unknown>[];
  expect(denied.map(({ member, subject }) => [member, subject])).toEqual([
    ['admin@firm.example', 'DELETE /console/members/:memberId'],
    ['admin@firm.example', 'PATCH /console/members/:memberId'],
    ['admin@firm.example', 'POST /console/invitations'],
  ]);
  const refuseAgain = () => admin.delete(`/console/members/${ownerId}`);
  const recorded = async () => (await owner.get('/console/activity?kind=denial')).body.data?.total_count;
  await refuseAgain();
  expect(await recorded(), 'once a minute').toBe(3);
  testConsole.clock.advance(60);
  await Promise.all([refuseAgain(), refuseAgain()]);
  expect(await recorded()).toBe(4);
  await testConsole.join(admin, 'viewer@firm.example', 'viewer');
  expect((await admin.delete(`/console/members/${await idOf(owner, 'viewer@firm.example')}`)).status).toBe(200);
});

test('an account always keeps an owner', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const id = await idOf(browser, 'owner@firm.example');
  expect((await browser.send('PATCH', `/console/members/${id}`, { role: 'admin' })).status).toBe(409);
  expect((await browser.delete(`/console/members/${id}`)).status).toBe(409);
  expect((await browser.get('/console/session')).body.data).toMatchObject({ role: 'owner' });
});

test('giving a member the role that they have is not recorded', async () => {
  const { owner, join } = await openTestConsole();
  const browser = await owner();
  await join(browser, 'viewer@firm.example', 'viewer');
  const path = `/console/members/${await idOf(browser, 'viewer@firm.example')}`;
  for (const role of ['viewer', 'admin', 'admin']) {
    expect((await browser.send('PATCH', path, { role })).body.data).toMatchObject({ role });
  }
  const { text } = await browser.get('/console/activity?kind=member');
  expect(text.match(/[^"]* from \w+ to \w+/g)).toEqual(['viewer@firm.example from viewer to admin']);
});

test('a removed member is signed out at once, and a changed role counts at once', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const member = await testConsole.join(owner, 'member@firm.example', 'admin');
  const id = await idOf(owner, 'member@firm.example');
  await owner.send('PATCH', `/console/members/${id}`, { role: 'viewer' });
  expect((await member.post('/console/production/groups', { group_name: 'New' })).status).toBe(403);
  await owner.delete(`/console/members/${id}`);
  expect((await member.get('/console/session')).status).toBe(401);
});

test('the activity log says who did what, when and from where, and can be filtered', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  await testConsole.join(owner, 'admin@firm.example', 'admin');
  await testConsole.browser().signIn('owner@firm.example', 'a wrong but long password');
  await testConsole.store.refusals.flush(Number.POSITIVE_INFINITY);
  await owner.post('/console/sandbox/keys', { name: 'Billing' });
  const read = async (query: string) =>
    (await owner.get(`/console/activity${query}`)).body.data?.results as { action: string; subject: string }[];

  expect((await read('')).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['key.created', 'sign-in.failed', 'sign-in.succeeded', 'member.joined', 'member.invited']),
  );
  expect(await read('?kind=key')).toMatchObject([
    {
      at: '2026-01-31T09:30:00.000Z',
      member: 'owner@firm.example',
      subject: expect.stringMatching(/^Billing \(rc_sandbox_/),
      environment: 'sandbox',
      address: '127.0.0.1',
    },
  ]);
  expect((await read('?member=admin@firm.example')).map(({ action }) => action).sort()).toEqual([
    'member.joined',
    'sign-in.succeeded',
  ]);
  expect((await owner.get('/console/activity?kind=nonsense')).status).toBe(400);
});

const invite = async (browser: Browser, email: string, role: string) =>
  String((await browser.post('/console/invitations', { email, role })).body.data?.token);

test.each([
  ['removed', (owner: Browser, id: number) => owner.delete(`/console/members/${id}`)],
  ['made a viewer', (owner: Browser, id: number) => owner.send('PATCH', `/console/members/${id}`, { role: 'viewer' })],
])('the invitations of a member who is %s end and no longer work', async (_what, demote) => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  const token = await invite(admin, 'friend@firm.example', 'admin');
  const kept = await invite(owner, 'guest@firm.example', 'viewer');
  expect((await demote(owner, await idOf(owner, 'admin@firm.example'))).status).toBe(200);

  const accept = (link: string) =>
    testConsole.browser().post('/console/invitation/acceptance', { token: link, password: TEST_PASSWORD });
  expect((await accept(token)).status).toBe(404);
  const { body } = await owner.get('/console/members');
  expect(body.data?.invitations).toMatchObject([{ email: 'guest@firm.example' }]);
  expect((await accept(kept)).status).toBe(200);
});

test('an owner who becomes an admin keeps only the invitations that an admin may make', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const second = await testConsole.join(owner, 'second@firm.example', 'owner');
  await invite(second, 'boss@firm.example', 'owner');
  await invite(second, 'colleague@firm.example', 'admin');
  await owner.send('PATCH', `/console/members/${await idOf(owner, 'second@firm.example')}`, { role: 'admin' });
  const { body } = await owner.get('/console/members');
  expect(body.data?.invitations).toMatchObject([{ email: 'colleague@firm.example' }]);
});

test('an invitation does not work once the member who made it may no longer invite', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const second = await testConsole.join(owner, 'second@firm.example', 'owner');
  const token = await invite(second, 'boss@firm.example', 'owner');
  // As an older version or another node would leave it: the member is demoted and the invitation still exists.
  const { store } = testConsole;
  const accountId = (await store.accounts.list())[0]?.id ?? 0;
  const memberId = await idOf(owner, 'second@firm.example');
  await store.changeAccount({ accountId, actor: TESTER, at: 0 }, async (change) => {
    await change.members.setRole(memberId, 'viewer');
    change.record('member.role-changed', 'second@firm.example');
  });
  const accepted = await testConsole
    .browser()
    .post('/console/invitation/acceptance', { token, password: TEST_PASSWORD });
  expect(accepted.status).toBe(404);
  expect((await store.members.list(accountId)).map(({ email }) => email)).not.toContain('boss@firm.example');
});

test('an admin cannot withdraw the invitation of an owner', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  await invite(owner, 'boss@firm.example', 'owner');
  const invitations = (await admin.get('/console/members')).body.data?.invitations as { invitation_id: string }[];
  const path = `/console/invitations/${invitations[0]?.invitation_id}`;
  expect((await admin.delete(path)).status).toBe(403);
  expect((await owner.delete(path)).status).toBe(200);
});

test('removing a member revokes the API keys that they created, if that is requested', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  await owner.post('/console/production/keys', { name: 'of the owner' });
  for (const [email, keys, revoked] of [
    ['first@firm.example', '', false],
    ['second@firm.example', '?keys=keep', false],
    ['third@firm.example', '?keys=revoke', true],
  ] as const) {
    const admin = await testConsole.join(owner, email, 'admin');
    for (const environment of ['production', 'sandbox']) {
      await admin.post(`/console/${environment}/keys`, { name: email });
    }
    expect((await owner.delete(`/console/members/${await idOf(owner, email)}${keys}`)).status).toBe(200);
    for (const environment of ['production', 'sandbox']) {
      const list = (await owner.get(`/console/${environment}/keys`)).body.data?.keys as Record<string, unknown>[];
      expect(list.filter(({ name }) => name === email).map(({ revoked_at }) => revoked_at !== null)).toEqual([revoked]);
      expect(list.filter(({ name }) => name === 'of the owner').every(({ revoked_at }) => revoked_at === null)).toBe(
        true,
      );
    }
  }
  const { body } = await owner.get('/console/activity?kind=key');
  const entries = body.data?.results as { action: string; environment: string }[];
  const revocations = entries.filter(({ action }) => action === 'key.revoked');
  expect(revocations.map(({ environment }) => environment).sort()).toEqual(['production', 'sandbox']);
});

test('a removed member cannot return with an earlier invitation', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const forgotten = await invite(owner, 'Anna@firm.example', 'viewer');
  const used = await invite(owner, 'anna@firm.example', 'viewer');
  const accept = (token: string) =>
    testConsole.browser().post('/console/invitation/acceptance', { token, password: TEST_PASSWORD });
  expect((await accept(forgotten)).status, 'a new invitation takes the place of the old one').toBe(404);
  expect((await accept(used)).status).toBe(200);
  expect(await owner.post('/console/invitations', { email: 'ANNA@firm.example', role: 'admin' })).toMatchObject({
    status: 409,
    body: { message: 'ANNA@firm.example is already a member.' },
  });
  await owner.delete(`/console/members/${await idOf(owner, 'anna@firm.example')}`);
  for (const token of [forgotten, used]) expect((await accept(token)).status).toBe(404);
  expect((await owner.get('/console/members')).body.data).toMatchObject({ invitations: [] });
});

test('the revoked keys of a removed member are on record in the order of their creation', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  const names = ['first', 'second', 'third', 'fourth', 'fifth'];
  for (const name of names) {
    testConsole.clock.advance(1);
    await admin.post('/console/production/keys', { name });
  }
  await owner.delete(`/console/members/${await idOf(owner, 'admin@firm.example')}?keys=revoke`);
  const entries = (await owner.get('/console/activity?kind=key')).body.data?.results as Record<string, string>[];
  const revoked = entries.filter(({ action }) => action === 'key.revoked').map(({ subject }) => subject?.split(' ')[0]);
  expect(revoked.toReversed()).toEqual(names);
});

test('an invitation can be renewed: the new link works, the old one does not, and it lasts as long as a new one', async () => {
  const { owner, browser, clock } = await openTestConsole();
  const signedIn = await owner();
  const invited = await signedIn.post('/console/invitations', { email: 'late@firm.example', role: 'admin' });
  clock.advance(6 * 86_400);
  const again = browser();
  await again.signIn('owner@firm.example');
  const open = async () =>
    (await again.get('/console/members')).body.data?.invitations as { invitation_id: string; role: string }[];
  const renewed = await again.post(`/console/invitations/${(await open())[0]?.invitation_id}/renewal`);
  expect(renewed.status).toBe(200);
  expect(await open()).toMatchObject([{ email: 'late@firm.example', role: 'admin' }]);
  const accept = (answer: typeof renewed) =>
    browser().post('/console/invitation/acceptance', { token: answer.body.data?.token, password: TEST_PASSWORD });
  clock.advance(6 * 86_400);
  expect((await accept(invited)).status).toBe(404);
  expect((await accept(renewed)).status).toBe(200);
  expect((await again.post('/console/invitations/unknown/renewal')).status).toBe(401);
});

test('owners see where members are signed in and can sign them out, and nobody else can', async () => {
  const { owner, browser } = await openTestConsole();
  const signedIn = await owner();
  const join = async (role: string) => {
    const { body } = await signedIn.post('/console/invitations', { email: `${role}@firm.example`, role });
    const joined = browser();
    await joined.post('/console/invitation/acceptance', { token: body.data?.token, password: TEST_PASSWORD });
    return joined;
  };
  const [admin, viewer] = [await join('admin'), await join('viewer')];
  const { members } = (await signedIn.get('/console/members')).body.data as {
    members: { member_id: number; email: string }[];
  };
  const id = members.find(({ email }) => email === 'viewer@firm.example')?.member_id;
  const path = `/console/members/${id}/sessions`;
  expect((await admin.get(path)).status).toBe(403);
  expect((await viewer.get(path)).status).toBe(403);
  const { sessions } = (await signedIn.get(path)).body.data as { sessions: { session_id: string }[] };
  expect(sessions).toMatchObject([{ is_current: false, address: '127.0.0.1' }]);
  const ending = `${path}/${sessions[0]?.session_id}`;
  expect((await admin.delete(ending)).status).toBe(403);
  expect((await viewer.get('/console/session')).status).toBe(200);
  expect((await signedIn.delete(ending)).status).toBe(200);
  expect((await viewer.get('/console/session')).status).toBe(401);
  expect((await signedIn.delete(ending)).status).toBe(404);
  expect((await signedIn.get('/console/members/999999/sessions')).status).toBe(404);
  const { results } = (await signedIn.get('/console/activity?kind=member')).body.data as { results: unknown[] };
  expect(results[0]).toMatchObject({ action: 'member.session-ended', subject: 'viewer@firm.example' });
});
