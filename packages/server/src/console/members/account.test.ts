import { expect, test } from 'vitest';
import { codeAt } from '../../domain/members/second-factor.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';

const CLIENT = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_name: 'North' };

test('an owner decides whether a reason is required to decline a client, others only see it, and it is on record', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  const isRequired = async () => (await admin.get('/console/account')).body.data;
  const require = (answer: boolean) => owner.send('PATCH', '/console/account', { requires_decline_reason: answer });

  expect(await isRequired()).toMatchObject({ requires_decline_reason: false });
  expect((await admin.send('PATCH', '/console/account', { requires_decline_reason: true })).status).toBe(403);
  for (const answer of [true, true]) expect((await require(answer)).status).toBe(200);
  expect((await admin.get('/console/session')).body.data).toMatchObject({ requires_decline_reason: true });
  expect((await require(false)).status).toBe(200);
  expect(await isRequired()).toMatchObject({ requires_decline_reason: false });
  const { results } = (await owner.get('/console/activity?kind=account')).body.data as { results: unknown[] };
  expect(results).toMatchObject([
    { action: 'account.updated', subject: 'no reason is required to decline a client', environment: null },
    { action: 'account.updated', subject: 'a reason is required to decline a client', environment: null },
  ]);
});

test('once a reason is required, declining without one is refused with the field, and with one it is in the history', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  await browser.send('PATCH', '/console/account', { requires_decline_reason: true });
  const added = (await browser.post('/console/sandbox/clients', CLIENT)).body.data as Record<string, string>;
  const { reference_id: reference, group_token: _token, created_at: _at, ...seen } = added;
  const path = `/console/sandbox/clients/${reference}`;
  const change = { request_status: 'declined' };
  expect(await browser.send('PATCH', path, { seen, change })).toMatchObject({
    status: 400,
    body: { message: 'reason is missing: the account requires one to decline a client.' },
  });
  const many = { reference_ids: [reference], request_status: 'declined' };
  expect((await browser.post('/console/sandbox/clients/changes', many)).status).toBe(400);
  expect((await browser.send('PATCH', path, { seen, change, reason: 'No documents' })).status).toBe(200);
  expect((await browser.get(path)).body.data).toMatchObject({
    client: { request_status: 'declined' },
    history: [
      { kind: 'changed', to: { request_status: 'declined' }, reason: 'No documents' },
      { kind: 'added', reason: null },
    ],
  });
});

async function addSecondFactor(browser: Browser, now: number): Promise<void> {
  const { body } = await browser.post('/console/profile/second-factor');
  const form = { code: codeAt(String(body.data?.secret), now) };
  expect((await browser.send('PUT', '/console/profile/second-factor', form)).status).toBe(200);
}

test('an owner with a second factor can require one of all members, who can then do nothing but add it', async () => {
  const testConsole = await openTestConsole();
  const { clock } = testConsole;
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  const require = () => owner.send('PATCH', '/console/account', { requires_second_factor: true });
  expect(await require()).toMatchObject({
    status: 409,
    body: { message: 'Add a second factor to your own profile first.' },
  });
  await addSecondFactor(owner, clock.now());
  expect((await viewer.get('/console/sandbox/clients')).status).toBe(200);
  expect((await require()).status).toBe(200);
  expect((await owner.get('/console/sandbox/clients')).status).toBe(200);

  expect((await viewer.get('/console/session')).body.data).toMatchObject({ must_add_second_factor: true });
  const refused = { status: 403, body: { message: expect.stringMatching(/^Your account requires a second factor\./) } };
  for (const path of ['/console/sandbox/clients', '/console/members', '/console/activity', '/console/account']) {
    expect(await viewer.get(path)).toMatchObject(refused);
  }
  const form = { password: TEST_PASSWORD, new_password: 'nine purple walruses waltz' };
  expect(await viewer.send('PUT', '/console/profile/password', form)).toMatchObject(refused);
  await addSecondFactor(viewer, clock.now());
  expect((await viewer.get('/console/session')).body.data).toMatchObject({ must_add_second_factor: false });
  expect((await viewer.get('/console/sandbox/clients')).status).toBe(200);
});

test('a viewer takes no files away unless an owner allows it, and each refusal is on record', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  const exported = (browser: Browser) =>
    browser.send('POST', '/console/sandbox/clients.csv', new URLSearchParams()).then(({ status }) => status);
  const rejects = '/console/sandbox/imports/imp_unknown/rejects.csv';
  expect((await viewer.get('/console/session')).body.data).toMatchObject({ may_export: false });
  expect(await exported(viewer)).toBe(403);
  expect((await viewer.send('POST', rejects, new URLSearchParams())).status).toBe(403);
  expect(await exported(admin)).toBe(200);
  const { results } = (await owner.get('/console/activity?kind=denial')).body.data as { results: unknown[] };
  expect(results).toMatchObject([
    { member: 'viewer@firm.example', subject: 'POST /console/:environment/imports/:importId/rejects.csv' },
    { member: 'viewer@firm.example', subject: 'POST /console/:environment/clients.csv' },
  ]);

  expect((await owner.send('PATCH', '/console/account', { viewers_may_export: true })).status).toBe(200);
  expect(await exported(viewer)).toBe(200);
  expect((await viewer.get('/console/session')).body.data).toMatchObject({ may_export: true });
});
