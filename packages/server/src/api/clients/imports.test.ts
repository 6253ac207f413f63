import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { cancelImportIn } from '../../domain/clients/manage-imports.ts';
import { revokeKey } from '../../domain/credentials/manage-keys.ts';
import { openCaller } from '../../testing/api-caller.ts';
import { TESTER } from '../../testing/builders.ts';
import { openTestApi, type TestApiOptions } from '../../testing/test-api.ts';
import { aWorkbook } from '../../testing/workbook.ts';

const IMPORTS = '/api/v1/clients-imports/';
const HEADER = 'email,client_name,client_type,group_name';

interface ImportData extends Record<string, unknown> {
  import_id: string;
  state: string;
}

async function openScene(options: TestApiOptions = {}) {
  const api = await openTestApi(undefined, options);
  const { store, clock } = api;
  const caller = async (email: string) => {
    const { workspaceId, key, call: send } = await openCaller(api, email);
    const call = async (
      method: string,
      path: string,
      body?: string | Uint8Array,
      headers: Record<string, string> = {},
    ) => {
      const answer = await send(method, path, body, {
        ...(body !== undefined && { 'content-type': 'text/csv' }),
        ...headers,
      });
      return { ...answer, data: answer.data as unknown as ImportData };
    };
    const ended = async (id: string) => {
      await expect
        .poll(async () => (await call('GET', `${IMPORTS}${id}/`)).data.state)
        .not.toMatch(/^(queued|running)$/);
      return (await call('GET', `${IMPORTS}${id}/`)).data;
    };
    const total = async () => (await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount;
    return { call, ended, total, workspaceId, key, by: { workspaceId, actor: TESTER } };
  };
  const deps = { ...store, clock, onKeysChanged: async () => {} };
  return { api, store, clock, caller, deps, ...(await caller('a@firm.example')) };
}

const rows = (count: number, group = 'G') =>
  Array.from({ length: count }, (_, index) => `c${index}@mail.example,Client ${index},company,${group}`);
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

test('an import runs in the background, tells how far it is, and lists what it rejected', async () => {
  const { call, ended, total, store } = await openScene();
  const file = csv(...rows(30), 'wrong,Ada,company,G', 'x@mail.example,Ada,robot,G');
  const started = await call('POST', `${IMPORTS}?file_name=clients.csv`, file);
  expect(started).toMatchObject({ status: 202, body: { status_code: 202, data: { state: 'queued', rows_read: 0 } } });
  const { import_id: id } = started.data;
  expect(started.headers.get('location')).toBe(`${IMPORTS}${id}/`);
  expect(await ended(id)).toMatchObject({
    state: 'completed',
    rows_read: 32,
    inserted: 30,
    updated: 0,
    unchanged: 0,
    rejected: 2,
    reason: null,
  });
  expect(await total()).toBe(30);
  const rejects = await call('GET', `${IMPORTS}${id}/rejects/`);
  expect(rejects.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header, first, second, ...rest] = rejects.text.split('\n');
  expect(header).toMatch(/reject_line,reject_reason$/);
  expect(first).toMatch(/^wrong,.*,32,email /);
  expect(second).toMatch(/^x@mail\.example,.*,33,"client_type /);
  expect(rest).toEqual(['']);
  expect((await store.checkConsistency()).problems).toEqual([]);
  // The same file again changes nothing.
  const again = await call('POST', IMPORTS, file);
  expect(await ended(again.data.import_id)).toMatchObject({ inserted: 0, unchanged: 30, rejected: 2 });
});

test('a dry run, only new or only existing clients, other names of columns and NDJSON', async () => {
  const { call, ended, total } = await openScene();
  const dry = await call('POST', `${IMPORTS}?dry_run=true`, csv(...rows(3)));
  expect(await ended(dry.data.import_id)).toMatchObject({ state: 'completed', dry_run: true, inserted: 3 });
  expect(await total()).toBe(0);
  const named = 'E-Mail;Full name;CLIENT TYPE;Group Name;Colour\na@mail.example;Ada;company;G;red\n';
  const mapping = `mapping=${encodeURIComponent('E-Mail:email')},Full%20name:client_name&unknown_columns=ignore`;
  const mapped = await call('POST', `${IMPORTS}?${mapping}`, named);
  expect(await ended(mapped.data.import_id)).toMatchObject({ state: 'completed', inserted: 1 });
  const changed = csv('a@mail.example,Ada King,company,G', 'b@mail.example,Bo,company,G');
  const onlyNew = await call('POST', `${IMPORTS}?only=insert`, changed);
  expect(await ended(onlyNew.data.import_id)).toMatchObject({ inserted: 1, updated: 0, unchanged: 1, rejected: 0 });
  const json = [
    { email: 'a@mail.example', client_name: 'Ada King', client_type: 'company', group_name: 'G' },
    { email: 'c@mail.example', client_name: 'Cy', client_type: 'company', group_name: 'G' },
  ].map((each) => `${JSON.stringify(each)}\n`);
  const ndjson = { 'content-type': 'application/x-ndjson' };
  const onlyOld = await call('POST', `${IMPORTS}?only=update`, json.join(''), ndjson);
  expect(await ended(onlyOld.data.import_id)).toMatchObject({ inserted: 0, updated: 1, rejected: 1 });
  expect(await total()).toBe(2);
});

test('the caller learns how many statuses an import changes, and can keep those that clients have', async () => {
  const { call, ended } = await openScene();
  const send = async (query: string, status: string) => {
    const text = `${HEADER},request_status\na@mail.example,Ada,company,G,${status}\n`;
    return ended((await call('POST', `${IMPORTS}${query}`, text)).data.import_id);
  };
  await send('', 'declined');
  const status_changes = [{ field: 'request_status', from: 'declined', to: 'pending', rows: 1, lines: [2] }];
  expect(await send('?dry_run=true', 'pending')).toMatchObject({ updated: 1, status_changes });
  expect(await send('?keep_status=true', 'pending')).toMatchObject({ updated: 0, unchanged: 1, status_changes: [] });
  expect(await send('', 'pending')).toMatchObject({ updated: 1, status_changes });
  expect((await call('POST', `${IMPORTS}?keep_status=`, csv(...rows(1)))).status).toBe(400);
});

test('the caller learns between which groups an import moves clients, and which groups it makes', async () => {
  const { call, ended } = await openScene();
  const send = async (query: string, group: string) => {
    const text = `${HEADER},external_id\na@mail.example,Ada,company,${group},A\n`;
    return ended((await call('POST', `${IMPORTS}${query}`, text)).data.import_id);
  };
  const made = { moves: [], other_moves: 0, new_groups: ['North'], other_new_groups: 0 };
  expect(await send('', 'North')).toMatchObject({ group_changes: made });
  const group_changes = {
    ...made,
    moves: [{ from: 'North', to: 'South', rows: 1, lines: [2] }],
    new_groups: ['South'],
  };
  expect(await send('?dry_run=true', 'South')).toMatchObject({ updated: 1, group_changes });
  expect(await send('', 'South')).toMatchObject({ updated: 1, group_changes });
});

test('the caller learns which rows give the client of an id another email, and which change a client of an earlier row', async () => {
  const { call, ended } = await openScene();
  const text = `${HEADER},external_id\na@mail.example,Ada,company,North,A\nb@mail.example,Bo,company,North,A\n`;
  for (const query of ['?dry_run=true', '']) {
    const { import_id: id } = (await call('POST', `${IMPORTS}${query}`, text)).data;
    const second = { rows: 1, lines: [3] };
    expect(await ended(id)).toMatchObject({ inserted: 1, updated: 1, email_changes: second, repeats: second });
  }
});

test('the caller learns which rows add a client whose email a client of another group has', async () => {
  const { call, ended } = await openScene();
  const send = async (query: string, ...rows: string[]) =>
    ended((await call('POST', `${IMPORTS}${query}`, csv(...rows))).data.import_id);
  await send('', 'a@mail.example,Ada,company,North');
  const file = ['b@mail.example,Bo,company,Nroth', 'A@mail.example,Ada,company,Nroth'];
  for (const query of ['?dry_run=true', '']) {
    expect(await send(query, ...file)).toMatchObject({ inserted: 2, emails_elsewhere: { rows: 1, lines: [3] } });
  }
  expect(await send('', ...file)).toMatchObject({ unchanged: 2, emails_elsewhere: { rows: 0, lines: [] } });
});

test('a packed file is imported, by its media type or its content encoding', async () => {
  const { call, ended, total } = await openScene();
  const ndjson = gzipSync('{"email":"c@mail.example","client_name":"Cy","client_type":"company","group_name":"G"}\n');
  for (const [path, bytes, headers] of [
    [IMPORTS, gzipSync(csv('a@mail.example,Ada,company,G')), { 'content-type': 'application/gzip' }],
    [IMPORTS, gzipSync(csv('b@mail.example,Bo,company,G')), { 'content-encoding': 'gzip' }],
    [`${IMPORTS}?file_name=clients.ndjson.gz`, ndjson, { 'content-type': 'application/gzip' }],
  ] as const) {
    const { data } = await call('POST', path, bytes, headers);
    expect(await ended(data.import_id)).toMatchObject({ state: 'completed', inserted: 1 });
  }
  expect(await total()).toBe(3);
  const damaged = await call('POST', IMPORTS, gzipSync(csv()).subarray(0, 15), { 'content-type': 'application/gzip' });
  expect(await ended(damaged.data.import_id)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/damaged/),
  });
  expect((await call('POST', IMPORTS, csv(), { 'content-encoding': 'br' })).status).toBe(415);
});

