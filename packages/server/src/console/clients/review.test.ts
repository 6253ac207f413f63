import { expect, test } from 'vitest';
import { findWorkspace } from '../../domain/members/account.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole, type TestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';
import type { ClientDetail, ClientRecord } from '../contract/clients/clients.ts';
import type { ReviewAnswer, ReviewPage, ReviewTimesRecord } from '../contract/clients/review.ts';

const DAY = 86_400;
const HEADER = 'email,client_name,client_type,group_name,request_status,created_at';

/** Imports clients with these names, each added a day after the one before. */
async function importClients(browser: Browser, status: string, ...names: string[]): Promise<void> {
  const rows = names.map((name, day) => `${name}@mail.example,${name},individual,Retail,${status},2025-05-0${day + 1}`);
  expect((await browser.import('sandbox', [HEADER, ...rows, ''].join('\n'))).import.rejected).toBe(0);
}

async function review(browser: Browser, query = ''): Promise<ReviewPage> {
  const { status, body } = await browser.get(`/console/sandbox/review${query}`);
  expect(status).toBe(200);
  return body.data as unknown as ReviewPage;
}

async function names(browser: Browser, query = ''): Promise<string[]> {
  return (await review(browser, query)).results.map(({ client }) => client.client_name);
}

async function clientNamed(browser: Browser, name: string): Promise<ClientRecord> {
  const { body } = await browser.get(`/console/sandbox/clients?search=${name}`);
  const [client] = (body.data?.results ?? []) as ClientRecord[];
  if (!client) throw new Error(`There is no client ${name}.`);
  return client;
}

async function detailOf(browser: Browser, name: string): Promise<ClientDetail> {
  const { reference_id: id } = await clientNamed(browser, name);
  return (await browser.get(`/console/sandbox/clients/${id}`)).body.data as unknown as ClientDetail;
}

async function memberId(browser: Browser): Promise<number> {
  return Number((await browser.get('/console/session')).body.data?.member_id);
}

function assign(browser: Browser, clients: [id: string, seen: number | null][], to: number | null) {
  return browser.post('/console/sandbox/review/assignments', {
    clients: clients.map(([reference_id, seen_member_id]) => ({ reference_id, seen_member_id })),
    member_id: to,
  });
}

/** Decides about clients as they were seen. */
function decide(browser: Browser, clients: ClientRecord[], status: string, reason?: string) {
  return browser.post('/console/sandbox/review/decisions', {
    clients: clients.map(({ reference_id, group_token: _token, created_at: _time, ...seen }) => ({
      reference_id,
      seen,
    })),
    request_status: status,
    reason,
  });
}

/** The newest entry about clients in the activity log. */
async function newestEntry(browser: Browser): Promise<object | undefined> {
  const entries = (await browser.get('/console/activity?kind=client')).body.data?.results as object[] | undefined;
  return entries?.[0];
}

async function openFirm() {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  return { testConsole, owner, admin, ids: { owner: await memberId(owner), admin: await memberId(admin) } };
}

async function problemsIn({ store }: TestConsole): Promise<string[]> {
  return (await store.checkConsistency()).problems;
}

test('clients that wait are listed page by page, those that were added first come first, with how long they have waited', async () => {
  const { testConsole, owner } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob', 'cleo', 'dan');
  await importClients(owner, 'accepted', 'eve');
  expect(await names(owner)).toEqual(['ann', 'bob', 'cleo', 'dan']);

  const walked: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: ReviewPage = await review(owner, `?page_limit=3${next && `&after=${next}`}`);
    walked.push(...page.results.map(({ client }) => client.client_name));
    next = page.next;
  }
  expect(walked).toEqual(['ann', 'bob', 'cleo', 'dan']);

  testConsole.clock.advance(DAY);
  const later = await testConsole.signedInOwner();
  expect((await decide(later, [await clientNamed(later, 'eve')], 'pending')).body.data).toMatchObject({ changed: 1 });
  const [first] = (await review(later)).results.filter(({ client }) => client.client_name === 'eve');
  expect(first).toMatchObject({ since: '2026-02-01T09:30:00.000Z', assignee: null });
});

const sharedFirm = openOnce(openFirm);

test.each([
  'after=x',
  'after=1-',
  'after=999999999999999999-1',
  'assigned=bob',
  'page_limit=0',
  'page_limit=101',
  'x=1',
])('a review with %s is refused', async (query) => {
  const { owner } = await sharedFirm();
  expect((await owner.get(`/console/sandbox/review?${query}`)).status).toBe(400);
});

