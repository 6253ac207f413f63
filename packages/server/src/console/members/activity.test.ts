import { expect, test } from 'vitest';
import { OPERATOR } from '../../domain/change.ts';
import { importRows } from '../../domain/clients/import-clients.ts';
import { setClientStatus } from '../../domain/clients/manage-clients.ts';
import { ACTORS_MAX, SEARCHED_CLIENTS_MAX, SEARCHED_ENTRIES_MAX } from '../../domain/members/activity.ts';
import { verifyExport } from '../../domain/members/activity-record.ts';
import { openCheckpoint } from '../../domain/members/checkpoint.ts';
import { aClient, addClients } from '../../testing/builders.ts';
import { type Browser, openTestConsole, type TestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';
import type { ClientDetail, ClientRecord } from '../contract/clients/clients.ts';
import type { ActivityPage, ActivityRecord } from '../contract/members/activity.ts';

async function read(browser: Browser, query: Record<string, string> = {}): Promise<ActivityRecord[]> {
  const { body } = await browser.get(`/console/activity?${new URLSearchParams(query)}`);
  return body.data?.results as ActivityRecord[];
}

async function subjects(browser: Browser, query: Record<string, string>): Promise<string[]> {
  return (await read(browser, { kind: 'group', ...query })).map(({ subject }) => subject).sort();
}

async function createGroups(browser: Browser, ...names: string[]): Promise<void> {
  for (const name of names) await browser.post('/console/production/groups', { group_name: name });
}

async function actors(browser: Browser): Promise<string[]> {
  return (await browser.get('/console/activity/actors')).body.data?.actors as string[];
}

/** Entries of the first account by somebody else than a member. */
async function recordBy({ store }: TestConsole, ...names: string[]): Promise<void> {
  const [account] = await store.accounts.list();
  for (const name of names) {
    await store.changeAccount({ accountId: account?.id ?? 0, actor: { name, address: '' }, at: 0 }, async (change) =>
      change.record('account.updated', 'nothing changed'),
    );
  }
}

test('a search finds a part of the subject, the member or the address, with % and _ as they are', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  await createGroups(browser, '100% ours', '100 theirs', 'north_east', 'northwest', 'back\\slash');
  expect(await subjects(browser, { search: '100' })).toEqual(['100 theirs', '100% ours']);
  expect(await subjects(browser, { search: '0%' })).toEqual(['100% ours']);
  expect(await subjects(browser, { search: 'h_e' })).toEqual(['north_east']);
  expect(await subjects(browser, { search: 'north%' })).toEqual([]);
  expect(await subjects(browser, { search: 'k\\s' })).toEqual(['back\\slash']);
  expect(await subjects(browser, { search: 'owner@firm' })).toHaveLength(5);
  expect(await subjects(browser, { search: '127.0.0' })).toEqual(await subjects(browser, { search: 'owner@firm' }));
  expect(await subjects(browser, { search: 'owner@firm', member: 'somebody@else.example' })).toEqual([]);
});

test('a search for any address of the machine itself, or for what the page calls it, finds all that came from it', async () => {
  const { store, owner } = await openTestConsole();
  const browser = await owner();
  const [account] = await store.accounts.list();
  for (const address of ['::1', '127.8.0.1', '203.0.113.7', '']) {
    const context = { accountId: account?.id ?? 0, actor: { name: 'somebody', address }, at: 0 };
    await store.changeAccount(context, async (change) => change.record('account.updated', `from ${address}`));
  }
  const found = async (search: string) =>
    (await read(browser, { member: 'somebody', search })).map(({ address }) => address).sort();
  for (const search of ['127.0.0.1', '::1', '127.8.0.1', 'This machine', 'localhost']) {
    expect(await found(search), search).toEqual(['127.8.0.1', '::1']);
  }
  expect(await found('203.0.113.7')).toEqual(['203.0.113.7']);
  expect(await found('27.8')).toEqual(['127.8.0.1']);
});