test('an Excel workbook is imported by its media type', async () => {
  const { call, ended } = await openScene();
  const type = { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };
  const workbook = aWorkbook([
    HEADER.split(','),
    ['a@mail.example', 'Ada', 'company', 'G'],
    ['b', 'Bo', 'company', 'G'],
  ]);
  const { data } = await call('POST', IMPORTS, workbook, type);
  expect(await ended(data.import_id)).toMatchObject({ state: 'completed', inserted: 1, rejected: 1 });
  expect((await call('GET', `${IMPORTS}${data.import_id}/rejects/`)).text).toMatch(/\nb,Bo,.*,3,email must be/);
  const packed = await call('POST', IMPORTS, gzipSync(workbook), { ...type, 'content-encoding': 'gzip' });
  expect(await ended(packed.data.import_id)).toMatchObject({ state: 'completed', unchanged: 1 });
  const text = await call('POST', IMPORTS, csv(), type);
  expect(await ended(text.data.import_id)).toMatchObject({
    state: 'failed',
    reason: 'The file is not an Excel workbook (.xlsx), or it is damaged.',
  });
});

test('a mapping of a column that the file does not have is refused, even if other columns are ignored', async () => {
  const { call, ended, total } = await openScene();
  const query = '?mapping=CustomerId:external_id&unknown_columns=ignore';
  const { data } = await call('POST', `${IMPORTS}${query}`, csv('a@mail.example,Ada,company,G'));
  expect(await ended(data.import_id)).toMatchObject({
    state: 'failed',
    reason: 'line 1: the mapping names the column CustomerId, which the header does not have.',
  });
  expect(await total()).toBe(0);
});