test('a client is assigned, taken over and given back; its history and the log say so, and for the API nothing has changed', async () => {
  const { testConsole, owner, admin, ids } = await openFirm();
  const { store } = testConsole;
  await importClients(owner, 'pending', 'ann', 'bob');
  const { reference_id: id } = await clientNamed(owner, 'ann');
  const workspaceId = await findWorkspace(store, 'owner@firm.example', 'sandbox');
  const before = await store.clients.find(workspaceId, id);
  testConsole.clock.advance(60);

  expect((await assign(owner, [[id, null]], ids.owner)).body.data).toEqual({ changed: 1, refused: [] });
  expect(await names(owner, '?assigned=me')).toEqual(['ann']);
  expect(await names(admin, '?assigned=me')).toEqual([]);
  expect(await names(admin, '?assigned=nobody')).toEqual(['bob']);
  expect((await review(admin)).results[0]?.assignee).toEqual({ member_id: ids.owner, email: 'owner@firm.example' });

  expect((await assign(admin, [[id, ids.owner]], ids.admin)).body.data).toEqual({ changed: 1, refused: [] });
  expect((await assign(admin, [[id, ids.admin]], ids.admin)).body.data).toEqual({ changed: 0, refused: [] });
  const detail = await detailOf(owner, 'ann');
  expect(detail.assignee).toEqual({ member_id: ids.admin, email: 'admin@firm.example' });
  expect(detail.history.map(({ actor, from, to }) => [actor, from, to])).toEqual([
    ['admin@firm.example', { assignee: 'owner@firm.example' }, { assignee: 'admin@firm.example' }],
    ['owner@firm.example', { assignee: '' }, { assignee: 'owner@firm.example' }],
    ['owner@firm.example', null, { request_status: 'pending' }],
  ]);
  expect((await assign(admin, [[id, ids.admin]], null)).body.data).toEqual({ changed: 1, refused: [] });
  expect((await detailOf(owner, 'ann')).assignee).toBeNull();

  expect(await newestEntry(owner)).toMatchObject({
    action: 'client.assigned',
    subject: id,
    clients: null,
    changed: { from: { assignee: 'admin@firm.example' }, to: { assignee: '' }, reason: null },
  });
  expect(await store.clients.find(workspaceId, id), 'neither its version nor the time of its last change').toEqual(
    before,
  );
  expect(await problemsIn(testConsole)).toEqual([]);
});

test('a client leads to those that wait before and after it, in each list of the review, also when it waits no more', async () => {
  const { owner, ids } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob', 'cleo', 'dan', 'eve');
  const all = (await review(owner)).results.map(({ client }) => client);
  const nameOf = (id: unknown) => all.find(({ reference_id }) => reference_id === id)?.client_name;
  const beside = async (name: string, query = '') => {
    const id = all.find(({ client_name }) => client_name === name)?.reference_id;
    const { body } = await owner.get(`/console/sandbox/review/${id}/neighbours${query}`);
    return [nameOf(body.data?.previous), nameOf(body.data?.next)];
  };
  const mine = all.filter(({ client_name }) => ['ann', 'dan'].includes(client_name));
  await assign(
    owner,
    mine.map(({ reference_id }) => [reference_id, null]),
    ids.owner,
  );
  expect(await beside('ann')).toEqual([undefined, 'bob']);
  expect(await beside('cleo')).toEqual(['bob', 'dan']);
  expect(await beside('eve')).toEqual(['dan', undefined]);
  expect(await beside('dan', '?assigned=me')).toEqual(['ann', undefined]);
  expect(await beside('cleo', '?assigned=nobody')).toEqual(['bob', 'eve']);
  await decide(owner, [await clientNamed(owner, 'cleo')], 'completed');
  expect(await beside('cleo')).toEqual(['bob', 'dan']);
  expect(await beside('bob')).toEqual(['ann', 'dan']);
  expect((await owner.get('/console/sandbox/review/nobody/neighbours')).status).toBe(404);
});