test('a search for an address finds what came from there, and no clients whose references begin like its numbers', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const [account] = await testConsole.store.accounts.list();
  const accountId = account?.id ?? 0;
  const workspaceId = await testConsole.store.accounts.workspaceId(accountId, 'sandbox');
  const deps = { ...testConsole.store, clock: testConsole.clock };
  const clients = [aClient({ referenceId: '1270000000000-0001' }), aClient({ referenceId: '2030000000000-1137' })];
  const rows = clients.map((client, line) => ({ line, ...client }));
  await importRows(deps, { workspaceId, actor: OPERATOR }, rows, { id: 'imp', name: 'sample clients' });
  for (const address of ['203.0.113.7', '203.0.113.70', '2001:db8::1', '2001:db8::12']) {
    const context = { accountId, actor: { name: 'somebody', address }, at: 0 };
    await testConsole.store.changeAccount(context, async (change) => change.record('account.updated', '203.0.113.7'));
  }
  const found = async (search: string) => new Set((await read(browser, { search })).map(({ address }) => address));
  expect((await read(browser, { search: '127 0001' })).map(({ action }) => action)).toEqual(['client.imported']);
  for (const search of ['127.0.0.1', '::1', ' 127.0.0.1 ']) expect(await found(search)).toEqual(new Set(['127.0.0.1']));
  for (const address of ['203.0.113.7', '2001:db8::1']) expect(await found(address)).toEqual(new Set([address]));
  expect(await found('2001:DB8:0::1')).toEqual(new Set(['2001:db8::1']));
  expect(await found('2001:db8::')).toEqual(new Set(['2001:db8::1', '2001:db8::12']));
});

test.each([
  ['Private Banking', 'pRIVATE bank'],
  ['Zürich', 'ZÜR'],
  ['ZÜRICH', 'zür'],
  ['ΑΘΗΝΑ', 'αθηνα'],
  ['Łódź', 'łÓD'],
  ['İzmir', 'İZMIR'],
  ['Straße', 'straße'],
  ['Übersicht.csv'.normalize('NFD'), 'übersicht'],
  ['Übersicht', 'übersicht'.normalize('NFD')],
])('%s is found by %s', async (name, search) => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  await createGroups(browser, name, 'Another');
  expect(await subjects(browser, { search })).toEqual([name]);
});

test('a search finds the same on all its pages, also if more entries are compared than are read at once', async () => {
  const { owner, store, clock } = await openTestConsole();
  const browser = await owner();
  const [account] = await store.accounts.list();
  const context = { accountId: account?.id ?? 0, actor: { name: 'many', address: '' }, at: clock.now() };
  const numbers = Array.from({ length: 2600 }, (_, index) => index);
  await store.changeAccount(context, async (change) => {
    for (const number of numbers) change.record('account.updated', `${number % 3 === 0 ? 'third' : 'other'} ${number}`);
  });
  const expected = numbers
    .filter((number) => number % 3 === 0)
    .reverse()
    .map((number) => `third ${number}`);
  const found: string[] = [];
  for (let page = 1; page <= Math.ceil(expected.length / 50); page++) {
    const { body } = await browser.get(`/console/activity?search=third&kind=account&page=${page}`);
    const { total_count, results } = body.data as unknown as ActivityPage;
    expect(total_count).toBe(expected.length);
    found.push(...results.map(({ subject }) => subject));
  }
  expect(found).toEqual(expected);
  expect(await read(browser, { search: 'third', page: '19' })).toEqual([]);
  const { body } = await browser.get(
    `/console/activity?search=THIRD&member=many&from=${clock.now()}&until=${clock.now() + 1}`,
  );
  expect(body.data).toMatchObject({ total_count: expected.length });
});

test('a search looks at the newest entries, says how far back, and finds older ones in the whole log or by a reference', async () => {
  const { owner, store, clock } = await openTestConsole();
  const browser = await owner();
  await createGroups(browser, 'Needle');
  const form = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_name: 'Needle' };
  const reference = (await browser.post('/console/production/clients', form)).body.data?.reference_id as string;
  clock.advance(60);
  const [account] = await store.accounts.list();
  const context = { accountId: account?.id ?? 0, actor: { name: 'many', address: '' }, at: clock.now() };
  await store.changeAccount(context, async (change) => {
    for (let number = 0; number < SEARCHED_ENTRIES_MAX; number++) change.record('account.updated', 'hay');
  });
  const found = async (query: string) => {
    const { body } = await browser.get(`/console/activity?${query}`);
    const { total_count, searched_back_to } = body.data as unknown as ActivityPage;
    return [total_count, searched_back_to];
  };
  const backTo = new Date(context.at).toISOString();
  expect(await found('search=needle')).toEqual([0, backTo]);
  expect(await found('search=hay&page=2')).toEqual([SEARCHED_ENTRIES_MAX, backTo]);
  expect(await found('search=hay&member=many'), 'there are no others').toEqual([SEARCHED_ENTRIES_MAX, null]);
  expect(await found('search=needle&whole=true')).toEqual([1, null]);
  expect(await found('kind=group')).toEqual([1, null]);
  expect(await found(`search=${reference}`)).toEqual([1, null]);
});

