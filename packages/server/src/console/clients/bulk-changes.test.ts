import { expect, test } from 'vitest';
import { LISTED_MAX } from '../../domain/clients/bulk-change.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';
import { FOUND_MAX } from '../../domain/clients/search-clients.ts';
import { aClient, addClients } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';
import type { BulkChangeDetail, LatestBulkChanges, SelectionCounts } from '../contract/clients/bulk-changes.ts';
import type { ActivityRecord, ListedClients } from '../contract/members/activity.ts';

const PATH = '/console/production/bulk-changes';
const COUNTS = '/console/production/selection-counts';
const FEW = '/console/production/clients/changes';

async function openScene() {
  const testConsole = await openTestConsole();
  const { store } = testConsole;
  const owner = await testConsole.owner();
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const add = async (count: number, requestStatus: RequestStatus, groupName = 'North') => {
    const clients = Array.from({ length: count }, () => aClient({ requestStatus, groupName }));
    await addClients(store, workspaceId, clients);
    return clients.map(({ referenceId }) => referenceId);
  };
  const post = async (path: string, body: unknown, browser = owner) => {
    const { status, body: answer } = await browser.post(path, body);
    return { status, message: answer.message, data: answer.data as never };
  };
  const detail = async (id: unknown, browser: Browser = owner) =>
    (await browser.get(`${PATH}/${id}`)).body.data as unknown as BulkChangeDetail;
  /** Makes a change in the background, and returns what became of it. */
  const change = async (body: unknown, browser = owner) => {
    const answer = await browser.post(PATH, body);
    if (!answer.body.data) throw new Error(answer.body.message);
    return ended(answer.body.data.change_id);
  };
  const ended = async (id: unknown) => {
    await expect.poll(async () => (await detail(id)).change.ended_at, { interval: 10 }).not.toBeNull();
    return detail(id);
  };
  /** Until the result is called, one that nobody makes is in the way, so that all others wait. */
  const blockChanges = async () => {
    const by = { workspaceId, actor: { name: 'operator', address: '' } };
    const request = { patch: { status: 'active' }, filter: {} } as const;
    const first = { id: 'chg_first', request, actor: by.actor, total: 1 };
    const at = testConsole.clock.now();
    await store.changeWorkspace({ ...by, at }, ({ bulkChanges }) => bulkChanges.enqueue(first));
    await store.bulkChanges.claim('nobody', at);
    return () => owner.delete(`${PATH}/chg_first`);
  };
  const statusOf = async (id: string) => (await owner.get(`/console/production/clients/${id}`)).body.data?.client;
  const changesOnRecord = async () => {
    const { results } = (await owner.get('/console/activity?kind=client')).body.data as {
      results: { action: string; subject: string; clients: number | null }[];
    };
    return results.filter(({ action, clients }) => action === 'client.changed' && clients !== null);
  };
  return { ...testConsole, owner, workspaceId, add, post, change, ended, statusOf, changesOnRecord, blockChanges };
}

function idOf({ data }: { data: unknown }): string {
  return (data as { change_id: string }).change_id;
}

test('of a few clients those are changed that may be, the others are named with the reason, and it can be undone', async () => {
  const { add, post, statusOf, changesOnRecord } = await openScene();
  const [pending, completed, declined] = [await add(3, 'pending'), await add(2, 'completed'), await add(1, 'declined')];
  const ids = [...pending, ...completed, ...declined, '1-0001'];
  const { data } = await post(FEW, { reference_ids: ids, request_status: 'completed' });
  expect(data).toMatchObject({
    changed: 3,
    unchanged: 2,
    refused: [
      { reference_id: declined[0], reason: expect.stringContaining('from Declined to Completed') },
      { reference_id: '1-0001', reason: 'There is no such client.' },
    ],
    undo: { reference_ids: pending },
  });
  const { undo } = data as { undo: { reference_ids: string[]; version: number } };
  // Somebody else has changed one of them since.
  await post(FEW, { reference_ids: [pending[1]], client_status: 'inactive' });
  expect((await post(`${FEW}/undo`, undo)).data).toMatchObject({
    changed: 2,
    refused: [{ reference_id: pending[1], reason: 'Somebody has changed the client since.' }],
    undo: null,
  });
  expect(await statusOf(pending[0] ?? '')).toMatchObject({ request_status: 'pending' });
  expect(await statusOf(pending[1] ?? '')).toMatchObject({ request_status: 'completed', client_status: 'inactive' });
  expect((await changesOnRecord()).slice(0, 3)).toMatchObject([
    { subject: 'what they were before', clients: 2 },
    { subject: 'inactive', clients: 1 },
    { subject: 'completed', clients: 3 },
  ]);
});