test('several clients are assigned at once, which is one entry in the log', async () => {
  const { owner, ids } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob', 'cleo');
  const all = (await review(owner)).results.map(({ client }): [string, null] => [client.reference_id, null]);
  const answer = await assign(owner, [...all, ...all, ['1700000000000-0000', null]], ids.owner);
  expect(answer.body.data).toEqual({
    changed: 3,
    refused: [{ reference_id: '1700000000000-0000', reason: 'There is no such client.' }],
  });
  expect(await names(owner, '?assigned=me')).toEqual(['ann', 'bob', 'cleo']);
  expect(await newestEntry(owner)).toMatchObject({
    action: 'client.assigned',
    subject: 'owner@firm.example',
    clients: 3,
    changed: null,
  });
});

test('a client cannot be assigned to a member of another account, nor one of another account or environment to anybody', async () => {
  const { testConsole, owner, ids } = await openFirm();
  await importClients(owner, 'pending', 'ann');
  const stranger = await testConsole.owner('stranger@other.example');
  const strangersId = await memberId(stranger);
  const { reference_id: id } = await clientNamed(owner, 'ann');
  for (const foreign of [strangersId, 999_999]) {
    const answer = await assign(owner, [[id, null]], foreign);
    expect(answer.status).toBe(404);
    expect(answer.body.message).toBe('There is no such member.');
  }
  expect((await assign(stranger, [[id, null]], strangersId)).body.data).toMatchObject({ changed: 0 });
  const elsewhere = { clients: [{ reference_id: id, seen_member_id: null }], member_id: ids.owner };
  const answer = await owner.post('/console/production/review/assignments', elsewhere);
  expect(answer.body.data).toMatchObject({ changed: 0, refused: [{ reference_id: id }] });
  expect((await detailOf(owner, 'ann')).assignee).toBeNull();
});

test('who assigns a client that somebody else has just assigned is told so, and takes nothing away', async () => {
  const { owner, admin, ids } = await openFirm();
  await importClients(owner, 'pending', 'ann');
  const { reference_id: id } = await clientNamed(owner, 'ann');
  const answers = await Promise.all([assign(owner, [[id, null]], ids.owner), assign(admin, [[id, null]], ids.admin)]);
  const results = answers.map(({ body }) => body.data as unknown as ReviewAnswer);
  expect(results.map(({ changed }) => changed).sort()).toEqual([0, 1]);
  const winner = results[0]?.changed === 1 ? 'owner@firm.example' : 'admin@firm.example';
  expect(results.flatMap(({ refused }) => refused)).toEqual([
    {
      reference_id: id,
      reason: `Somebody else has changed the assignee of this client in the meantime. It is now assigned to ${winner}.`,
    },
  ]);
  expect((await detailOf(owner, 'ann')).assignee?.email).toBe(winner);
});

test('the clients of a member who is removed are assigned to nobody, also while somebody assigns them more', async () => {
  const { testConsole, owner, admin, ids } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob');
  const [ann, bob] = [await clientNamed(owner, 'ann'), await clientNamed(owner, 'bob')];
  await assign(admin, [[ann.reference_id, null]], ids.admin);
  await owner.post('/console/session/proof', { password: TEST_PASSWORD });
  const [removal, assignment] = await Promise.all([
    owner.delete(`/console/members/${ids.admin}`),
    assign(owner, [[bob.reference_id, null]], ids.admin),
  ]);
  expect(removal.status).toBe(200);
  expect([200, 404]).toContain(assignment.status);
  expect(await names(owner, '?assigned=nobody')).toEqual(['ann', 'bob']);
  const { history } = await detailOf(owner, 'ann');
  expect(history[0]).toMatchObject({
    actor: 'owner@firm.example',
    from: { assignee: 'admin@firm.example' },
    to: { assignee: '' },
  });
  const { body } = await owner.get('/console/activity?kind=client');
  expect(body.data?.results).toContainEqual(
    expect.objectContaining({ action: 'client.assigned', subject: 'nobody', member: 'owner@firm.example' }),
  );
  expect(await problemsIn(testConsole)).toEqual([]);
});

test('an erased client leaves no assignment behind, neither in the list nor in what is kept of its history', async () => {
  const { testConsole, owner, ids } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob');
  const { reference_id: id } = await clientNamed(owner, 'ann');
  await assign(owner, [[id, null]], ids.owner);
  await owner.post('/console/session/proof', { password: TEST_PASSWORD });
  expect((await owner.delete(`/console/sandbox/clients/${id}`)).status).toBe(200);
  expect(await names(owner)).toEqual(['bob']);
  expect(await names(owner, '?assigned=me')).toEqual([]);
  const workspaceId = await findWorkspace(testConsole.store, 'owner@firm.example', 'sandbox');
  const history = await testConsole.store.clients.history(workspaceId, id);
  expect(history.map(({ kind, to }) => [kind, to])).toEqual([
    ['added', null],
    ['erased', null],
  ]);
  expect(await problemsIn(testConsole)).toEqual([]);
});

