import { expect, test } from 'vitest';
import type { Scope } from '../../domain/credentials/index.ts';
import { revokeKey } from '../../domain/credentials/manage-keys.ts';
import { updateAccount } from '../../domain/members/update-account.ts';
import { openCaller } from '../../testing/api-caller.ts';
import { aClient, addClients, TESTER } from '../../testing/builders.ts';
import { openTestApi } from '../../testing/test-api.ts';
import { openOnce } from '../../testing/when-finished.ts';

const CLIENTS = '/api/v1/clients/';
const ADA = {
  email: 'ada@mail.example',
  client_name: 'Ada Lovelace',
  client_type: 'individual',
  group_name: 'Partners',
};

/** A program that may read and write, and a way to open those of other accounts. */
async function openScene() {
  const api = await openTestApi();
  const { store, clock } = api;
  const caller = (email: string, scopes?: Scope[]) => openCaller(api, email, { ...(scopes && { scopes }) });
  const own = await caller('a@firm.example');
  const { workspaceId } = own;
  const deps = { ...store, clock, onKeysChanged: async () => {} };
  const history = async (referenceId: string) => store.clients.history(workspaceId, referenceId);
  return { api, store, clock, caller, deps, by: { workspaceId, actor: TESTER }, history, ...own };
}

test('a client is created, read, changed and erased, with a version and a history', async () => {
  const { call, history, key, clock } = await openScene();
  const created = await call('POST', CLIENTS, { ...ADA, external_id: 'CRM-1', request_status: 'accepted' });
  expect(created.status).toBe(201);
  const { reference_id: reference } = created.data;
  expect(created.body).toEqual({
    status_code: 201,
    message: 'Success',
    data: {
      ...ADA,
      reference_id: expect.any(String),
      group_token: expect.any(String),
      request_status: 'Accepted',
      client_status: 'active',
      external_id: 'CRM-1',
      created_at: new Date(clock.now()).toISOString(),
      updated_at: new Date(clock.now()).toISOString(),
    },
  });
  const path = `${CLIENTS}${reference}/`;
  expect(created.headers.get('location')).toBe(path);
  const read = await call('GET', path);
  expect(read.body.data).toEqual(created.body.data);
  expect(read.headers.get('etag')).toBe(created.headers.get('etag'));
  expect((await call('GET', path, undefined, { 'if-none-match': read.headers.get('etag') ?? '' })).status).toBe(304);

  clock.advance(1);
  const changed = await call('PATCH', path, {
    request_status: 'Pending',
    client_name: 'Ada King',
    external_id: null,
    group_name: 'New group',
    reason: 'All documents are here.',
  });
  expect(changed).toMatchObject({
    status: 200,
    body: { data: { request_status: 'Pending', client_name: 'Ada King', external_id: null, group_name: 'New group' } },
  });
  expect(changed.data.updated_at).toBe(new Date(clock.now()).toISOString());
  expect(changed.headers.get('etag')).not.toBe(read.headers.get('etag'));
  expect((await history(reference)).at(-1)).toMatchObject({ actor: key.id, reason: 'All documents are here.' });

  expect(await call('DELETE', path)).toMatchObject({ status: 200, body: { data: null } });
  expect((await call('GET', path)).status).toBe(404);
  expect((await history(reference)).every(({ reason, to }) => reason === null && to === null)).toBe(true);
});

test('a program must give a reason to decline a client if the account requires one', async () => {
  const { call, history, deps, accountId } = await openScene();
  await updateAccount(deps, { accountId, actor: TESTER }, { requiresDeclineReason: true });
  const { reference_id: reference } = (await call('POST', CLIENTS, { ...ADA, external_id: 'CRM-1' })).data;
  const declined = { request_status: 'Declined' };
  const paths = { PATCH: `${CLIENTS}${reference}/`, PUT: `${CLIENTS}by-external-id/CRM-1/` };
  for (const [method, path] of Object.entries(paths)) {
    expect(await call(method, path, declined)).toMatchObject({
      status: 400,
      body: { message: 'reason is missing: the account requires one to decline a client.' },
    });
  }
  expect((await call('PUT', paths.PUT, { ...declined, reason: 'No documents' })).status).toBe(200);
  expect((await history(reference)).at(-1)).toMatchObject({
    to: { request_status: 'declined' },
    reason: 'No documents',
  });
});