test('a few clients are not moved back to a new group with the name of their former one', async () => {
  const { add, post, owner, statusOf } = await openScene();
  const ids = await add(2, 'pending', 'North');
  await add(1, 'pending', 'South');
  const { undo } = (await post(FEW, { reference_ids: ids, group_name: 'South' })).data as { undo: object };
  const { groups } = (await owner.get('/console/production/groups')).body.data as {
    groups: { group_name: string; group_token: string }[];
  };
  const former = groups.find(({ group_name: name }) => name === 'North')?.group_token;
  await owner.send('PATCH', `/console/production/groups/${former}`, { group_name: 'North (old)' });
  await post('/console/production/groups', { group_name: 'North' });
  const reason = 'The group North is another one than that in which the client was.';
  expect((await post(`${FEW}/undo`, undo)).data).toMatchObject({ changed: 0, refused: [{ reason }, { reason }] });
  expect(await statusOf(ids[0] ?? '')).toMatchObject({ group_name: 'South' });
});

test('a step that cannot go back is not offered to be undone, and the versions of others undo nothing', async () => {
  const { add, post, statusOf } = await openScene();
  const ids = await add(2, 'requested');
  const { data } = await post(FEW, { reference_ids: ids, request_status: 'accepted' });
  expect(data).toMatchObject({ changed: 2, undo: null });
  for (const version of [1, 2, 3, 1_000_000]) {
    expect((await post(`${FEW}/undo`, { reference_ids: ids, version })).data).toMatchObject({ changed: 0 });
  }
  expect(await statusOf(ids[0] ?? '')).toMatchObject({ request_status: 'accepted' });
});

test.each(['one by one', 'with a filter', 'with a search'])(
  'what is counted before a change of clients selected %s is what becomes of them',
  async (how) => {
    const { add, post, change } = await openScene();
    const ids = [...(await add(70, 'pending')), ...(await add(50, 'accepted')), ...(await add(30, 'completed'))];
    await add(20, 'pending', 'South');
    const selection =
      how === 'one by one'
        ? { reference_ids: ids }
        : { filters: how === 'with a filter' ? 'group_name=north' : 'search=client&group_name=NORTH' };
    const counts = (await post(COUNTS, { ...selection, group_name: 'North' })).data as SelectionCounts;
    expect(counts).toEqual({
      total_count: 150,
      by_status: { requested: 0, accepted: 50, pending: 70, completed: 30, declined: 0 },
      by_client_status: { active: 150, inactive: 0 },
      in_group: 150,
    });
    expect(((await post(COUNTS, { ...selection, group_name: 'South' })).data as SelectionCounts).in_group).toBe(0);
    const { change: ended, refusals } = await change({ ...selection, request_status: 'completed', reason: 'Checked' });
    expect(ended).toMatchObject({ state: 'completed', total_count: 150, changed: 70, unchanged: 30, refused: 50 });
    expect(refusals).toMatchObject([
      { count: 50, clients: [{ client_name: expect.stringMatching(/^Client \d+$/) }, {}, {}, {}, {}] },
    ]);
    expect((await post(COUNTS, { filters: 'request_status=pending' })).data).toMatchObject({ total_count: 20 });
  },
);