test('a decision is about clients as they were seen: one that somebody has changed meanwhile is left alone', async () => {
  const { owner, admin } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob', 'cleo');
  const seen = (await review(owner)).results.map(({ client }) => client);
  expect((await decide(admin, seen.slice(0, 1), 'declined', 'No documents')).body.data).toMatchObject({ changed: 1 });

  const { body } = await decide(owner, seen, 'completed');
  expect(body.data).toEqual({
    changed: 2,
    refused: [
      {
        reference_id: seen[0]?.reference_id,
        reason: 'Somebody else has changed this client in the meantime. Check its current state before you change it.',
      },
    ],
    version: expect.any(Number),
  });
  expect(await names(owner)).toEqual([]);
  const { client, history } = await detailOf(owner, 'ann');
  expect(client.request_status).toBe('declined');
  expect(history[0]).toMatchObject({ actor: 'admin@firm.example', reason: 'No documents' });

  const completed = await clientNamed(owner, 'bob');
  expect((await decide(owner, [completed], 'pending')).body.data, 'undone').toMatchObject({ changed: 1 });
  expect(await names(owner)).toEqual(['bob']);
});

test('where the account requires a reason to decline a client, nothing is declined without one', async () => {
  const { owner } = await openFirm();
  await importClients(owner, 'pending', 'ann', 'bob');
  await owner.post('/console/session/proof', { password: TEST_PASSWORD });
  await owner.send('PATCH', '/console/account', { requires_decline_reason: true });
  const seen = (await review(owner)).results.map(({ client }) => client);
  const refused = await decide(owner, seen, 'declined', ' ');
  expect(refused.status).toBe(400);
  expect(refused.body.message).toBe('reason is missing: the account requires one to decline a client.');
  expect(await names(owner)).toEqual(['ann', 'bob']);
  expect((await decide(owner, seen, 'declined', 'Too late')).body.data).toMatchObject({ changed: 2 });
});

test('the times of the last 30 days are medians of what members changed, compared with the 30 days before', async () => {
  const { testConsole, owner } = await openFirm();
  const { clock } = testConsole;
  // A session does not last for days.
  const times = async () => {
    const { body } = await (await testConsole.signedInOwner()).get('/console/sandbox/review/times');
    return body.data as unknown as ReviewTimesRecord;
  };
  const move = async (name: string, status: string) => {
    const browser = await testConsole.signedInOwner();
    const answer = await decide(browser, [await clientNamed(browser, name)], status);
    expect(answer.body.data).toMatchObject({ changed: 1 });
  };
  await importClients(owner, 'completed', 'old');
  expect((await times()).current).toMatchObject({ completed: 0, completion_ms: null });

  const rows = ['ann', 'bob', 'cleo'].map((name) => `${name}@mail.example,${name},individual,Retail`);
  await owner.import('sandbox', ['email,client_name,client_type,group_name', ...rows, ''].join('\n'));
  clock.advance(DAY);
  for (const name of ['ann', 'bob', 'cleo']) await move(name, 'accepted');
  clock.advance(2 * DAY);
  for (const name of ['ann', 'bob', 'cleo']) await move(name, 'pending');
  for (const name of ['ann', 'bob']) {
    clock.advance(DAY);
    await move(name, 'completed');
  }
  clock.advance(5 * DAY);
  await move('cleo', 'declined');

  const ms = (days: number) => days * DAY * 1000;
  const period = {
    completed: 2,
    declined: 1,
    completion_ms: ms(4),
    in_status_ms: { requested: ms(1), accepted: ms(2), pending: ms(2), completed: null, declined: null },
  };
  const nothing = {
    completed: 0,
    declined: 0,
    completion_ms: null,
    in_status_ms: { requested: null, accepted: null, pending: null, completed: null, declined: null },
  };
  expect(await times()).toEqual({ current: period, previous: nothing, is_sampled: false });

  clock.advance(40 * DAY);
  expect(await times()).toEqual({ current: nothing, previous: period, is_sampled: false });
});