test('dates are read in the form that the caller names, and no other', async () => {
  const { call, ended } = await openScene();
  const file = [
    'email,client_name,client_type,group_name,created_at',
    'a@mail.example,Ada,company,G,31.01.2026',
    'b@mail.example,Bo,company,G,2026-01-31',
    'c@mail.example,Cy,company,G,31.02.2026',
    'd@mail.example,Dee,company,G,31.01.26',
  ].join('\n');
  const run = async (query: string) => (await call('POST', `${IMPORTS}${query}`, file)).data;
  expect(await ended((await run('?dates=day-first')).import_id)).toMatchObject({ inserted: 2, rejected: 2 });
  expect(await ended((await run('?dates=month-first')).import_id)).toMatchObject({ unchanged: 1, rejected: 3 });
  expect((await call('POST', `${IMPORTS}?dates=us`, file)).body?.message).toContain('dates must be one of iso');
});

test('an import beyond those that may wait is refused for now, and can be tried again with the same key', async () => {
  const { call, store, workspaceId, by, clock } = await openScene();
  const request = { name: 'x', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  for (let number = 0; number <= 100; number++) {
    await store.imports.begin({ ...by, id: `imp_${number}`, request, createdAt: clock.now() });
    await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue(`imp_${number}`));
    // Run by a process that is not there, so that the others wait.
    if (number === 0) await store.imports.claim('nobody', clock.now());
  }
  const once = { 'idempotency-key': 'again' };
  const refused = await call('POST', IMPORTS, csv(), once);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: clock.now() }, (change) =>
    cancelImportIn(change, 'imp_50'),
  );
  expect((await call('POST', IMPORTS, csv(), once)).status).toBe(202);
});

