import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../store/open-store.ts';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore, temporaryFolder } from '../../testing/test-store.ts';
import type { ChangeBy } from '../change.ts';
import { addClient, correctClient, eraseClient, findClient, moveClient, setRequestStatus } from './manage-clients.ts';
import { createGroup, renameGroup } from './manage-groups.ts';

let store: Store;
let folder: string;
const clock = new TestClock();
let change: ChangeBy;
const ada = { email: 'ada@mail.example', name: 'Ada', type: 'individual' as const, groupName: 'North' };

beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  change = {
    workspaceId: (await aWorkspace(store, clock, 'a@firm.example')).workspaceId,
    actor: { name: 'somebody', address: '' },
  };
});

const deps = () => ({ ...store, clock });

test('adding an email that the group already has returns the existing client', async () => {
  const { client } = await addClient(deps(), change, ada);
  const again = await addClient(deps(), change, {
    ...ada,
    email: ' ADA@mail.example',
    name: 'Somebody else',
    groupName: 'north',
  });
  expect(again).toEqual({ client, added: false });
  expect((await addClient(deps(), change, { ...ada, groupName: 'South' })).added).toBe(true);
});

test('the history says who changed what, when and why, and the values before and after', async () => {
  const { client } = await addClient(deps(), change, ada);
  await createGroup(deps(), change, 'South');
  await setRequestStatus(deps(), change, client.referenceId, 'accepted', ' All documents are here. ');
  await moveClient(deps(), { ...change, actor: { name: 'another', address: '' } }, client.referenceId, 'south');
  await correctClient(deps(), change, client.referenceId, { name: 'Ada L.', type: 'individual' });
  await correctClient(deps(), change, client.referenceId, { name: 'Ada L.' });
  const at = clock.now();
  expect(await store.clients.history(change.workspaceId, client.referenceId)).toEqual([
    { at, actor: 'somebody', kind: 'added', from: null, to: { request_status: 'requested' }, reason: null },
    {
      at,
      actor: 'somebody',
      kind: 'changed',
      from: { request_status: 'requested' },
      to: { request_status: 'accepted' },
      reason: 'All documents are here.',
    },
    {
      at,
      actor: 'another',
      kind: 'changed',
      from: { group_name: 'North' },
      to: { group_name: 'South' },
      reason: null,
    },
    {
      at,
      actor: 'somebody',
      kind: 'changed',
      from: { client_name: 'Ada' },
      to: { client_name: 'Ada L.' },
      reason: null,
    },
  ]);
});

test('a transition that is not allowed is refused with the allowed ones, and changes nothing', async () => {
  const { client } = await addClient(deps(), change, ada);
  await expect(setRequestStatus(deps(), change, client.referenceId, 'completed')).rejects.toThrow(
    'The request status cannot change from Requested to Completed. It can change to Accepted or Declined.',
  );
  expect(await findClient(deps(), change.workspaceId, client.referenceId)).toEqual(client);
  expect(await store.clients.history(change.workspaceId, client.referenceId)).toHaveLength(1);
});

test('erasing keeps the fact and removes all personal data, even from the file', async () => {
  const planted = 'Zyxwvutsrq';
  const { client } = await addClient(deps(), change, { ...ada, name: planted, email: `${planted}@mail.example` });
  await correctClient(deps(), change, client.referenceId, { name: `${planted} the second` });
  await eraseClient(deps(), change, client.referenceId);

  await expect(findClient(deps(), change.workspaceId, client.referenceId)).rejects.toThrow(
    'There is no client with the reference',
  );
  const history = await store.clients.history(change.workspaceId, client.referenceId);
  expect(history.map(({ kind, from, to }) => ({ kind, from, to }))).toEqual([
    { kind: 'added', from: null, to: null },
    { kind: 'changed', from: null, to: null },
    { kind: 'erased', from: null, to: null },
  ]);
  await store.close();
  expect(readFileSync(join(folder, 'rollcall.db'), 'latin1').toLowerCase()).not.toContain(planted.toLowerCase());
});

test('a group keeps its token when it is renamed, and names are compared regardless of letter case', async () => {
  const group = await createGroup(deps(), change, ' Élan ');
  expect(group.name).toBe('Élan');
  await expect(createGroup(deps(), change, 'ÉLAN')).rejects.toThrow('There is already a group named Élan.');
  expect(await renameGroup(deps(), change, 'élan', 'Vital')).toEqual({ ...group, name: 'Vital' });
  expect(await renameGroup(deps(), change, group.token, 'ÉLAN')).toEqual({ ...group, name: 'ÉLAN' });
});

test.each([
  ['', 'group_name must not be empty'],
  ['   ', 'group_name must not be empty'],
  ['x'.repeat(121), 'group_name must have at most 120 characters'],
  ['a\0b', 'group_name must not contain a NUL'],
  ['\ud800', 'group_name is not valid UTF-8 text'],
])('a group cannot be named %j, and the refusal says why', async (name, message) => {
  await expect(createGroup(deps(), change, name)).rejects.toThrow(message);
  await expect(moveClient(deps(), change, '1700000000000-0000', name)).rejects.toThrow(message);
});

test('a client of another workspace looks the same as one that does not exist', async () => {
  const { client } = await addClient(deps(), change, ada);
  const stranger = { workspaceId: (await aWorkspace(store, clock, 'b@firm.example')).workspaceId, actor: TESTER };
  for (const work of [
    findClient(deps(), stranger.workspaceId, client.referenceId),
    setRequestStatus(deps(), stranger, client.referenceId, 'accepted'),
    eraseClient(deps(), stranger, client.referenceId),
  ]) {
    await expect(work).rejects.toThrow(`There is no client with the reference ${client.referenceId}.`);
  }
  expect(await store.clients.history(stranger.workspaceId, client.referenceId)).toEqual([]);
  expect(await findClient(deps(), change.workspaceId, client.referenceId)).toEqual(client);
});
