import { expect, test } from 'vitest';
import { summariseClients } from '../../domain/clients/summarise-clients.ts';
import { aClient, addClients, aWorkspace } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, SUMMARY_PATH } from '../../testing/test-api.ts';
import { openOnce } from '../../testing/when-finished.ts';

const at = (second: number) => Date.parse('2026-01-01T00:00:00.000Z') + second * 1000;

const CLIENTS = [
  aClient({ groupName: 'North', requestStatus: 'pending', createdAt: at(1), email: 'ada@x.example' }),
  aClient({ groupName: 'North', requestStatus: 'pending', createdAt: at(2), type: 'company', status: 'inactive' }),
  aClient({ groupName: 'South', requestStatus: 'completed', createdAt: at(3), externalId: 'E1' }),
  aClient({ groupName: 'East', requestStatus: 'requested', createdAt: at(4), email: 'ADA@x.example' }),
];

async function openFirm(clients = CLIENTS) {
  const api = await openTestApi();
  const { workspaceId, secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  await addClients(api.store, workspaceId, clients);
  const headers = { authorization: `Bearer ${await api.token(secret)}` };
  const get = (query: string, more: Record<string, string> = {}) =>
    api.get(`${SUMMARY_PATH}${query}`, { ...headers, ...more });
  return { api, workspaceId, get, headers };
}

const NONE = {
  total_count: 0,
  by_request_status: { pending: 0, declined: 0, completed: 0, accepted: 0, requested: 0 },
  by_client_type: { individual: 0, company: 0 },
  by_client_status: { active: 0, inactive: 0 },
  by_group: [],
  other_groups_count: 0,
};

const group = (name: string, count: number) => ({
  group_name: name,
  group_token: expect.stringMatching(/^[0-9a-f-]{36}$/),
  total_count: count,
});

test('a summary counts the clients by every property, with every value present', async () => {
  const { get } = await openFirm();
  expect((await get('')).body).toEqual({
    status_code: 200,
    message: 'Success',
    data: {
      total_count: 4,
      by_request_status: { pending: 2, declined: 0, completed: 1, accepted: 0, requested: 1 },
      by_client_type: { individual: 3, company: 1 },
      by_client_status: { active: 3, inactive: 1 },
      by_group: [group('North', 2), group('East', 1), group('South', 1)],
      other_groups_count: 0,
    },
  });
});

const sharedFirm = openOnce(openFirm);

test.each([
  ['?request_status=pending', { total_count: 2, by_group: [group('North', 2)] }],
  ['?client_status=active', { total_count: 3, by_client_status: { active: 3, inactive: 0 } }],
  ['?client_status=inactive', { total_count: 1, by_client_status: { active: 0, inactive: 1 } }],
  ['?client_type=company', { total_count: 1, by_client_type: { individual: 0, company: 1 } }],
  [
    '?group_name=NORTH',
    { total_count: 2, by_client_status: { active: 1, inactive: 1 }, by_group: [group('North', 2)] },
  ],
  ['?group_name=nobody', NONE],
  [
    '?created_from=2026-01-01T00:00:02Z&created_to=2026-01-01T00:00:04Z',
    { total_count: 2, by_client_type: { individual: 1, company: 1 } },
  ],
  [
    '?created_from=2026-01-01T00:00:02Z&client_status=active',
    { total_count: 2, by_group: [group('East', 1), group('South', 1)] },
  ],
  ['?created_from=2030-01-01&created_to=2020-01-01', NONE],
  ['?client_email=ada@X.example', { total_count: 2, by_group: [group('East', 1), group('North', 1)] }],
  ['?external_id=E1', { total_count: 1, by_group: [group('South', 1)] }],
  ['?external_id=E1&client_status=inactive', NONE],
])('%s gives %j', async (query, expected) => {
  const { get } = await sharedFirm();
  expect((await get(query)).body.data).toMatchObject(expected);
});

test('the largest hundred groups are shown, those of the same size by name, and the others are counted', async () => {
  const names = Array.from({ length: 103 }, (_, index) => `Group ${String(index).padStart(3, '0')}`);
  const { get } = await openFirm([...names, 'Group 102'].map((groupName) => aClient({ groupName })));
  const { data } = (await get('')).body;
  const shown = (data as { by_group: { group_name: string }[] }).by_group.map((each) => each.group_name);
  expect(shown).toEqual(['Group 102', ...names.slice(0, 99)]);
  expect(data).toMatchObject({ total_count: 104, other_groups_count: 3 });
});

test('a summary that has not changed is answered with 304, and is never mixed up with a list', async () => {
  const { api, workspaceId, get, headers } = await openFirm();
  const first = await get('');
  const etag = first.headers.get('etag') ?? '';
  expect((await get('', { 'if-none-match': etag })).status).toBe(304);
  expect((await get('?client_type=company', { 'if-none-match': etag })).status).toBe(200);
  // Twice, so that it comes from memory.
  expect((await get('')).body).toEqual(first.body);
  expect((await get('')).body).toEqual(first.body);
  for (const query of ['summary', 'summary%20', 'summary?']) {
    expect((await api.get(`${LIST_PATH}?${query}`, headers)).status, query).toBe(400);
  }
  await addClients(api.store, workspaceId, [aClient({ groupName: 'North' })]);
  const changed = await get('', { 'if-none-match': etag });
  expect(changed.status).toBe(200);
  expect(changed.body.data).toMatchObject({ total_count: 5 });
});

test('with very many groups, the figures are the same, and other requests are answered meanwhile', async () => {
  const clients = Array.from({ length: 1200 }, (_, index) =>
    aClient({
      groupName: `Group ${index % 400}`,
      createdAt: at(index % 500),
      status: index % 7 === 0 ? 'inactive' : 'active',
      requestStatus: index % 2 === 0 ? 'pending' : 'completed',
    }),
  );
  const { api, get } = await openFirm(clients);
  let isDone = false;
  let answersMeanwhile = 0;
  const others = async () => {
    for (; !isDone; answersMeanwhile++) expect((await api.get('/healthz')).status).toBe(200);
  };
  const summary = get(
    '?client_status=active&request_status=pending,completed&created_from=2026-01-01T00:02:00Z',
  ).finally(() => {
    isDone = true;
  });
  await others();
  expect(answersMeanwhile).toBeGreaterThan(1);
  const expected = clients.filter(({ status, createdAt }) => status === 'active' && createdAt >= at(120));
  const byGroup = Map.groupBy(expected, ({ groupName }) => groupName);
  const sizes = [...byGroup.values()].map((each) => each.length).sort((a, b) => b - a);
  const { data } = (await summary).body;
  const shown = (data as { by_group: { group_name: string; total_count: number }[] }).by_group;
  expect(shown.map((each) => each.total_count)).toEqual(sizes.slice(0, 100));
  for (const each of shown) expect(each.total_count).toBe(byGroup.get(each.group_name)?.length);
  expect(data).toMatchObject({ total_count: expected.length, other_groups_count: sizes.length - 100 });
});

test('a summary of very many groups ends when its caller leaves', async () => {
  const { api, workspaceId } = await openFirm(
    Array.from({ length: 300 }, (_, index) => aClient({ groupName: `Group ${index}` })),
  );
  const caller = new AbortController();
  const summary = summariseClients(api.store, workspaceId, {}, { signal: caller.signal });
  caller.abort(new Error('gone'));
  await expect(summary).rejects.toThrow('gone');
  expect((await summariseClients(api.store, workspaceId, {})).totalCount).toBe(300);
});

test.each([
  ['?page_no=1', 'page_no is not a parameter of this endpoint'],
  ['?order=oldest', 'order is not a parameter of this endpoint'],
  ['?client_status=x', 'client_status must be one of active, inactive.'],
])('%s is refused: %s', async (query, message) => {
  const { get } = await sharedFirm();
  const answer = await get(query);
  expect(answer.status).toBe(400);
  expect(answer.body.message.startsWith(message), answer.body.message).toBe(true);
});

test('a summary needs a token', async () => {
  const { api } = await openFirm([]);
  expect((await api.get(SUMMARY_PATH)).status).toBe(401);
});