test('what contradicts the stored clients is refused with 409, and says which client is in the way', async () => {
  const { call } = await openScene();
  const first = (await call('POST', CLIENTS, { ...ADA, external_id: 'CRM-1' })).data;
  const second = (await call('POST', CLIENTS, { ...ADA, email: 'b@mail.example' })).data;
  const path = `${CLIENTS}${second.reference_id}/`;
  for (const answer of [
    await call('POST', CLIENTS, { ...ADA, email: 'ADA@mail.example' }),
    await call('POST', CLIENTS, { ...ADA, email: 'c@mail.example', external_id: 'CRM-1' }),
    await call('PATCH', path, { email: ADA.email }),
    await call('PATCH', path, { external_id: 'CRM-1' }),
    await call('PUT', `${CLIENTS}by-external-id/CRM-2/`, ADA),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining(first.reference_id) } });
  }
  expect((await call('PATCH', path, { request_status: 'completed' })).body.message).toMatch(/Accepted or Declined/);
  expect((await call('PATCH', path, { request_status: 'requested' })).status).toBe(200);
  expect((await call('GET', path)).body.data).toEqual(second);
});

test('a client is put by the id of another system: created once, then changed, and what is not given stays', async () => {
  const { call } = await openScene();
  const path = `${CLIENTS}by-external-id/${encodeURIComponent('CRM/ä 1')}/`;
  expect(await call('PUT', path, { client_name: 'Ada' })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^email is missing/) },
  });
  const created = await call('PUT', path, ADA);
  expect(created).toMatchObject({ status: 201, body: { data: { ...ADA, external_id: 'CRM/ä 1' } } });
  const changed = await call('PUT', path, { client_name: 'Ada King' });
  expect(changed).toMatchObject({
    status: 200,
    body: { data: { ...created.body.data, client_name: 'Ada King', updated_at: expect.any(String) } },
  });
  expect(changed.headers.get('etag')).not.toBe(created.headers.get('etag'));
});

test('an external id must not be empty, too long or without meaning, and the time of creation stays', async () => {
  const { call } = await openScene();
  for (const id of ['', '%20', 'x'.repeat(256), 'a%2Cb']) {
    expect(await call('PUT', `${CLIENTS}by-external-id/${id}/`, ADA), id).toMatchObject({ status: 400 });
  }
  const path = `${CLIENTS}by-external-id/CRM-1/`;
  const { data } = await call('PUT', path, ADA);
  expect((await call('PUT', path, { created_at: data.created_at })).status).toBe(200);
  expect((await call('PUT', path, { created_at: '2020-01-01T00:00:00Z' })).status).toBe(400);
});