test('entries are found from a time on and before another', async () => {
  const { owner, signedInOwner, clock } = await openTestConsole();
  await owner();
  const at = (day: string) => String(Date.parse(day));
  const createAt = async (time: string) => {
    clock.advance((Date.parse(time) - clock.now()) / 1000);
    await createGroups(await signedInOwner(), time);
  };
  const times = ['2026-02-09T23:59:59.999Z', '2026-02-10T00:00:00.000Z', '2026-02-11T23:59:59.999Z'];
  for (const time of [...times, '2026-02-12T00:00:00.000Z']) await createAt(time);
  const browser = await signedInOwner();
  expect(await subjects(browser, { from: at('2026-02-10'), until: at('2026-02-12') })).toEqual(times.slice(1));
  expect(await subjects(browser, { until: at('2026-02-10') })).toEqual(times.slice(0, 1));
  expect(await subjects(browser, { from: at('2026-02-12') })).toEqual(['2026-02-12T00:00:00.000Z']);
  expect(await subjects(browser, { from: at('2026-02-13'), until: at('2026-02-12') })).toEqual([]);
});

const sharedOwner = openOnce(async () => (await openTestConsole()).owner());

test.each([
  ['from=2026-02-10', 'from must be a whole number from 0 to 253402300799999.'],
  ['until=-1', 'until must be a whole number from 0 to 253402300799999.'],
  [`search=${'x'.repeat(101)}`, 'search must have at most 100 characters.'],
])('%s is refused', async (query, message) => {
  const { status, body } = await (await sharedOwner()).get(`/console/activity?${query}`);
  expect({ status, message: body.message }).toEqual({ status: 400, message });
});

test('the change of a client is recorded with its values before and after, its reason and its request, until it is erased', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const form = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_name: 'North' };
  const { body } = await browser.post('/console/sandbox/clients', { ...form, external_id: 'A-1' });
  const path = `/console/sandbox/clients/${body.data?.reference_id}`;
  const seen = { ...form, request_status: 'requested', client_status: 'active', external_id: 'A-1' };
  const change = { client_name: 'Ada Abebe', external_id: '' };
  const answer = await browser.send('PATCH', path, { seen, change, reason: 'She has married.' });
  expect(await read(browser, { kind: 'client' })).toMatchObject([
    {
      action: 'client.changed',
      subject: body.data?.reference_id,
      environment: 'sandbox',
      request_id: answer.headers.get('x-request-id'),
      changed: {
        from: { client_name: 'Ada', external_id: 'A-1' },
        to: { client_name: 'Ada Abebe', external_id: '' },
        reason: 'She has married.',
      },
    },
    { action: 'client.added', changed: null },
  ]);
  await browser.delete(path);
  const afterwards = await read(browser, { kind: 'client' });
  expect(afterwards.map(({ action }) => action)).toEqual(['client.erased', 'client.changed', 'client.added']);
  expect(afterwards.map(({ changed }) => changed)).toEqual([null, null, null]);
});

test('everybody who is in the log can be chosen, also removed members, API keys and the operator', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  await testConsole.join(owner, 'ben@firm.example', 'admin');
  const { members } = (await owner.get('/console/members')).body.data as {
    members: { member_id: number; email: string }[];
  };
  const id = members.find(({ email }) => email === 'ben@firm.example')?.member_id;
  expect((await owner.delete(`/console/members/${id}`)).status).toBe(200);
  await recordBy(testConsole, OPERATOR.name, 'key_0123456789');
  const names = ['ben@firm.example', 'key_0123456789', 'operator', 'owner@firm.example', 'tester'];
  expect(await actors(owner)).toEqual(names);
  for (const member of names) expect(await read(owner, { member }), member).not.toEqual([]);
});

test('of very many names, the first ones can be chosen', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const names = Array.from({ length: ACTORS_MAX + 2 }, (_, index) => `key_${String(index).padStart(3, '0')}`);
  await recordBy(testConsole, ...names);
  expect(await actors(owner)).toEqual(names.slice(0, ACTORS_MAX));
});

test('an account sees neither the entries nor the names of another one', async () => {
  const { owner } = await openTestConsole();
  const mine = await owner('me@mine.example');
  const theirs = await owner('they@theirs.example');
  await createGroups(mine, 'Shared name');
  await createGroups(theirs, 'Shared name');
  expect((await read(mine, { search: 'shared' })).map(({ member }) => member)).toEqual(['me@mine.example']);
  expect(await read(mine, { search: 'theirs' })).toEqual([]);
  expect(await actors(mine)).not.toContain('they@theirs.example');
});