test('for how long a client had a status before it was imported is not known and does not count', async () => {
  const { testConsole, owner } = await openFirm();
  const rows = [
    'long@mail.example,long,individual,Retail,accepted,2020-01-01',
    'new@mail.example,new,individual,Retail,accepted,',
  ];
  await owner.import('sandbox', [HEADER, ...rows, ''].join('\n'));
  testConsole.clock.advance(DAY);
  const browser = await testConsole.signedInOwner();
  for (const name of ['long', 'new']) await decide(browser, [await clientNamed(browser, name)], 'pending');
  testConsole.clock.advance(DAY);
  const later = await testConsole.signedInOwner();
  await decide(later, [await clientNamed(later, 'long')], 'completed');
  const { current } = (await later.get('/console/sandbox/review/times')).body.data as unknown as ReviewTimesRecord;
  // From then on it is known.
  expect(current.in_status_ms).toMatchObject({ accepted: DAY * 1000, pending: DAY * 1000 });
});

test('what was undone does not count: a client goes on waiting since before it, and it is no decision', async () => {
  const { testConsole, owner } = await openFirm();
  const added = (minutesAgo: number) => new Date(testConsole.clock.now() - minutesAgo * 60_000).toISOString();
  const rows = ['ann', 'bob', 'cleo', 'dan'].map(
    (name, place) => `${name}@mail.example,${name},individual,Retail,pending,${added(10 - place)}`,
  );
  await owner.import('sandbox', [HEADER, ...rows, ''].join('\n'));
  // A session does not last for days.
  const nextDay = async () => {
    testConsole.clock.advance(DAY);
    return testConsole.signedInOwner();
  };
  const all = (await review(owner)).results;
  const ids = all.map(({ client }) => client.reference_id);
  const undoFew = async (browser: Browser, referenceIds: string[], version: unknown) =>
    (await browser.post('/console/sandbox/clients/changes/undo', { reference_ids: referenceIds, version })).body.data;
  const ended = async (browser: Browser, path: string, body?: object) => {
    const { change_id: id } = (await browser.post(path, body)).body.data as { change_id: string };
    const read = async () => (await browser.get(`/console/sandbox/bulk-changes/${id}`)).body.data?.change;
    await expect.poll(read).toMatchObject({ state: 'completed', changed: 4 });
    return id;
  };
  const expectNothing = async (browser: Browser) => {
    expect((await review(browser)).results).toEqual(all);
    const { current } = (await browser.get('/console/sandbox/review/times')).body.data as unknown as ReviewTimesRecord;
    expect(current).toMatchObject({ completed: 0, completion_ms: null, in_status_ms: { pending: null } });
    expect(current.in_status_ms.completed).toBeNull();
  };

  const ann = all[0]?.client as ClientRecord;
  const decision = await decide(owner, [ann], 'completed');
  expect(await undoFew(await nextDay(), [ann.reference_id], decision.body.data?.version)).toMatchObject({ changed: 1 });
  await expectNothing(await nextDay());

  const changes = { reference_ids: ids, request_status: 'completed' };
  const several = await (await nextDay()).post('/console/sandbox/clients/changes', changes);
  const undo = several.body.data?.undo as { version: number } | undefined;
  expect(await undoFew(await nextDay(), ids, undo?.version)).toMatchObject({ changed: 4 });
  await expectNothing(await nextDay());

  const job = { filters: 'request_status=pending', request_status: 'completed' };
  const id = await ended(await nextDay(), '/console/sandbox/bulk-changes', job);
  await ended(await nextDay(), `/console/sandbox/bulk-changes/${id}/undo`);
  await expectNothing(await nextDay());

  // Somebody has changed the client in between, so nothing is undone, and the decision stays one.
  const later = await nextDay();
  const kept = await decide(later, [await clientNamed(later, 'bob')], 'completed');
  const bob = await clientNamed(later, 'bob');
  const deactivation = { reference_ids: [bob.reference_id], client_status: 'inactive' };
  await later.post('/console/sandbox/clients/changes', deactivation);
  expect(await undoFew(later, [bob.reference_id], kept.body.data?.version)).toMatchObject({ changed: 0 });
  const { body } = await later.get('/console/sandbox/review/times');
  const waited = testConsole.clock.now() - Date.parse(bob.created_at);
  expect(body.data?.current).toMatchObject({ completed: 1, completion_ms: waited, in_status_ms: { pending: waited } });
  expect(await problemsIn(testConsole)).toEqual([]);
});
