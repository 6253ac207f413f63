import { expect, test } from 'vitest';
import { findWorkspace } from '../domain/members/account.ts';
import { aClient, addClients, TESTER } from '../testing/builders.ts';
import { openTestConsole } from '../testing/test-console.ts';
import { openOnce } from '../testing/when-finished.ts';

const PATH = '/console/production';
const CLIENT = { email: 'a@mail.example', client_name: 'Ada', client_type: 'company', group_name: 'North' };

const sharedOwner = openOnce(async () => (await openTestConsole()).owner());

test.each([
  ['\u200b', 'must contain a character that can be seen'],
  ['\u2060\u00ad', 'must contain a character that can be seen'],
  ['\u202eevil', 'must not contain the invisible character U+202E, which turns text around'],
  ['a\u2066b', 'must not contain the invisible character U+2066, which turns text around'],
])('what is called %j is refused, and the message says why', async (name, problem) => {
  const browser = await sharedOwner();
  const refused = [
    ['client_name', await browser.post(`${PATH}/clients`, { ...CLIENT, client_name: name })],
    ['group_name', await browser.post(`${PATH}/clients`, { ...CLIENT, group_name: name })],
    ['group_name', await browser.post(`${PATH}/groups`, { group_name: name })],
    ['name', await browser.post(`${PATH}/views`, { name, filters: {}, is_shared: true })],
    ['name', await browser.post(`${PATH}/keys`, { name })],
  ] as const;
  for (const [field, { status, body }] of refused) {
    expect([status, body.message]).toEqual([400, `${field} ${problem}.`]);
  }
  const file = `email,client_name,client_type,group_name\na@mail.example,${name},company,North\n`;
  const { import: ended, rejected } = await browser.import('production', file);
  expect(ended).toMatchObject({ state: 'completed', inserted: 0, rejected: 1 });
  expect(rejected).toEqual([{ line: 2, lines: [2], reason: `client_name ${problem}`, rows: 1 }]);
});

test('a name that was stored before is shown as it is, and what has it can be changed and renamed', async () => {
  const { owner, store, clock } = await openTestConsole();
  const browser = await owner();
  const name = '\u202eevil';
  const workspaceId = await findWorkspace(store, 'owner@firm.example', 'production');
  const { referenceId = '', ...client } = aClient({ name, groupName: name });
  await addClients(store, workspaceId, [{ referenceId, ...client }]);
  const { body } = await browser.post(`${PATH}/keys`, { name: 'Billing' });
  const keyId = String(body.data?.key_id);
  const fields = { name, note: '', allowedNetworks: [], expiresAt: null, rateLimit: null };
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: clock.now() }, async (change) => {
    await change.keys.update(keyId, fields);
    change.record('key.updated', name);
  });

  const detail = (await browser.get(`${PATH}/clients/${referenceId}`)).body.data as { client: Record<string, unknown> };
  const { reference_id: _id, group_token: token, created_at: _at, ...seen } = detail.client;
  expect(seen).toMatchObject({ client_name: name, group_name: name });
  const change = { seen, change: { client_status: 'inactive' } };
  expect((await browser.send('PATCH', `${PATH}/clients/${referenceId}`, change)).status).toBe(200);
  expect((await browser.send('PATCH', `${PATH}/groups/${token}`, { group_name: 'Live' })).status).toBe(200);
  expect((await browser.send('PATCH', `${PATH}/keys/${keyId}`, { name, note: 'Old' })).body.data).toMatchObject({
    name,
    note: 'Old',
  });
});
