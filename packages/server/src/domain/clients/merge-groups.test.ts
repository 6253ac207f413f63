import { expect, inject, test } from 'vitest';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { allRowsIn } from '../../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import type { NewClient } from './client.ts';
import { listClients } from './list-clients.ts';
import { addClient, eraseClient } from './manage-clients.ts';
import { createGroup, deleteGroup } from './manage-groups.ts';
import { mergeGroups, mergePart } from './merge-groups.ts';

const PAGE = { pageNumber: 1, pageLimit: 100 };

async function openFirm(clients: NewClient[]) {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const deps = { ...(await openTestStoreAt(url)), clock };
  const { workspaceId, accountId } = await aWorkspace(deps, clock, 'a@firm.example');
  await addClients(deps, workspaceId, clients);
  const by = { workspaceId, actor: TESTER };
  return {
    url,
    clock,
    deps,
    by,
    groups: async () => (await deps.groups.list(workspaceId)).map(({ name, clients }) => `${name} ${clients}`),
    references: async (groupName: string) =>
      (await listClients(deps, workspaceId, { ...PAGE, groupName })).clients.map(({ referenceId }) => referenceId),
    merges: async () => {
      const { entries } = await deps.activity.read(accountId, { kind: 'group' }, { offset: 0, limit: 10 });
      return entries.map(({ action, subject, clients }) => `${action} ${subject} ${clients}`);
    },
    problems: async () => (await deps.checkConsistency()).problems,
  };
}

/** Different in everything that lists depend on. */
const NORTH = [
  aClient({ groupName: 'North', name: 'Nora', requestStatus: 'pending' }),
  aClient({ groupName: 'North', type: 'company', status: 'inactive' }),
  aClient({ groupName: 'North', requestStatus: 'declined', externalId: 'E1' }),
];
const SOUTH = [aClient({ groupName: 'South' }), aClient({ groupName: 'South', status: 'inactive' })];

test('a merge moves all clients with their statuses, removes the group, and is one change and one entry', async () => {
  const { deps, by, groups, references, merges, problems } = await openFirm([...NORTH, ...SOUTH]);
  const version = async () => Number((await deps.versions.current(by.workspaceId)).split('.')[1]);
  const before = await version();
  const { from, into, clients } = await mergeGroups(deps, by, ' NORTH ', 'south');
  expect([from.name, into.name, clients]).toEqual(['North', 'South', 3]);
  expect(await groups()).toEqual(['South 5']);
  expect(await version()).toBe(before + 1);
  expect(await merges()).toEqual(['group.merged North into South 3']);
  const newestFirst = [...NORTH, ...SOUTH].reverse().map(({ referenceId }) => referenceId);
  expect(await references('South')).toEqual(newestFirst);
  expect(await references('North')).toEqual([]);
  const inactive = await listClients(deps, by.workspaceId, { ...PAGE, groupName: 'South', clientStatus: 'inactive' });
  expect(inactive.totalCount).toBe(2);
  const found = await deps.searches.find(
    by.workspaceId,
    { words: ['nora'], groupName: 'south' },
    { offset: 0, limit: 5 },
  );
  expect(found.totalCount).toBe(1);
  expect(await problems()).toEqual([]);
});

test('every moved client has the old and the new group in its history, and the others have no new line', async () => {
  const { deps, by, clock } = await openFirm([...NORTH, ...SOUTH]);
  await mergeGroups(deps, by, 'North', 'South');
  const line = { at: clock.now(), actor: TESTER.name, kind: 'changed', reason: null };
  for (const { referenceId } of NORTH) {
    const history = await deps.clients.history(by.workspaceId, referenceId);
    expect(history.slice(1)).toEqual([{ ...line, from: { group_name: 'North' }, to: { group_name: 'South' } }]);
  }
  for (const { referenceId } of SOUTH) {
    expect(await deps.clients.history(by.workspaceId, referenceId)).toHaveLength(1);
  }
});