test('a thousand clients are changed while others are changed and added, as one entry, and it can be undone', async () => {
  const { add, post, store, ended, workspaceId, changesOnRecord } = await openScene();
  await add(1000, 'pending');
  const started = await post(PATH, { filters: 'request_status=pending', request_status: 'completed' });
  for (const id of await add(5, 'pending', 'Later')) {
    expect((await post(FEW, { reference_ids: [id], client_status: 'inactive' })).status).toBe(200);
  }
  const { change: done } = await ended(idOf(started));
  expect(done).toMatchObject({ state: 'completed', changed: 1000, undoable: 1000, started_by: 'owner@firm.example' });
  const entries = (await changesOnRecord()).filter(({ subject }) => subject === 'completed');
  expect(entries.map(({ clients }) => clients)).toEqual([1000]);
  const undo = await post(`${PATH}/${done.change_id}/undo`, undefined);
  expect((await ended(idOf(undo))).change).toMatchObject({
    state: 'completed',
    undoes: done.change_id,
    changed: 1000,
  });
  expect(
    (await store.clients.read(workspaceId, { requestStatuses: ['pending'] }, { offset: 0, limit: 1 })).totalCount,
  ).toBe(1005);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('the log lists some of the clients of a change in the background with the reason, finds it, and names a single one', async () => {
  const { owner, add, change, clock } = await openScene();
  const ids = await add(LISTED_MAX + 30, 'pending');
  clock.advance(1);
  await change({ filters: '', request_status: 'completed', reason: 'All documents are there.' });
  const entries = async (query: string) =>
    (await owner.get(`/console/activity?kind=client&${query}`)).body.data?.results as ActivityRecord[];
  const [found] = await entries('search=documents');
  expect(found).toMatchObject({ subject: 'completed', clients: ids.length, client: null, changed: null });
  const { body } = await owner.get(`/console/production/activity/${found?.listed_as}/clients`);
  const { clients } = body.data as unknown as ListedClients;
  expect(clients).toHaveLength(LISTED_MAX);
  for (const { changed } of clients) {
    expect(changed).toMatchObject({ from: { request_status: 'pending' }, reason: 'All documents are there.' });
  }
  // Also those that it does not list.
  const listed = new Set(clients.map((each) => each.reference_id));
  const [other = ''] = ids.filter((id) => !listed.has(id));
  expect(await entries(`search=${other}`)).toContainEqual(found);

  const [alone = ''] = await add(1, 'pending');
  clock.advance(1);
  await change({ filters: 'request_status=pending', client_status: 'inactive', reason: 'On leave.' });
  expect((await entries('search=leave'))[0]).toMatchObject({
    client: { reference_id: alone },
    listed_as: null,
    changed: { reason: 'On leave.' },
  });
  for (const id of [...listed]) await owner.delete(`/console/production/clients/${id}`);
  expect(await entries('search=documents')).toEqual([]);
});

test('as many clients are put back as were offered, and those that may not go back are left alone', async () => {
  const { add, post, change, ended } = await openScene();
  const [pending, requested] = [await add(3, 'pending'), await add(2, 'requested')];
  const { change: done } = await change({ reference_ids: [...pending, ...requested], request_status: 'declined' });
  expect(done).toMatchObject({ changed: 5, undoable: 2 });
  const undo = await post(`${PATH}/${done.change_id}/undo`, undefined);
  expect(undo.data).toMatchObject({ total_count: 2 });
  expect((await ended(idOf(undo))).change).toMatchObject({ total_count: 2, changed: 2, refused: 0 });
});

test('an undo that was cancelled, or could not put all clients back, can be made again', async () => {
  const { add, post, owner, change, ended, blockChanges, store, workspaceId } = await openScene();
  await add(1, 'pending', 'South');
  const ids = await add(3, 'pending', 'North');
  const { change: moved } = await change({ reference_ids: ids, group_name: 'South' });
  const undo = () => post(`${PATH}/${moved.change_id}/undo`, undefined);

  const unblock = await blockChanges();
  const cancelled = await undo();
  expect((await undo()).status).toBe(409);
  await owner.delete(`${PATH}/${idOf(cancelled)}`);
  await unblock();

  const north = (await store.groups.list(workspaceId)).find(({ name }) => name === 'North');
  const rename = (name: string) =>
    owner.send('PATCH', `/console/production/groups/${north?.token}`, { group_name: name });
  await rename('North (old)');
  expect((await ended(idOf(await undo()))).change).toMatchObject({ state: 'completed', changed: 0, refused: 3 });
  await rename('North');
  expect((await ended(idOf(await undo()))).change).toMatchObject({ state: 'completed', changed: 3, refused: 0 });
  expect((await undo()).status).toBe(409);
});

test('all changes that are not over are shown, however many, and those that ended last', async () => {
  const { add, post, owner, blockChanges, clock } = await openScene();
  await add(1, 'pending');
  await blockChanges();
  const started: string[] = [];
  for (let each = 0; each < 13; each++) {
    clock.advance(1);
    started.push(idOf(await post(PATH, { filters: '', client_status: 'inactive' })));
  }
  const shown = async () =>
    ((await owner.get(PATH)).body.data as LatestBulkChanges).results.map((each) => each.change_id);
  expect(await shown()).toEqual([...started.toReversed(), 'chg_first']);
  // The newest first, so that those that ended last are not those that were stored last.
  const cancelled = started.slice(-6).toReversed();
  for (const id of cancelled) {
    clock.advance(1);
    await owner.delete(`${PATH}/${id}`);
  }
  const open = started.slice(0, -6).toReversed();
  expect(await shown()).toEqual([...open, 'chg_first', ...cancelled.toReversed().slice(0, 5)]);
});

test('the clients of a group are changed although the group is renamed, and those of a new group of its name are not', async () => {
  const { add, post, ended, owner, blockChanges, workspaceId, store } = await openScene();
  await add(10, 'pending', 'North');
  const unblock = await blockChanges();
  const started = await post(PATH, { filters: 'group_name=North', request_status: 'completed' });
  const north = (await store.groups.list(workspaceId)).find(({ name }) => name === 'North');
  await owner.send('PATCH', `/console/production/groups/${north?.token}`, { group_name: 'North (old)' });
  await store.changeWorkspace({ workspaceId, actor: { name: 'operator', address: '' }, at: 0 }, async (change) => {
    change.record('group.created', 'North');
    await change.groups.create('North');
  });
  await unblock();
  expect((await ended(idOf(started))).change).toMatchObject({ state: 'completed', changed: 10 });
});

test('a change goes on when its member signs out, and ends when the member may no longer change clients', async () => {
  const { add, owner, join, signedInOwner, blockChanges } = await openScene();
  await add(10, 'pending');
  const admin = await join(owner, 'second@firm.example', 'admin');
  await blockChanges();
  const start = async (browser: Browser, status: string) =>
    (await browser.post(PATH, { filters: 'request_status=pending', request_status: status })).body.data?.change_id;
  const ofAdmin = await start(admin, 'completed');
  const ofOwner = await start(owner, 'declined');
  await owner.delete('/console/session');
  const again = await signedInOwner();
  const { body } = await again.get('/console/members');
  const members = body.data?.members as { email: string; member_id: number }[];
  const id = members.find(({ email }) => email === 'second@firm.example')?.member_id;
  expect((await again.send('PATCH', `/console/members/${id}`, { role: 'viewer' })).status).toBe(200);
  await again.delete(`${PATH}/chg_first`);
  const stateOf = async (change: unknown) => (await again.get(`${PATH}/${change}`)).body.data?.change;
  await expect
    .poll(() => stateOf(ofAdmin))
    .toMatchObject({
      state: 'failed',
      changed: 0,
      reason: 'The member or the API key that started the change may no longer change clients.',
    });
  await expect.poll(() => stateOf(ofOwner)).toMatchObject({ state: 'completed', changed: 10 });
});

test('a change goes on when its owner becomes an admin, who may change clients, too', async () => {
  const { add, owner, join, store, clock, workspaceId } = await openScene();
  await add(10, 'pending');
  const second = await join(owner, 'second@firm.example', 'owner');
  // One that nobody makes is in the way, so the other one waits.
  const by = { workspaceId, actor: { name: 'operator', address: '' } };
  const first = {
    id: 'chg_first',
    request: { patch: { status: 'active' }, filter: {} },
    actor: by.actor,
    total: 1,
  } as const;
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ bulkChanges }) => bulkChanges.enqueue(first));
  await store.bulkChanges.claim('nobody', clock.now());
  const { body } = await second.post(PATH, { filters: '', client_status: 'inactive' });
  const [account] = await store.accounts.list();
  const members = await store.members.list(account?.id ?? 0);
  const id = members.find(({ email }) => email === 'second@firm.example')?.id;
  await owner.send('PATCH', `/console/members/${id}`, { role: 'admin' });
  await owner.delete(`${PATH}/chg_first`);
  const state = async () => (await owner.get(`${PATH}/${body.data?.change_id}`)).body.data?.change;
  await expect.poll(state).toMatchObject({ state: 'completed', changed: 10 });
});