test('admins take the log and a signed checkpoint away as files, which fit together and are on record; viewers do not', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  await owner.post('/console/sandbox/groups', { group_name: '=North' });
  const file = async (path: string, form = {}) =>
    owner.send('POST', `/console/activity/${path}`, new URLSearchParams(form));

  const ndjson = await file('export');
  expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="activity.ndjson"');
  const { chains } = await openCheckpoint([], (await file('checkpoint')).text);
  const lines = async function* () {
    yield* (await file('export', { format: 'ndjson' })).text.split('\n');
  };
  expect(await verifyExport(lines(), { knownKeys: [], signed: chains })).toMatchObject({
    entries: expect.any(Number),
    problems: [],
  });
  const csv = (await file('export', { format: 'csv' })).text.trimEnd().split('\n');
  expect(csv.find((line) => line.includes('North'))).toMatch(/^workspace:\d+,1,.*,group\.created,'=North,sandbox,/);
  const { results } = (await owner.get('/console/activity?kind=account')).body.data as {
    results: { action: string; subject: string }[];
  };
  expect(results.map(({ action, subject }) => [action, subject])).toEqual([
    ['account.activity-exported', 'as CSV'],
    ...Array(2).fill(['account.activity-exported', 'as NDJSON']),
  ]);

  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  for (const path of ['export', 'checkpoint']) {
    expect((await viewer.send('POST', `/console/activity/${path}`, new URLSearchParams())).status).toBe(403);
  }
  testConsole.clock.advance(660);
  expect((await file('export')).status).toBe(428);
});

test('an export in CSV has what the filters match, as the list shows it, and is on record without what was searched for', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { ann = '' } = await importClients(browser, 'ann', 'ben');
  await createGroups(browser, 'North', 'South');
  const file = async (form: Record<string, string>) =>
    browser.send('POST', '/console/activity/export', new URLSearchParams(form));
  const csv = async (form: Record<string, string>) => {
    const [header = '', ...lines] = (await file({ ...form, format: 'csv' })).text.trimEnd().split(/\r?\n/);
    const column = header.split(',').indexOf('action');
    return lines.map((line) => line.split(',')[column]);
  };
  const shown = async (query: Record<string, string> = {}) => (await read(browser, query)).map(({ action }) => action);

  for (const filter of [
    {},
    { kind: 'group' },
    { search: 'north' },
    { search: 'Ann Bell' },
    { search: ann },
    { member: 'nobody' },
    { kind: 'group', until: String(clock.now()) },
  ]) {
    const expected = await shown(filter);
    expect(await csv(filter), JSON.stringify(filter)).toEqual(expected);
  }
  expect(await csv({ search: 'Ann Bell' })).toEqual(['client.imported']);
  const [last] = await read(browser, { kind: 'account' });
  expect(last?.subject).toBe('as CSV, text');
  const { status, body } = await file({ format: 'ndjson', kind: 'group' });
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: 'Only CSV can be filtered. NDJSON has the whole log, so that it can be verified.',
  });
});

/** Clients with these names who wait for a review, by their references. */
async function importClients(browser: Browser, ...names: string[]): Promise<Record<string, string>> {
  const rows = names.map((name) => `${name}@mail.example,${name} Bell,individual,Retail,pending`);
  await browser.import('sandbox', ['email,client_name,client_type,group_name,request_status', ...rows, ''].join('\n'));
  const { body } = await browser.get('/console/sandbox/clients');
  const clients = body.data?.results as ClientRecord[];
  return Object.fromEntries(clients.map(({ email, reference_id: id }) => [email.split('@')[0], id]));
}

