import { beforeEach, describe, expect, test } from 'vitest';
import { eraseClient, setRequestStatus } from '../../domain/clients/manage-clients.ts';
import { renameGroup } from '../../domain/clients/manage-groups.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../../testing/builders.ts';
import { type Answer, LIST_PATH, openTestApi, resultsOf, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let workspaceId: number;
let authorization: string;

beforeEach(async () => {
  api = await openTestApi();
  const workspace = await aWorkspace(api.store, api.clock, 'a@firm.example');
  workspaceId = workspace.workspaceId;
  authorization = `Bearer ${await api.token(workspace.secret)}`;
  await add(25);
});

const add = (count: number) =>
  addClients(
    api.store,
    workspaceId,
    Array.from({ length: count }, () => aClient({ requestStatus: 'pending' })),
  );
const get = (path: string, headers: Record<string, string> = {}) => api.get(path, { authorization, ...headers });
const change = () => ({ workspaceId, actor: TESTER });

function links({ headers }: Answer): Record<string, string> {
  const entries = (headers.get('link') ?? '').split(', ').map((link) => /^<(.+)>; rel="(.+)"$/.exec(link) ?? []);
  return Object.fromEntries(entries.map(([, url, rel]) => [rel, url]));
}

async function walk(from: string, rel: 'next' | 'prev', between = async () => {}): Promise<string[]> {
  const seen: string[] = [];
  for (let url: string | undefined = from; url; ) {
    const answer = await get(url);
    expect(answer.status).toBe(200);
    seen.push(...resultsOf(answer.body).map((client) => client.client_name));
    url = links(answer)[rel];
    await between();
  }
  return seen;
}

describe('the Link header', () => {
  test('leads from page to page and ends after the last one', async () => {
    const path = `${LIST_PATH}?request_status=pending&page_limit=10`;
    const first = await get(path);
    expect(Object.keys(links(first))).toEqual(['first', 'next', 'last']);
    const second = await get(links(first).next ?? '');
    expect(second.body.data).toMatchObject({ page_number: 2, total_count: 25, total_pages: 3, page_limit: 10 });
    expect(second.body.data).toEqual((await get(`${path}&page_no=2`)).body.data);
    expect(Object.keys(links(second))).toEqual(['first', 'prev', 'next', 'last']);
    const last = await get(links(second).last ?? '');
    expect(resultsOf(last.body)).toHaveLength(5);
    expect(Object.keys(links(last))).toEqual(['first', 'prev', 'last']);
    expect((await get(links(second).prev ?? '')).body.data).toEqual(first.body.data);
  });

  test('of an empty list has neither a next nor a last page', async () => {
    expect(links(await get(`${LIST_PATH}?group_name=nobody`))).toEqual({
      first: `${LIST_PATH}?group_name=nobody&page_no=1`,
    });
  });

  test('leads to every client once, in both directions, while others are added, changed and removed', async () => {
    const everybody = await walk(`${LIST_PATH}?page_limit=1000`, 'next');
    const staying = new Set(everybody.filter((_, index) => index % 5 !== 0));
    const going = resultsOf((await get(`${LIST_PATH}?page_limit=1000`)).body);
    const leaving = going.filter((client) => !staying.has(client.client_name));
    const meanwhile = async () => {
      await add(2);
      const client = leaving.pop();
      if (client) await eraseClient({ ...api.store, clock: api.clock }, change(), client.reference_id);
    };
    const expectStaying = (seen: string[]) =>
      expect(seen.filter((name) => staying.has(name)).sort()).toEqual([...staying].sort());

    expectStaying(await walk(`${LIST_PATH}?page_limit=3`, 'next', meanwhile));
    const { last = '' } = links(await get(`${LIST_PATH}?page_limit=3`));
    expectStaying(await walk(last, 'prev', meanwhile));
  });

  test('of a list by many ids is no longer than programs accept, and still leads to every client once', async () => {
    const ids = Array.from({ length: 95 }, (_, index) => `${index}-${'x'.repeat(76)}`);
    const named = ids.map((externalId, index) => aClient({ name: `N${index}`, externalId }));
    await addClients(api.store, workspaceId, named);
    const path = `${LIST_PATH}?page_limit=20&external_id=${ids.join(',')}`;
    const first = await get(path);
    expect(Object.keys(links(first))).toEqual(['next']);
    expect(first.headers.get('link')?.length).toBeLessThan(8192);
    expect(await walk(path, 'next')).toEqual(named.map(({ name }) => name).reverse());
    const longer = await get(`${path},${'y'.repeat(250)},${'z'.repeat(250)}`);
    expect(longer.status).toBe(400);
    expect(longer.body.message).toMatch(/^query string must have at most 8000 characters/);
  });

  test.each([
    ['cursor=nonsense', 'cursor is not valid'],
    ['cursor=%00', 'cursor must not contain a NUL'],
    ['page_no=2&cursor=CURSOR', 'cursor replaces page_no'],
    ['request_status=pending&cursor=CURSOR', 'cursor is not valid for these filters'],
    ['cursor=CURSORx', 'cursor is not valid'],
  ])('%s is refused', async (query, message) => {
    const next = links(await get(`${LIST_PATH}?page_limit=10`)).next ?? '';
    const cursor = new URL(next, 'http://x').searchParams.get('cursor') ?? '';
    const answer = await get(`${LIST_PATH}?${query.replace('CURSOR', cursor)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});

describe('the ETag', () => {
  test('answers 304 without a body as long as nothing has changed', async () => {
    // Too short to be compressed: the tag of a compressed page has another ending.
    const path = `${LIST_PATH}?page_limit=1`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get(path, { 'if-none-match': sent });
      expect(answer).toMatchObject({ status: 304, text: '' });
      expect(answer.headers.get('etag')).toBe(etag);
    }
    expect(await get(path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    expect(await get(`${LIST_PATH}?nonsense=1`, { 'if-none-match': '*' })).toMatchObject({ status: 400 });
    expect((await get(`${LIST_PATH}?page_limit=4`, { 'if-none-match': etag })).status).toBe(200);
  });

  test('changes with every change to the clients, even one that this page does not show', async () => {
    const path = `${LIST_PATH}?page_limit=3`;
    const tags = new Set<string | null>();
    const look = async () => tags.add((await get(path)).headers.get('etag'));
    const [oldest] = resultsOf((await get(`${LIST_PATH}?page_no=25&page_limit=1`)).body);
    await look();
    await add(1);
    await look();
    await setRequestStatus({ ...api.store, clock: api.clock }, change(), oldest?.reference_id ?? '', 'completed');
    await look();
    await renameGroup({ ...api.store, clock: api.clock }, change(), 'Everyone', 'All of them');
    await look();
    expect(tags.size).toBe(4);
  });

  test('is of no use without a token, and never matches for another workspace', async () => {
    const etag = (await get(LIST_PATH)).headers.get('etag') ?? '';
    expect(await api.get(LIST_PATH, { 'if-none-match': etag })).toMatchObject({ status: 401 });
    const other = await aWorkspace(api.store, api.clock, 'b@firm.example');
    const headers = { authorization: `Bearer ${await api.token(other.secret)}`, 'if-none-match': etag };
    expect((await api.get(LIST_PATH, headers)).body.data?.total_count).toBe(0);
  });
});

test('a page from before a change is never served after it, whoever made the change', async () => {
  for (let round = 0; round < 5; round++) {
    const before = (await get(LIST_PATH)).body.data?.total_count;
    expect((await get(LIST_PATH)).body.data?.total_count).toBe(before);
    await add(1);
    expect((await get(LIST_PATH)).body.data?.total_count).toBe(Number(before) + 1);
  }
});
