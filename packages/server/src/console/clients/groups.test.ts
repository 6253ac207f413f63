import { expect, test } from 'vitest';
import { findWorkspace } from '../../domain/members/account.ts';
import { aClient, addClients } from '../../testing/builders.ts';
import { openTestConsole } from '../../testing/test-console.ts';

const GROUPS = '/console/production/groups';

interface GroupRow {
  group_token: string;
  group_name: string;
  clients: number;
}

/** An owner who is signed in, with the group North of so many clients, the group South of one, and an empty group East. */
async function openFirm(clientsOfNorth: number) {
  const { owner, store } = await openTestConsole();
  const browser = await owner();
  const workspaceId = await findWorkspace(store, 'owner@firm.example', 'production');
  const north = Array.from({ length: clientsOfNorth }, () => aClient({ groupName: 'North' }));
  await addClients(store, workspaceId, [...north, aClient({ groupName: 'South' })]);
  await browser.post(GROUPS, { group_name: 'East' });
  const groups = async () => (await browser.get(GROUPS)).body.data?.groups as unknown as GroupRow[];
  const tokens = Object.fromEntries((await groups()).map((each) => [each.group_name, each.group_token]));
  const sizes = async () => (await groups()).map(({ group_name, clients }) => `${group_name} ${clients}`);
  return { browser, store, workspaceId, tokens, sizes };
}

test('a group is merged into another, and the answer says how many clients were moved', async () => {
  const { browser, tokens, sizes } = await openFirm(3);
  const merge = await browser.post(`${GROUPS}/${tokens.North}/merge`, { into_token: tokens.South });
  expect(merge.body).toMatchObject({ status_code: 200, data: { moved: 3, left: 0 } });
  expect(await sizes()).toEqual(['East 0', 'South 4']);
  const again = await browser.post(`${GROUPS}/${tokens.North}/merge`, { into_token: tokens.South });
  expect(again.status).toBe(404);
  const activity = (await browser.get('/console/activity?kind=group')).body.data?.results;
  // Both have the same time.
  expect(activity).toHaveLength(2);
  expect(activity).toContainEqual(
    expect.objectContaining({
      action: 'group.merged',
      subject: 'North into South',
      clients: 3,
      environment: 'production',
    }),
  );
});

test('a large group is merged by several requests, each of which moves some of its clients', async () => {
  const { browser, store, workspaceId, tokens, sizes } = await openFirm(4001);
  const path = `${GROUPS}/${tokens.North}/merge`;
  const answers: unknown[] = [];
  for (const continues of [false, true, true]) {
    answers.push((await browser.post(path, { into_token: tokens.South, continues })).body.data);
  }
  expect(answers).toEqual([
    { moved: 2000, left: 2001 },
    { moved: 2000, left: 1 },
    { moved: 1, left: 0 },
  ]);
  expect(await sizes()).toEqual(['East 0', 'South 4002']);
  expect((await store.checkConsistency()).problems).toEqual([]);
  expect((await store.clients.read(workspaceId, { groupName: 'south' }, { offset: 0, limit: 1 })).totalCount).toBe(
    4002,
  );
});

test('a merge that is not possible is refused with 409 and says why', async () => {
  const { browser, store, workspaceId, tokens, sizes } = await openFirm(1);
  await addClients(store, workspaceId, [
    aClient({ groupName: 'North', email: 'ada@mail.example', referenceId: '1700000000000-0001' }),
    aClient({ groupName: 'South', email: 'ADA@mail.example' }),
  ]);
  const merge = (into: string | undefined) => browser.post(`${GROUPS}/${tokens.North}/merge`, { into_token: into });
  expect(await merge(tokens.South)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('(1700000000000-0001). Nothing was changed.') },
  });
  expect(await merge(tokens.North)).toMatchObject({
    status: 409,
    body: { message: 'A group cannot be merged into itself.' },
  });
  expect(await sizes()).toEqual(['East 0', 'North 2', 'South 2']);
});

test('a group is deleted if it has no clients, and otherwise the answer says what to do instead', async () => {
  const { browser, tokens, sizes } = await openFirm(1);
  expect((await browser.delete(`${GROUPS}/${tokens.East}`)).status).toBe(200);
  expect(await browser.delete(`${GROUPS}/${tokens.North}`)).toMatchObject({
    status: 409,
    body: { message: 'The group North has 1 client. Merge it into another group instead.' },
  });
  expect(await sizes()).toEqual(['North 1', 'South 1']);
});