test('an export in CSV names clients as they are now, and says why several were changed; both go with a client that is erased', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { ann = '', ben = '' } = await importClients(browser, 'ann', 'ben');
  clock.advance(60);
  const change = { reference_ids: [ann, ben], request_status: 'declined', reason: 'Papers are missing.' };
  expect((await browser.post('/console/sandbox/clients/changes', change)).status).toBe(200);
  clock.advance(60);
  const deactivate = { reference_ids: [ann], client_status: 'inactive', reason: '=Left' };
  expect((await browser.post('/console/sandbox/clients/changes', deactivate)).status).toBe(200);
  const changed = async () => {
    const form = new URLSearchParams({ format: 'csv', kind: 'client' });
    const { text } = await browser.send('POST', '/console/activity/export', form);
    const rows = text.split(/\r?\n/).map((line) => line.split(','));
    return rows
      .filter(([, , , , , , action]) => action === 'client.changed')
      .map((row) => [row[7], row[11], ...row.slice(-2)]);
  };
  expect(await changed()).toEqual([
    ['inactive', '1', 'ann Bell', "'=Left"],
    ['declined', '2', '', 'Papers are missing.'],
  ]);
  expect((await browser.send('DELETE', `/console/sandbox/clients/${ann}`, { email: 'ann@mail.example' })).status).toBe(
    200,
  );
  expect(await changed()).toEqual([
    ['inactive', '1', '', ''],
    ['declined', '2', '', 'Papers are missing.'],
  ]);
});

test('an entry names its client as it is now, is found by its name and email, and no name is kept after it was erased', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { ann = '', bob = '' } = await importClients(browser, 'ann', 'bob');
  const change = { reference_ids: [ann], client_status: 'inactive' };
  for (const id of [ann, bob]) {
    await browser.post('/console/sandbox/review/decisions', await decisionAbout(browser, id));
  }
  clock.advance(60);
  await browser.post('/console/sandbox/clients/changes', change);
  const rename = { seen: (await decisionAbout(browser, ann)).clients[0]?.seen, change: { client_name: 'Ada Bell' } };
  expect((await browser.send('PATCH', `/console/sandbox/clients/${ann}`, rename)).status).toBe(200);

  const about = async (search: string) =>
    (await read(browser, { search })).map(({ action, subject, client }) => [action, subject, client?.client_name]);
  const ofAnn = [
    ['client.changed', ann, 'Ada Bell'],
    ['client.changed', 'inactive', 'Ada Bell'],
    ['client.changed', ann, 'Ada Bell'],
    ['client.imported', 'clients.csv', undefined],
  ];
  expect(await about('Ada')).toEqual(ofAnn);
  expect(await about('ann@mail.example')).toEqual(ofAnn);
  const ofBoth = [ann, ann, bob, 'clients.csv', 'inactive'];
  expect((await about('bell')).map(([, subject]) => subject).sort()).toEqual(ofBoth.sort());
  expect((await read(browser))[1]).toMatchObject({
    ...{ action: 'client.changed', subject: 'inactive', clients: 1, listed_as: null },
    client: { reference_id: ann, client_name: 'Ada Bell' },
  });

  await browser.delete(`/console/sandbox/clients/${bob}`);
  expect(await about('bob')).toEqual([]);
  expect((await about(bob)).map(([action, , name]) => [action, name])).toEqual([
    ['client.erased', null],
    ['client.changed', null],
  ]);
});

/** A decision about a client as it is now. */
async function decisionAbout(browser: Browser, id: string) {
  const { body } = await browser.get(`/console/sandbox/clients/${id}`);
  const { client } = body.data as unknown as ClientDetail;
  const { reference_id, group_token, created_at, ...seen } = client;
  return { clients: [{ reference_id: id, seen }], request_status: 'completed' };
}

test('a search that matches very many clients finds entries about those that were added last, and says so', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const [account] = await testConsole.store.accounts.list();
  const workspaceId = await testConsole.store.accounts.workspaceId(account?.id ?? 0, 'sandbox');
  await addClients(
    testConsole.store,
    workspaceId,
    Array.from({ length: SEARCHED_CLIENTS_MAX + 1 }, () => aClient({ name: 'Ann' })),
  );
  expect((await browser.get('/console/activity?search=ann')).body.data).toMatchObject({ leaves_out: true });
  expect((await browser.get('/console/activity?search=bob')).body.data).toMatchObject({ leaves_out: false });
});

