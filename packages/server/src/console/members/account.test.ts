import { expect, test } from 'vitest';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { openTestConsole } from '../../testing/test-console.ts';

const CLIENT = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_name: 'North' };

test('an owner decides whether a reason is required to decline a client, others only see it, and it is on record', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const { body } = await owner.post('/console/invitations', { email: 'admin@firm.example', role: 'admin' });
  const admin = testConsole.browser();
  await admin.post('/console/invitation/acceptance', { token: body.data?.token, password: TEST_PASSWORD });
  const isRequired = async () => (await admin.get('/console/account')).body.data;
  const require = (answer: boolean) => owner.send('PATCH', '/console/account', { requires_decline_reason: answer });

  expect(await isRequired()).toEqual({ requires_decline_reason: false });
  expect((await admin.send('PATCH', '/console/account', { requires_decline_reason: true })).status).toBe(403);
  for (const answer of [true, true, false]) expect((await require(answer)).status).toBe(200);
  expect(await isRequired()).toEqual({ requires_decline_reason: false });
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