test('the name of a merged group can be used again, for another group', async () => {
  const { deps, by, groups, problems } = await openFirm([...NORTH, ...SOUTH]);
  const [north] = await deps.groups.list(by.workspaceId);
  await mergeGroups(deps, by, 'North', 'South');
  expect((await createGroup(deps, by, 'North')).token).not.toBe(north?.token);
  expect(await groups()).toEqual(['North 0', 'South 5']);
  await addClient(deps, by, { email: 'new@mail.example', name: 'New', type: 'company', groupName: 'North' });
  expect(await groups()).toEqual(['North 1', 'South 5']);
  expect(await problems()).toEqual([]);
});

const WITH_SAME_EMAIL = [
  aClient({ groupName: 'North', email: 'ada@mail.example', referenceId: '1700000000000-0001' }),
  aClient({ groupName: 'North', name: 'Bob Bell', email: 'Bob@mail.example', referenceId: '1700000000000-0002' }),
  aClient({ groupName: 'South', email: 'bob@MAIL.example', referenceId: '1700000000000-0003' }),
];

test.each([1, 100])(
  'if clients of both groups have the same email, nothing is changed and they are named, %i at a time',
  async (clientsAtOnce) => {
    const { url, deps, by, groups } = await openFirm(WITH_SAME_EMAIL);
    const before = await allRowsIn(url);
    await expect(mergeGroups(deps, by, 'North', 'South', { clientsAtOnce })).rejects.toMatchObject({
      code: 'conflict',
      message:
        'Some clients of the group North have the same email as a client of South: Bob Bell (1700000000000-0002). Nothing was changed. Correct or erase these clients, and merge the groups again.',
    });
    expect(await allRowsIn(url)).toEqual(before);
    await eraseClient(deps, by, '1700000000000-0002');
    await mergeGroups(deps, by, 'North', 'South', { clientsAtOnce });
    expect(await groups()).toEqual(['South 2']);
  },
);

test('of many clients with the same email, five are named', async () => {
  const emails = Array.from({ length: 7 }, (_, number) => `${number}@mail.example`);
  const north = emails.map((email, number) =>
    aClient({
      groupName: 'North',
      name: `No ${number}`,
      email,
      createdAt: 1,
      referenceId: `1700000000000-000${number}`,
    }),
  );
  const { deps, by } = await openFirm([...north, ...emails.map((email) => aClient({ groupName: 'South', email }))]);
  const named = [0, 1, 2, 3, 4].map((number) => `No ${number} (1700000000000-000${number})`).join(', ');
  await expect(mergeGroups(deps, by, 'North', 'South')).rejects.toThrow(`of South: ${named} and others. Nothing`);
});

test('a group can be merged neither into itself nor with one that does not exist', async () => {
  const { url, deps, by } = await openFirm([...NORTH, ...SOUTH]);
  const [north] = await deps.groups.list(by.workspaceId);
  const before = await allRowsIn(url);
  const itself = { code: 'conflict', message: 'A group cannot be merged into itself.' };
  await expect(mergeGroups(deps, by, 'North', north?.token ?? '')).rejects.toMatchObject(itself);
  const unknown = { code: 'not_found', message: 'There is no group with the name or token East.' };
  await expect(mergeGroups(deps, by, 'East', 'South')).rejects.toMatchObject(unknown);
  await expect(mergeGroups(deps, by, 'North', 'East')).rejects.toMatchObject(unknown);
  expect(await allRowsIn(url)).toEqual(before);
});