test('a search for a client finds everything that was done to it, also together with others, and what was undone', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const { ann = '', bob = '', cleo = '', dan = '' } = await importClients(browser, 'ann', 'bob', 'cleo', 'dan');
  const change = async (form: object) => {
    testConsole.clock.advance(1);
    return (await browser.post('/console/sandbox/clients/changes', form)).body.data;
  };
  const completed = await change({ reference_ids: [ann, bob], request_status: 'completed' });
  await change({ reference_ids: [cleo, dan], client_status: 'inactive' });
  testConsole.clock.advance(1);
  await browser.post('/console/sandbox/clients/changes/undo', completed?.undo);
  const found = async (search: string) =>
    (await read(browser, { search, kind: 'client' })).map(({ subject, clients }) => [subject, clients]);
  const done = [
    ['what they were before', 2],
    ['completed', 2],
    ['clients.csv', 4],
  ];
  for (const search of [ann, 'ann', 'bob@mail.example']) expect(await found(search), search).toEqual(done);
  expect(await found(dan)).toEqual([
    ['inactive', 2],
    ['clients.csv', 4],
  ]);

  // The log shows all parts of an import as its first one.
  const [account] = await testConsole.store.accounts.list();
  const workspaceId = await testConsole.store.accounts.workspaceId(account?.id ?? 0, 'sandbox');
  const deps = { ...testConsole.store, clock: testConsole.clock };
  const parts = [aClient({ name: 'First Part' }), aClient({ name: 'Second Part' })];
  for (const part of parts) {
    testConsole.clock.advance(1);
    const by = { workspaceId, actor: { name: 'key_1', address: '' } };
    await importRows(deps, by, [{ line: 1, ...part }], { id: 'imp', name: 'list.csv' });
  }
  for (const search of ['first part', 'second part']) expect(await found(search), search).toEqual([['list.csv', 2]]);
});

test('a search finds the reason of a change, also of several clients together, until the clients are erased', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { ann = '', bob = '', cleo = '' } = await importClients(browser, 'ann', 'bob', 'cleo');
  clock.advance(1);
  const changes = { reference_ids: [ann, bob], request_status: 'declined', reason: 'The "passport" has ended. {Ü}' };
  await browser.post('/console/sandbox/clients/changes', changes);
  clock.advance(1);
  const decision = { ...(await decisionAbout(browser, cleo)), request_status: 'declined' };
  await browser.post('/console/sandbox/review/decisions', { ...decision, reason: 'No Passport yet.' });
  const found = async (search: string) => (await read(browser, { search })).map(({ subject }) => subject);
  expect(await found('PASSPORT')).toEqual([cleo, 'declined']);
  for (const search of ['"passport" has', '{ü}']) expect(await found(search), search).toEqual(['declined']);
  for (const search of ['}', 'reason', 'null']) expect(await found(search), search).not.toContain(cleo);

  // One by one and together.
  expect(await found('Declined')).toEqual([cleo, 'declined']);
  expect(await found('requested')).not.toContain(cleo);

  expect(await read(await owner('stranger@other.example'), { search: 'passport' })).toEqual([]);
  await browser.delete(`/console/sandbox/clients/${cleo}`);
  await browser.delete(`/console/sandbox/clients/${ann}`);
  expect(await found('passport')).toEqual(['declined']);
  await browser.delete(`/console/sandbox/clients/${bob}`);
  expect(await found('passport')).toEqual([]);
});

test('who searches for a whole reference means no client whose reference only begins like it', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const [account] = await testConsole.store.accounts.list();
  const workspaceId = await testConsole.store.accounts.workspaceId(account?.id ?? 0, 'sandbox');
  const deps = { ...testConsole.store, clock: testConsole.clock };
  for (const referenceId of ['1700000000000-0001', '1700000000000-00012']) {
    const by = { workspaceId, actor: OPERATOR };
    await importRows(deps, by, [{ line: 1, ...aClient({ referenceId }) }], {
      id: referenceId,
      name: `${referenceId}.csv`,
    });
    testConsole.clock.advance(1);
  }
  const found = await read(browser, { search: '1700000000000-00012' });
  expect(found.map(({ subject }) => subject)).toEqual(['1700000000000-00012.csv']);
});