test('a file that cannot be imported fails with the reason, and bad requests are refused before it is stored', async () => {
  const { call, ended, store } = await openScene();
  const bad = await call('POST', IMPORTS, 'email,colour\na,b\n');
  expect(await ended(bad.data.import_id)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^line 1: colour is not a column/),
  });
  for (const [path, body, headers, status] of [
    [IMPORTS, csv(), { 'content-type': 'application/pdf' }, 415],
    [IMPORTS, csv(), { 'content-type': 'text/csv; charset=klingon' }, 400],
    [`${IMPORTS}?only=delete`, csv(), {}, 400],
    [`${IMPORTS}?dry_run=`, csv(), {}, 400],
    [`${IMPORTS}?dry_run&only=insert`, csv(), {}, 400],
    [`${IMPORTS}?only=`, csv(), {}, 400],
    [`${IMPORTS}?mapping=a:b`, csv(), {}, 400],
    [`${IMPORTS}?mapping=email`, csv(), {}, 400],
    [IMPORTS, csv(), { 'idempotency-key': 'a b' }, 400],
    [`${IMPORTS}?colour=red`, csv(), {}, 400],
    [IMPORTS, 'x'.repeat(1024 * 1024 + 1), {}, 413],
  ] as const) {
    expect((await call('POST', path, body, headers)).status, path).toBe(status);
  }
  expect(await store.imports.claim('nobody', Number.MAX_SAFE_INTEGER)).toBeUndefined();
});

test('an import that is cancelled goes no further, and one that is over cannot be cancelled', async () => {
  const { call, ended, store, workspaceId, total } = await openScene();
  const { data } = await call('POST', IMPORTS, csv(...rows(5)));
  await ended(data.import_id);
  expect((await call('DELETE', `${IMPORTS}${data.import_id}/`)).status).toBe(409);
  expect((await call('DELETE', `${IMPORTS}imp_unknown/`)).status).toBe(404);
  // One that nobody runs: its process was killed.
  const request = { name: 'x', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const job = { workspaceId, id: 'imp_x', request, actor: TESTER, createdAt: 0 };
  await store.imports.begin(job);
  await store.imports.addPiece(workspaceId, 'imp_x', { number: 0, bytes: Buffer.from(csv(...rows(50))), at: 0 });
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: 1 }, async ({ imports, record }) => {
    record('client.imported', 'x');
    await imports.enqueue('imp_x');
    await imports.cancel('imp_x');
  });
  expect((await call('GET', `${IMPORTS}imp_x/`)).data.state).toBe('cancelled');
  expect(await store.imports.claim('somebody', 10)).toBeUndefined();
  expect(await total()).toBe(5);
});

test('imports of one account are not seen by another one', async () => {
  const { call, caller } = await openScene();
  const { data } = await call('POST', IMPORTS, csv(...rows(1)));
  const stranger = await caller('b@firm.example');
  for (const [method, path] of [
    ['GET', `${IMPORTS}${data.import_id}/`],
    ['GET', `${IMPORTS}${data.import_id}/rejects/`],
    ['DELETE', `${IMPORTS}${data.import_id}/`],
  ] as const) {
    expect((await stranger.call(method, path)).status, path).toBe(404);
  }
});

test('the same file with the same Idempotency-Key is imported once, and another file is refused', async () => {
  const { call, ended, total } = await openScene();
  const once = { 'idempotency-key': 'file-1' };
  const first = await call('POST', IMPORTS, csv(...rows(4)), once);
  await ended(first.data.import_id);
  const again = await call('POST', IMPORTS, csv(...rows(4)), once);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await call('POST', IMPORTS, csv(...rows(5)), once)).status).toBe(422);
  expect(await total()).toBe(4);
});

test('an import ends when its key is revoked', async () => {
  const { store, workspaceId, key, deps, by, total } = await openScene();
  const actor = { name: key.id, address: '', keyId: key.id, secretNumber: 1 };
  const request = { name: 'x', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  await store.imports.begin({ workspaceId, id: 'imp_x', request, actor, createdAt: 0 });
  await store.imports.addPiece(workspaceId, 'imp_x', { number: 0, bytes: Buffer.from(csv(...rows(50))), at: 0 });
  await revokeKey(deps, by, key.id);
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: 1 }, async ({ imports }) => {
    await imports.enqueue('imp_x');
  });
  await expect.poll(async () => (await store.imports.find(workspaceId, 'imp_x'))?.state).toBe('failed');
  expect(await total()).toBe(0);
});

test.each([
  'eva@mail.example,Eva Sol,individual,G',
  'Eva Sol,individual,G,eva@mail.example',
  `${HEADER}\reva@mail.example,Eva Sol,individual,G`,
  'Eva Sol,individual,G',
])('the reason why a file without a header fails does not repeat what is in it: %j', async (text) => {
  const { call, ended } = await openScene();
  const { data } = await call('POST', IMPORTS, `${text}\n`);
  const { state, reason } = await ended(data.import_id);
  expect(state).toBe('failed');
  expect(reason).toMatch(/^line 1: /);
  expect(reason).not.toMatch(/eva|sol/i);
});