test('who cancels the change of somebody else is on record, once', async () => {
  const { add, change, owner, join, store, clock, workspaceId } = await openScene();
  const admin = await join(owner, 'admin@firm.example', 'admin');
  const { change: done } = await change({ reference_ids: await add(2, 'pending'), client_status: 'inactive' });
  // One that nobody makes is in the way, so the others wait.
  const by = { workspaceId, actor: { name: 'operator', address: '' } };
  const first = { id: 'chg_first', request: { patch: { groupName: 'North' }, filter: {} }, actor: by.actor, total: 1 };
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ bulkChanges }) => bulkChanges.enqueue(first));
  await store.bulkChanges.claim('nobody', clock.now());
  const waiting = await owner.post(PATH, { filters: '', request_status: 'completed' });
  const undoing = await owner.post(`${PATH}/${done.change_id}/undo`);
  for (const { body } of [waiting, waiting, undoing]) {
    const cancelled = await admin.delete(`${PATH}/${body.data?.change_id}`);
    expect(cancelled.body.data).toMatchObject({ state: 'cancelled', started_by: 'owner@firm.example' });
  }
  const { results } = (await owner.get('/console/activity?member=admin@firm.example&kind=client')).body.data ?? {};
  expect(results).toMatchObject([
    {
      action: 'client.change-cancelled',
      subject: 'what they were before, started by owner@firm.example',
      clients: null,
    },
    { action: 'client.change-cancelled', subject: 'completed, started by owner@firm.example', clients: null },
  ]);
});

