import { expect, test } from 'vitest';
import type { NewClient } from '../../server/src/domain/clients/client.ts';
import { eraseClient, setRequestStatus } from '../../server/src/domain/clients/manage-clients.ts';
import { revokeAnyKey } from '../../server/src/domain/credentials/manage-keys.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../../server/src/testing/builders.ts';
import { openTestApi } from '../../server/src/testing/test-api.ts';
import { AuthenticationError, InvalidRequestError } from './errors.ts';
import { Rollcall } from './rollcall.ts';

/** The real service with this many clients, and a client for it. */
async function openReal(clients: number) {
  const api = await openTestApi();
  const { store, clock } = api;
  const { workspaceId, key, secret } = await aWorkspace(store, clock, 'owner@firm.example');
  const add = (...fields: Partial<NewClient>[]) => addClients(store, workspaceId, fields.map(aClient));
  if (clients > 0) await add(...Array.from({ length: clients }, () => ({})));
  return {
    ...api,
    workspaceId,
    key,
    secret,
    add,
    rollcall: new Rollcall({ apiKey: secret, baseUrl: api.address.production }),
  };
}

test('the real service: a page with its totals, and the records as the API shows them', async () => {
  const { rollcall } = await openReal(25);
  const page = await rollcall.clients.page({ pageNo: 3, pageLimit: 10 });
  expect(page).toMatchObject({ page_number: 3, total_count: 25, page_limit: 10, total_pages: 3 });
  expect(page.results).toHaveLength(5);
  expect(page.results[0]).toMatchObject({
    client_type: 'individual',
    request_status: 'Requested',
    group_name: 'Everyone',
  });
});

test('the real service: its address may be given with the path of the API', async () => {
  const { secret, address } = await openReal(1);
  for (const path of ['', '/', '/api/v1', '/api/v1/']) {
    const rollcall = new Rollcall({ apiKey: secret, baseUrl: `${address.production}${path}` });
    expect((await rollcall.clients.page()).total_count).toBe(1);
  }
});

test('the real service: a walk sees every client once, newest first', async () => {
  const { rollcall } = await openReal(45);
  const seen: string[] = [];
  for await (const client of rollcall.clients.list({ pageLimit: 10 })) seen.push(client.created_at);
  expect(new Set(seen).size).toBe(45);
  expect(seen).toEqual([...seen].sort().reverse());
});

test('the real service: every filter, also with a value as the record shows it', async () => {
  const { rollcall, add } = await openReal(3);
  await add({ email: 'Ann+1@mail.example', type: 'company', groupName: 'A & Ü', requestStatus: 'completed' });
  for (const filter of [
    { clientEmail: 'ann+1@MAIL.example' },
    { clientType: 'company' },
    { groupName: 'a & ü' },
    { requestStatus: 'completed' },
    { requestStatus: 'Completed' },
  ] as const) {
    const { results } = await rollcall.clients.page(filter);
    expect(results.map(({ email }) => email)).toEqual(['Ann+1@mail.example']);
  }
});

test('the real service: a token that expires in the middle of a walk is not noticed', async () => {
  const { rollcall, clock } = await openReal(30);
  let seen = 0;
  for await (const _client of rollcall.clients.list({ pageLimit: 5 })) {
    if (++seen % 8 === 0) clock.advance(2 * 3600);
  }
  expect(seen).toBe(30);
});

test('the real service: errors that the caller must fix have the message of the service', async () => {
  const { rollcall, address, store, clock, key, keyDirectory } = await openReal(1);
  const tooMany = await rollcall.clients.page({ pageLimit: 1001 }).catch((error) => error);
  expect(tooMany).toBeInstanceOf(InvalidRequestError);
  expect(tooMany).toMatchObject({ status: 400, requestId: expect.stringMatching(/^[\w-]{36}$/) });
  expect(tooMany.message).toMatch(/^page_limit/);

  await revokeAnyKey({ ...store, clock }, TESTER, key.id);
  await keyDirectory.load();
  const revoked = await rollcall.clients.page().catch((error) => error);
  expect(revoked).toBeInstanceOf(AuthenticationError);
  expect(revoked.message).toBe('Invalid API key: it has been revoked.');

  const wrong = new Rollcall({ apiKey: 'rc_production_wrong', baseUrl: address.production });
  await expect(wrong.token()).rejects.toThrow(/^Invalid API key/);
});

test('the real service: an unchanged page is the same, and a new client changes it', async () => {
  const { rollcall, add } = await openReal(3);
  const before = await rollcall.clients.page();
  expect(await rollcall.clients.page({}, { ifChangedSince: before })).toEqual(before);
  await add({});
  expect(await rollcall.clients.page({}, { ifChangedSince: before })).toMatchObject({ total_count: 4 });
});

test('the real service: a watch reports added, changed and removed clients anywhere in the list', async () => {
  const { rollcall, store, clock, workspaceId, add } = await openReal(30);
  const [oldest, second] = (await rollcall.clients.page({ pageNo: 2, pageLimit: 28 })).results.reverse();
  if (!oldest || !second) throw new Error('thirty clients');
  const changes = rollcall.clients.watch({}, { intervalMs: 5, includeExisting: true });
  const next = async () => (await changes.next()).value;
  for (let existing = 0; existing < 30; existing++) await next();

  const deps = { ...store, clock };
  const change = { workspaceId, actor: TESTER };
  await setRequestStatus(deps, change, oldest.reference_id, 'accepted');
  expect(await next()).toEqual({
    type: 'changed',
    client: { ...oldest, request_status: 'Accepted' },
    before: oldest,
  });
  await eraseClient(deps, change, second.reference_id);
  expect(await next()).toEqual({ type: 'removed', client: second });
  await add({ name: 'New' });
  expect(await next()).toMatchObject({ type: 'added', client: { client_name: 'New' } });
  await changes.return();
});