test('an entry about several clients lists them with their changes for the members of the account, and one about an import leads to it', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { ann = '', bob = '', cleo = '' } = await importClients(browser, 'ann', 'bob', 'cleo');
  const changes = { reference_ids: [cleo, ann, bob], request_status: 'completed' };
  clock.advance(1);
  const { body } = await browser.post('/console/sandbox/clients/changes', { ...changes, reason: 'All is well.' });
  clock.advance(1);
  await browser.post('/console/sandbox/clients/changes/undo', body.data?.undo);
  const [undo, change, imported] = await read(browser, { kind: 'client' });
  const all = (from: string, to: string, reason: string | null) => {
    const changed = { from: { request_status: from }, to: { request_status: to }, reason };
    return [
      { reference_id: cleo, client_name: 'cleo Bell', changed },
      { reference_id: ann, client_name: 'ann Bell', changed },
      { reference_id: bob, client_name: 'bob Bell', changed },
    ];
  };
  const readList = (reader: Browser, number: unknown, environment = 'sandbox') =>
    reader.get(`/console/${environment}/activity/${number}/clients`);
  const listed = async (number: unknown) => (await readList(browser, number)).body.data?.clients;
  for (const entry of [undo, change]) expect(entry).toMatchObject({ clients: 3, client: null, changed: null });
  expect(await listed(change?.listed_as)).toEqual(all('pending', 'completed', 'All is well.'));
  expect(await listed(undo?.listed_as)).toEqual(all('completed', 'pending', null));
  expect(imported).toMatchObject({ action: 'client.imported', clients: 3, listed_as: null });
  expect((await browser.get(`/console/sandbox/imports/${imported?.import_id}`)).status).toBe(200);

  const stranger = await owner('stranger@other.example');
  expect((await readList(stranger, change?.listed_as)).status).toBe(404);
  expect((await readList(browser, change?.listed_as, 'production')).status).toBe(404);
  for (const number of ['0', '1', 'x', '99']) expect((await readList(browser, number)).status, number).toBe(404);
  await browser.delete(`/console/sandbox/clients/${ann}`);
  expect(await listed(change?.listed_as)).toContainEqual({ reference_id: ann, client_name: null, changed: null });
});

test('an entry about an undo says what the client was before and is now', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  const { ann = '' } = await importClients(browser, 'ann');
  clock.advance(1);
  const form = { reference_ids: [ann], request_status: 'completed' };
  const { body } = await browser.post('/console/sandbox/clients/changes', form);
  clock.advance(1);
  await browser.post('/console/sandbox/clients/changes/undo', body.data?.undo);
  expect((await read(browser, { kind: 'client' })).map(({ changed }) => changed)).toEqual([
    { from: { request_status: 'completed' }, to: { request_status: 'pending' }, reason: null },
    { from: { request_status: 'pending' }, to: { request_status: 'completed' }, reason: null },
    null,
  ]);
});

test('the history of a client says from where each change came, as far as the log does', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const { ann = '', bob = '' } = await importClients(browser, 'ann', 'bob');
  testConsole.clock.advance(1);
  await browser.post('/console/sandbox/review/decisions', await decisionAbout(browser, ann));
  testConsole.clock.advance(1);
  await browser.post('/console/sandbox/clients/changes', { reference_ids: [ann, bob], client_status: 'inactive' });
  const [account] = await testConsole.store.accounts.list();
  const workspaceId = await testConsole.store.accounts.workspaceId(account?.id ?? 0, 'sandbox');
  testConsole.clock.advance(1);
  const deps = { ...testConsole.store, clock: testConsole.clock };
  await setClientStatus(deps, { workspaceId, actor: OPERATOR }, ann, 'active');
  // Both parts of an import, of which the log shows one entry.
  const by = { workspaceId, actor: { name: 'key_1', address: '203.0.113.7' } };
  const parts = [aClient(), aClient()];
  for (const part of parts) {
    testConsole.clock.advance(1);
    await importRows(deps, by, [{ line: 1, ...part }], { id: 'imp', name: 'list.csv' });
  }
  const history = async (id: string) =>
    ((await browser.get(`/console/sandbox/clients/${id}`)).body.data as unknown as ClientDetail).history;
  expect((await history(ann)).map(({ actor, address }) => [actor, address])).toEqual([
    ['operator', null],
    ...Array(3).fill(['owner@firm.example', '127.0.0.1']),
  ]);
  for (const { referenceId } of parts) expect(await history(referenceId)).toMatchObject([{ address: '203.0.113.7' }]);
  expect((await history(bob)).map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
});

test('an entry about an API key names the key, also by a secret that it had before', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const { body } = await browser.post('/console/sandbox/keys', { name: 'Billing (old)' });
  const id = body.data?.key_id;
  await browser.post(`/console/sandbox/keys/${id}/roll`, { overlap_seconds: 3600 });
  await browser.send('PATCH', `/console/sandbox/keys/${id}`, { note: 'Runs nightly.' });
  const found = await read(browser, { kind: 'key' });
  expect(found.map(({ action, key_id }) => [action, key_id])).toEqual([
    ['key.updated', id],
    ['key.rolled', id],
    ['key.created', id],
  ]);
});