test('a change of another environment is neither seen nor cancelled, and one that is over cannot be cancelled', async () => {
  const { add, owner, change } = await openScene();
  const { change: done } = await change({ reference_ids: await add(2, 'pending'), client_status: 'inactive' });
  const elsewhere = PATH.replace('production', 'sandbox');
  expect((await owner.get(elsewhere)).body.data).toEqual({ results: [] });
  expect((await owner.get(`${elsewhere}/${done.change_id}`)).status).toBe(404);
  expect((await owner.delete(`${elsewhere}/${done.change_id}`)).status).toBe(404);
  expect((await owner.post(`${elsewhere}/${done.change_id}/undo`)).status).toBe(404);
  expect((await owner.delete(`${PATH}/${done.change_id}`)).status).toBe(409);
  expect((await owner.get(PATH)).body.data).toMatchObject({ results: [{ change_id: done.change_id }] });
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `1-${String(index).padStart(4, '0')}`);

const sharedScene = openOnce(async () => {
  const scene = await openScene();
  await scene.add(1, 'pending');
  return scene;
});

test.each<[string, string, unknown, number, string]>([
  ['too many at once', FEW, { reference_ids: ids(101), client_status: 'active' }, 400, 'reference_ids'],
  ['too many one by one', PATH, { reference_ids: ids(1001), client_status: 'active' }, 400, 'reference_ids'],
  ['none at all', PATH, { client_status: 'active' }, 400, 'Either reference_ids or filters'],
  ['both ways', PATH, { reference_ids: ids(1), filters: '', client_status: 'active' }, 400, 'Either reference_ids'],
  ['without a change', PATH, { filters: '' }, 400, 'One of request_status'],
  [
    'with two changes',
    PATH,
    { filters: '', client_status: 'active', group_name: 'North' },
    400,
    'One of request_status',
  ],
  ['by an unknown filter', PATH, { filters: 'colour=red', client_status: 'active' }, 400, 'colour'],
  ['that are none', PATH, { reference_ids: [], client_status: 'active' }, 400, 'reference_ids must not be empty'],
  ['by an empty group', PATH, { filters: 'group_token=', client_status: 'active' }, 400, 'group_token must not be'],
  ['by an empty search', PATH, { filters: 'search=%20', client_status: 'active' }, 400, 'search must not be empty'],
  ['by an empty name', COUNTS, { filters: 'client_type=company&group_name=+' }, 400, 'group_name must not be empty'],
  ['by an empty status', COUNTS, { filters: 'request%5Fstatus' }, 400, 'request_status must not be empty'],
  ['by nothing but a space', COUNTS, { filters: ' ' }, 400, 'is not a parameter'],
  ['by a wrong filter', COUNTS, { filters: 'request_status=odd' }, 400, 'request_status'],
  ['that do not exist', PATH, { reference_ids: ids(1), client_status: 'active' }, 409, 'There are no such clients'],
  [
    'to a group that does not exist',
    PATH,
    { filters: '', group_name: 'Nowhere' },
    404,
    'There is no group named Nowhere',
  ],
  ['with a long reason', PATH, { filters: '', client_status: 'active', reason: 'x'.repeat(501) }, 400, 'reason'],
])('a change of clients %s is refused, and nothing is stored', async (_which, path, body, status, message) => {
  const { post, owner } = await sharedScene();
  const answer = await post(path, body);
  expect(answer.status).toBe(status);
  expect(answer.message).toContain(message);
  expect((await owner.get(PATH)).body.data).toEqual({ results: [] });
});

test('a reason that the account requires is missed before anything is stored', async () => {
  const { add, post, owner } = await openScene();
  await add(1, 'pending');
  await owner.send('PATCH', '/console/account', { requires_decline_reason: true });
  const decline = { filters: '', request_status: 'declined' };
  expect(await post(PATH, decline)).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^reason is missing/),
  });
  expect((await post(PATH, { ...decline, reason: 'Too late' })).status).toBe(200);
});

test('a search that finds more than it counts cannot be selected as a whole', { timeout: 60_000 }, async () => {
  const { add, post } = await openScene();
  await add(FOUND_MAX + 1, 'pending');
  const { status, message } = await post(PATH, { filters: 'search=client', client_status: 'inactive' });
  expect([status, message]).toEqual([400, expect.stringContaining('search finds more than 10,000 clients')]);
});

test('the selected clients are exported, and no others', async () => {
  const { add, owner } = await openScene();
  const [first = '', second = '', third = ''] = await add(3, 'pending');
  const form = new URLSearchParams({ reference_ids: `${third},${first}` });
  const { text } = await owner.send('POST', '/console/production/clients.csv', form);
  expect(text).toContain(first);
  expect(text).toContain(third);
  expect(text).not.toContain(second);
});