test('a group with many clients is moved in parts, which are one entry, and every state in between is consistent', async () => {
  const many = Array.from({ length: 700 }, (_, number) =>
    aClient({ groupName: 'North', status: number % 3 === 0 ? 'inactive' : 'active' }),
  );
  const { deps, by, groups, merges, problems } = await openFirm([...many, ...SOUTH]);
  const states: string[][] = [];
  const progress: { moved: number; left: number }[] = [];
  for (let part = await mergePart(deps, by, { from: 'North', into: 'South', clientsAtOnce: 300 }); part.left > 0; ) {
    states.push(await groups());
    expect(await problems()).toEqual([]);
    progress.push({ moved: part.moved, left: part.left });
    part = await mergePart(deps, by, { from: 'North', into: 'South', continues: true, clientsAtOnce: 300 });
  }
  expect(states).toEqual([
    ['North 400', 'South 302'],
    ['North 100', 'South 602'],
  ]);
  expect(progress).toEqual([
    { moved: 300, left: 400 },
    { moved: 300, left: 100 },
  ]);
  expect(await groups()).toEqual(['South 702']);
  expect(await merges()).toEqual(['group.merged North into South 700']);
  expect(await problems()).toEqual([]);
});

test('a merge that was interrupted is completed by the same merge', async () => {
  const { deps, by, groups, problems } = await openFirm([...NORTH, ...SOUTH]);
  const stop = new AbortController();
  const interrupted = mergeGroups(deps, by, 'North', 'South', {
    clientsAtOnce: 1,
    stop: stop.signal,
    onProgress: () => stop.abort(new Error('stopped')),
  });
  await expect(interrupted).rejects.toThrow('stopped');
  expect(await groups()).toEqual(['North 2', 'South 3']);
  expect(await problems()).toEqual([]);
  expect(await mergeGroups(deps, by, 'North', 'South', { clientsAtOnce: 1 })).toMatchObject({ clients: 2 });
  expect(await groups()).toEqual(['South 5']);
});

test('a client that is added to the group while it is being merged moves as well', async () => {
  const { deps, by, groups } = await openFirm([...NORTH, ...SOUTH]);
  await mergePart(deps, by, { from: 'North', into: 'South', clientsAtOnce: 1 });
  // Older than all others, which have been moved already or not.
  await addClients(deps, by.workspaceId, [aClient({ groupName: 'North', createdAt: 1 })]);
  await mergeGroups(deps, by, 'North', 'South', { clientsAtOnce: 1 });
  expect(await groups()).toEqual(['South 6']);
});

test('a client with the same email that appears during a merge stops it, and those that were moved stay', async () => {
  const { deps, by, groups, problems } = await openFirm([...NORTH, ...SOUTH]);
  await mergePart(deps, by, { from: 'North', into: 'South', clientsAtOnce: 2 });
  const email = NORTH[2]?.email ?? '';
  await addClient(deps, by, { email, name: 'New', type: 'company', groupName: 'South' });
  const next = mergePart(deps, by, { from: 'North', into: 'South', continues: true, clientsAtOnce: 2 });
  await expect(next).rejects.toThrow('The clients that were moved before stay there.');
  expect(await groups()).toEqual(['North 1', 'South 5']);
  expect(await problems()).toEqual([]);
});

test('only a group without clients can be deleted', async () => {
  const { deps, by, groups, merges, problems } = await openFirm([...NORTH, ...SOUTH]);
  await expect(deleteGroup(deps, by, 'North')).rejects.toMatchObject({
    code: 'conflict',
    message: 'The group North has 3 clients. Merge it into another group instead.',
  });
  await expect(deleteGroup(deps, by, 'East')).rejects.toMatchObject({ code: 'not_found' });
  for (const { referenceId } of SOUTH) await eraseClient(deps, by, referenceId);
  expect(await deleteGroup(deps, by, 'SOUTH')).toMatchObject({ name: 'South' });
  expect(await groups()).toEqual(['North 3']);
  expect(await merges()).toEqual(['group.deleted South null']);
  expect(await problems()).toEqual([]);
});

test('an empty group can be merged, too', async () => {
  const { deps, by, groups, merges } = await openFirm(SOUTH);
  await createGroup(deps, by, 'North');
  expect(await mergeGroups(deps, by, 'North', 'South')).toMatchObject({ clients: 0 });
  expect(await groups()).toEqual(['South 2']);
  expect(await merges()).toContain('group.merged North into South 0');
});