/** A key of the sandbox that has imported a client, with the reference of the client. */
async function openActingKey() {
  const testConsole = await openTestConsole();
  const { store, clock } = testConsole;
  const browser = await testConsole.owner();
  const { body } = await browser.post('/console/sandbox/keys', { name: 'Billing, nightly' });
  const keyId = body.data?.key_id as string;
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'sandbox');
  clock.advance(1);
  const actor = { name: keyId, address: '203.0.113.7' };
  const client = aClient({ name: 'Ann' });
  await importRows({ ...store, clock }, { workspaceId, actor }, [{ line: 1, ...client }], { id: 'imp', name: 'a.csv' });
  clock.advance(1);
  const rename = (name: string) => browser.send('PATCH', `/console/sandbox/keys/${keyId}`, { name });
  return { testConsole, browser, keyId, referenceId: client.referenceId, rename };
}

test('what an API key has done is shown with the present name of the key, also if it was revoked, and to viewers', async () => {
  const { testConsole, browser, keyId, referenceId, rename } = await openActingKey();
  await rename('Invoices');
  await browser.delete(`/console/sandbox/keys/${keyId}`);
  const viewer = await testConsole.join(browser, 'viewer@firm.example', 'viewer');
  expect(await read(viewer, { member: keyId })).toMatchObject([{ member: keyId, by_key: 'Invoices' }]);
  expect(await read(viewer, { kind: 'key' })).toMatchObject(Array(3).fill({ by_key: null }));
  expect((await viewer.get('/console/activity/actors')).body.data).toMatchObject({
    actors: expect.arrayContaining([keyId]),
    keys: [{ key_id: keyId, name: 'Invoices' }],
  });
  const { body } = await viewer.get(`/console/sandbox/clients/${referenceId}`);
  expect(body.data?.history).toMatchObject([{ actor: keyId, by_key: 'Invoices' }]);
  const form = new URLSearchParams({ format: 'csv', member: keyId });
  const { text } = await browser.send('POST', '/console/activity/export', form);
  const [header = '', line = ''] = text.split(/\r?\n/);
  expect(header).toMatch(/,api_key_name,client_name,reason$/);
  expect(line).toMatch(/,Invoices,,$/);

  await recordBy(testConsole, 'key_unknown');
  expect(await read(viewer, { member: 'key_unknown' })).toMatchObject([{ member: 'key_unknown', by_key: null }]);
  const stranger = await testConsole.owner('stranger@other.example');
  expect((await stranger.get('/console/activity/actors')).body.data).toMatchObject({ keys: [] });
});

test('a search for the name of an API key finds what it has done, and its former name finds how it was renamed', async () => {
  const { testConsole, browser, rename } = await openActingKey();
  const found = async (search: string, by = browser) => (await read(by, { search })).map(({ action }) => action);
  for (const search of ['billing, NIGHTLY', 'Billing']) {
    expect(await found(search), search).toEqual(['client.imported', 'key.created']);
  }
  await rename('Invoices');
  expect(await found('Invoices')).toEqual(['key.updated', 'client.imported']);
  expect(await found('billing')).toEqual(['key.updated', 'key.created']);
  const form = new URLSearchParams({ format: 'csv', search: 'Invoices' });
  const { text } = await browser.send('POST', '/console/activity/export', form);
  expect(text.match(/key\.updated|client\.imported/g)).toEqual(['key.updated', 'client.imported']);

  const stranger = await testConsole.owner('stranger@other.example');
  await stranger.post('/console/sandbox/keys', { name: 'Invoices of others' });
  expect(await found('Invoices', stranger)).toEqual(['key.created']);
});

test('a search for the name of a view finds what was done to it, for those who see the view, as long as it exists', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const viewer = await testConsole.join(browser, 'viewer@firm.example', 'viewer');
  const save = async (name: string, isShared: boolean) =>
    (await browser.post('/console/sandbox/views', { name, filters: {}, is_shared: isShared })).body.data?.view_id;
  const own = await save('García in private', false);
  await save('García for all', true);
  const found = async (by: Browser, search: string) => (await read(by, { search })).map(({ subject }) => subject);
  expect(await found(browser, 'garcÍA')).toEqual(['García for all', 'García in private']);
  expect(await found(viewer, 'García')).toEqual(['García for all']);
  expect(await found(await testConsole.owner('stranger@other.example'), 'García')).toEqual([]);
  await browser.send('PATCH', `/console/sandbox/views/${own}`, { name: 'Renamed' });
  expect(await found(browser, 'renamed')).toEqual(['Renamed', 'Renamed']);
  await browser.delete(`/console/sandbox/views/${own}`);
  expect(await found(browser, 'renamed')).toEqual([]);
});
