import { beforeEach, expect, inject, test } from 'vitest';
import { renewEpoch } from '../../domain/epoch.ts';
import { aClient, addClients, aWorkspace } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, resultsOf, type TestApi } from '../../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';

let url: string;
let api: TestApi;
let workspaceId: number;
let authorization: string;

beforeEach(async () => {
  url = await newDatabase(inject('engine'));
  api = await openTestApi(await openTestStoreAt(url));
  const workspace = await aWorkspace(api.store, api.clock, 'a@firm.example');
  workspaceId = workspace.workspaceId;
  authorization = `Bearer ${await api.token(workspace.secret)}`;
  await addClients(
    api.store,
    workspaceId,
    Array.from({ length: 25 }, () => aClient({ email: 'same@mail.example', groupName: `G${Math.random()}` })),
  );
});

const get = (query: string, tag = '"none"') =>
  api.get(query.startsWith('/') ? query : LIST_PATH + query, { authorization, 'if-none-match': tag });

test.each(['', '?page_no=2', '?request_status=requested', '?client_email=same@mail.example', '?group_name=nobody'])(
  'in a new epoch %s has a new tag and the same body',
  async (query) => {
    const before = await get(query);
    const tag = before.headers.get('etag') ?? '';
    expect((await get(query, tag)).status).toBe(304);
    await renewEpoch({ ...api.store, clock: api.clock });
    const after = await get(query, tag);
    expect(after.status).toBe(200);
    expect(after.text).toBe(before.text);
    expect(after.headers.get('etag')).not.toBe(tag);
  },
);

test('a new epoch that begins elsewhere is noticed', async () => {
  const tag = (await get('')).headers.get('etag') ?? '';
  const elsewhere = await openTestStoreAt(url);
  const epoch = await renewEpoch({ ...elsewhere, clock: api.clock });
  await expect.poll(async () => (await get('', tag)).status, { timeout: 10_000 }).toBe(200);
  expect((await get('')).headers.get('etag')).toContain(epoch);
});

test('a start that finds the database unchanged keeps the epoch', async () => {
  const tag = (await get('')).headers.get('etag') ?? '';
  await openTestStoreAt(url);
  expect((await get('', tag)).status).toBe(304);
});

test('a cursor is a position in the list and can be followed in any epoch', async () => {
  const first = await get('?page_limit=10');
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const before = await get(next);
  await renewEpoch({ ...api.store, clock: api.clock });
  const after = await get(next);
  expect(after).toMatchObject({ status: 200, text: before.text });
  expect(resultsOf(after.body)).toHaveLength(10);
});