test('If-Match changes only the version that it names', async () => {
  const { call } = await openScene();
  const created = await call('POST', CLIENTS, ADA);
  const path = `${CLIENTS}${created.data.reference_id}/`;
  const first = created.headers.get('etag') ?? '';
  const changed = await call('PATCH', path, { client_name: 'Ada 2' }, { 'if-match': first });
  expect(changed.status).toBe(200);
  for (const method of ['PATCH', 'DELETE']) {
    const sent = method === 'PATCH' ? { client_name: 'Ada 3' } : undefined;
    const refused = await call(method, path, sent, { 'if-match': first });
    expect(refused, method).toMatchObject({
      status: 412,
      body: { message: expect.stringMatching(/^Precondition failed: /) },
    });
    expect(refused.headers.get('etag')).toBe(changed.headers.get('etag'));
  }
  const second = changed.headers.get('etag') ?? '';
  const compressed = second.replace(/"$/, '.gzip"');
  expect((await call('PATCH', path, { client_name: 'Ada 4' }, { 'if-match': `"x", ${compressed}` })).status).toBe(200);
  expect((await call('PATCH', path, { client_name: 'Ada 5' }, { 'if-match': '*' })).status).toBe(200);
  expect((await call('PUT', `${CLIENTS}by-external-id/none/`, ADA, { 'if-match': '*' })).status).toBe(412);
});

test('a request with the same Idempotency-Key is answered again and changes nothing, and another one is refused', async () => {
  const { call, renew, clock } = await openScene();
  const once = { 'idempotency-key': 'order-1' };
  const first = await call('POST', CLIENTS, ADA, once);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  clock.advance(60);
  const again = await call('POST', CLIENTS, ADA, once);
  expect(again.text).toBe(first.text);
  expect(again.status).toBe(201);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  for (const name of ['etag', 'location']) expect(again.headers.get(name)).toBe(first.headers.get(name));
  expect((await call('POST', CLIENTS, { ...ADA, email: 'b@mail.example' }, once)).status).toBe(422);
  // A refusal is kept as well, and nothing of the change that was refused.
  const refused = await call('POST', CLIENTS, { ...ADA, group_name: 'partners' }, { 'idempotency-key': 'order-2' });
  expect(refused.status).toBe(409);
  await call('DELETE', `${CLIENTS}${first.data.reference_id}/`);
  const repeated = await call('POST', CLIENTS, { ...ADA, group_name: 'partners' }, { 'idempotency-key': 'order-2' });
  expect([repeated.status, repeated.text]).toEqual([409, refused.text]);
  // What was erased is not told again, and not created again.
  expect(await call('POST', CLIENTS, ADA, once)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/erased/) },
  });
  clock.advance(24 * 3600);
  await renew();
  expect((await call('POST', CLIENTS, ADA, once)).status).toBe(201);
  for (const key of ['', 'a b', 'ä', 'x'.repeat(256)]) {
    expect((await call('POST', CLIENTS, ADA, { 'idempotency-key': key })).status).toBe(400);
  }
});

test('many requests at the same time, some of them repeated, each have one effect', async () => {
  const { call, store, workspaceId } = await openScene();
  const requests = Array.from({ length: 60 }, (_, index) => index % 20);
  const answers = await Promise.all(
    requests.map((number) =>
      call('POST', CLIENTS, { ...ADA, email: `${number}@mail.example` }, { 'idempotency-key': `key-${number}` }),
    ),
  );
  for (const { status, body } of answers) {
    if (status === 409) expect(body.message).toMatch(/still running/);
    else expect(status).toBe(201);
  }
  const { totalCount } = await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 });
  expect(totalCount).toBe(20);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a change that fails does not affect those that share its transaction', async () => {
  const { call, store, workspaceId } = await openScene();
  await call('POST', CLIENTS, ADA);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      call(
        'POST',
        CLIENTS,
        index % 3 === 0 ? { ...ADA, group_name: 'Partners' } : { ...ADA, group_name: `New ${index}` },
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 3 === 0 ? 409 : 201)));
  const { totalCount } = await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 });
  expect(totalCount).toBe(9);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('without the scope nothing is changed, and with a key that was revoked meanwhile neither', async () => {
  const { call, caller, deps, by, key, store, workspaceId } = await openScene();
  const reader = await caller('b@firm.example', ['clients:read']);
  expect(await reader.call('POST', CLIENTS, ADA)).toMatchObject({ status: 403 });
  const writer = await caller('c@firm.example', ['clients:write']);
  expect((await writer.call('GET', `${CLIENTS}1700000000000-0001/`)).status).toBe(403);
  expect((await writer.call('POST', CLIENTS, ADA)).status).toBe(201);
  // Nobody tells this process, so it still accepts the token.
  await revokeKey(deps, by, key.id);
  expect(await call('POST', CLIENTS, ADA)).toMatchObject({ status: 401 });
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount).toBe(0);
});

test('clients and groups of another account look like those that do not exist', async () => {
  const { call, caller } = await openScene();
  const created = (await call('POST', CLIENTS, { ...ADA, external_id: 'CRM-1' })).data;
  const stranger = await caller('b@firm.example');
  const messageOf = (text: string, id: string) => text.replaceAll(id, 'ID');
  for (const [method, sent] of [
    ['GET', undefined],
    ['PATCH', { client_name: 'X' }],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await stranger.call(method, `${CLIENTS}${created.reference_id}/`, sent);
    const unknown = await stranger.call(method, `${CLIENTS}1700000000000-999999999999/`, sent);
    expect(foreign.status, method).toBe(404);
    expect(messageOf(foreign.text, created.reference_id)).toBe(messageOf(unknown.text, '1700000000000-999999999999'));
  }
  const nobodys = '00000000-0000-4000-8000-000000000000';
  for (const group_token of [created.group_token, nobodys]) {
    const { group_name, ...client } = ADA;
    expect(await stranger.call('POST', CLIENTS, { ...client, group_token })).toMatchObject({
      status: 404,
      body: { message: expect.stringMatching(/^Not found: there is no group/) },
    });
    expect((await stranger.call('PATCH', `/api/v1/groups/${group_token}/`, { group_name: 'Y' })).status).toBe(404);
  }
  expect((await stranger.call('PUT', `${CLIENTS}by-external-id/CRM-1/`, ADA)).status).toBe(201);
  expect((await call('GET', `${CLIENTS}${created.reference_id}/`)).body.data).toEqual(created);
});

const sharedScene = openOnce(openScene);

test.each<[string, unknown, number, RegExp]>([
  ['an unknown field', { ...ADA, colour: 'red' }, 400, /^colour is not a field/],
  ['a missing field', { ...ADA, email: undefined }, 400, /^email is missing/],
  ['a number', { ...ADA, client_name: 7 }, 400, /^client_name must be text/],
  ['no group', { ...ADA, group_name: undefined }, 400, /^group_name or group_token is missing/],
  [
    'a group twice',
    { ...ADA, group_token: '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90' },
    400,
    /either group_name or group_token/,
  ],
  [
    'a wrong status',
    { ...ADA, request_status: 'done' },
    400,
    /^request_status must be one of pending, declined, completed, accepted, requested\.$/,
  ],
  ['a wrong email', { ...ADA, email: 'ada' }, 400, /^email /],
  ['a NUL character', { ...ADA, client_name: 'A\0B' }, 400, /^client_name must not contain a NUL/],
  [
    'broken UTF-8',
    `{"email":"ada@mail.example","client_name":"A\ud800","client_type":"company","group_name":"G"}`,
    400,
    /client_name/,
  ],
  [
    'a time in the future',
    { ...ADA, created_at: '2999-01-01T00:00:00Z' },
    400,
    /^created_at must not be in the future/,
  ],
  ['an external id with a comma', { ...ADA, external_id: 'a,b' }, 400, /^external_id must not contain commas/],
  ['a list', [ADA], 400, /must be an object/],
  ['no JSON', '{"email"', 400, /not valid JSON/],
  ['__proto__', '{"__proto__":{"a":1}}', 400, /not valid JSON/],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, /must be an object/],
  ['two megabytes', { ...ADA, client_name: 'x'.repeat(2_000_000) }, 413, /too large/],
])('a body with %s is refused and changes nothing', async (_what, body, status, message) => {
  const { call, store, workspaceId } = await sharedScene();
  expect(await call('POST', CLIENTS, body)).toMatchObject({
    status,
    body: { message: expect.stringMatching(message) },
  });
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount).toBe(0);
  expect(await store.groups.list(workspaceId)).toEqual([]);
});

test('another content type is refused with 415, and an unknown parameter with 400', async () => {
  const { call } = await openScene();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/csv']) {
    expect((await call('POST', CLIENTS, JSON.stringify(ADA), { 'content-type': type })).status).toBe(415);
  }
  expect((await call('POST', `${CLIENTS}?dry_run=true`, ADA)).status).toBe(400);
});

test('groups are listed with their sizes, created and renamed', async () => {
  const { call, store, workspaceId } = await openScene();
  await addClients(store, workspaceId, [
    aClient({ groupName: 'Beta' }),
    aClient({ groupName: 'alpha' }),
    aClient({ groupName: 'Beta' }),
  ]);
  const made = await call('POST', '/api/v1/groups/', { group_name: 'Gamma' }, { 'idempotency-key': 'g' });
  expect(made).toMatchObject({ status: 201, body: { data: { group_name: 'Gamma', client_count: 0 } } });
  expect((await call('POST', '/api/v1/groups/', { group_name: 'GAMMA' })).status).toBe(409);
  const list = await call('GET', '/api/v1/groups-list/?page_limit=2');
  expect(list.body.data).toMatchObject({
    page_number: 1,
    total_count: 3,
    page_limit: 2,
    total_pages: 2,
    results: [
      { group_name: 'alpha', client_count: 1 },
      { group_name: 'Beta', client_count: 2 },
    ],
  });
  const token = list.data.results[1]?.group_token ?? '';
  const renamed = await call('PATCH', `/api/v1/groups/${token.toUpperCase()}/`, { group_name: 'Delta' });
  expect(renamed).toMatchObject({
    status: 200,
    body: { data: { group_name: 'Delta', group_token: token, client_count: 2 } },
  });
  expect((await call('PATCH', '/api/v1/groups/alpha/', { group_name: 'X' })).status).toBe(404);
});

test('a refused request can be corrected and sent again with the same Idempotency-Key', async () => {
  const { call, clock } = await openScene();
  const key = { 'idempotency-key': 'step-1' };
  const future = new Date(clock.now() + 1500).toISOString();
  const wrong = [
    { ...ADA, group_name: undefined },
    { ...ADA, external_id: 'a,b' },
    { ...ADA, created_at: future },
  ];
  for (const body of wrong) expect((await call('POST', CLIENTS, body, key)).status).toBe(400);
  clock.advance(2);
  expect((await call('POST', CLIENTS, { ...ADA, created_at: future }, key)).status).toBe(201);
});

test('a precondition that is no tag is refused as such, and every 412 tells the current version', async () => {
  const { call } = await openScene();
  const created = await call('POST', CLIENTS, ADA);
  const etag = created.headers.get('etag') ?? '';
  const path = `${CLIENTS}${created.data.reference_id}/`;
  for (const tag of ['abc', etag.replaceAll('"', '')]) {
    const refused = await call('PATCH', path, { client_name: 'X' }, { 'if-match': tag });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^If-Match must be \* or an ETag/) },
    });
  }
  for (let attempt = 0; attempt < 2; attempt++) {
    const stale = await call('PATCH', path, { client_name: 'X' }, { 'if-match': '"0-0"', 'idempotency-key': 'k' });
    expect(stale.status).toBe(412);
    expect(stale.headers.get('etag')).toBe(etag);
  }
});

test('with If-None-Match: * a client is only added, never overwritten', async () => {
  const { call } = await openScene();
  const path = `${CLIENTS}by-external-id/CRM-1/`;
  const only = { 'if-none-match': '*' };
  expect((await call('PUT', path, ADA, only)).status).toBe(201);
  expect((await call('PUT', path, { client_name: 'Overwritten' }, only)).status).toBe(412);
  expect((await call('PUT', path, { client_name: 'Changed' }, { 'if-none-match': '"1"' })).status).toBe(400);
  expect((await call('PUT', path, {})).data.client_name).toBe(ADA.client_name);
});

test('a body that has a name twice is refused, whichever value was meant', async () => {
  const { call } = await openScene();
  const created = await call('POST', CLIENTS, ADA);
  const path = `${CLIENTS}${created.data.reference_id}/`;
  const body = '{"client_name":"one","client_name":"two"}';
  const refused = await call('PATCH', path, body, { 'content-type': 'application/json' });
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('it has client_name twice') },
  });
  expect((await call('GET', path)).data.client_name).toBe(ADA.client_name);
});
