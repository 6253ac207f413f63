import { expect, test } from 'vitest';
import { InvalidRequestError } from './errors.ts';
import type { PageRequest } from './query.ts';
import { Rollcall } from './rollcall.ts';
import { FakeService, replyWith } from './testing/fake-service.ts';
import { aRecord } from './testing/records.ts';

const open = ({ address }: FakeService) => new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1 });

test('a page is requested with the parameter names of the API, and only given values are sent', async () => {
  const service = await FakeService.start(1);
  await open(service).clients.page({
    pageNo: 3,
    pageLimit: 50,
    clientEmail: 'a+b@mail.example',
    groupName: 'Größe & Co',
    requestStatus: 'completed',
    clientType: 'company',
  });
  await open(service).clients.page({ pageNo: undefined });
  const [full, empty] = service.lists.map(({ query }) => Object.fromEntries(query));
  expect(full).toEqual({
    page_no: '3',
    page_limit: '50',
    client_email: 'a+b@mail.example',
    group_name: 'Größe & Co',
    request_status: 'completed',
    client_type: 'company',
  });
  expect(empty).toEqual({});
});

test('several values are separated by commas, and times are sent as RFC 3339', async () => {
  const service = await FakeService.start(1);
  await open(service).clients.page({
    requestStatus: ['Pending', 'completed'],
    groupToken: ['t', 'u'],
    referenceId: '1-0000',
    createdFrom: new Date(0),
    createdTo: '2026-01-31',
    order: 'oldest',
    clientStatus: 'active',
    externalId: ['CRM 1', 'x'],
    include: ['external_id', 'updated_at'],
  });
  expect(Object.fromEntries(service.lists[0]?.query ?? [])).toEqual({
    request_status: 'Pending,completed',
    group_token: 't,u',
    reference_id: '1-0000',
    created_from: '1970-01-01T00:00:00.000Z',
    created_to: '2026-01-31',
    order: 'oldest',
    client_status: 'active',
    external_id: 'CRM 1,x',
    include: 'external_id,updated_at',
  });
});

test('a summary is requested with the filters of a list, and others are refused', async () => {
  const service = await FakeService.start(1);
  const { clients } = open(service);
  service.replyToListsWith(replyWith({ total_count: 7, by_group: [] }));
  expect(await clients.summary({ clientStatus: 'active', requestStatus: ['pending', 'accepted'] })).toMatchObject({
    total_count: 7,
  });
  expect(service.lists[0]).toMatchObject({ path: '/api/v1/clients-summary/' });
  expect(Object.fromEntries(service.lists[0]?.query ?? [])).toEqual({
    client_status: 'active',
    request_status: 'pending,accepted',
  });
  await expect(clients.summary({ order: 'oldest' } as never)).rejects.toThrow('order is not a filter; the filters are');
  await expect(clients.summary()).rejects.toThrow('The response contains no summary of clients');
});

test.each([
  { requestStatus: [] },
  { requestStatus: ['pending', ''] },
  { groupToken: ['a,b'] },
  { referenceId: [7] },
  { createdFrom: new Date(Number.NaN) },
  { requeststatus: 'completed' },
  { client_email: 'a@b.example' },
  { groupName: null },
  { pageNo: {} },
  { clientEmail: '' },
])(
  'an invalid filter (%j) is refused before anything is sent, so that it never returns all clients',
  async (request) => {
    const service = await FakeService.start(1);
    const { clients } = open(service);
    await expect(clients.page(request as PageRequest)).rejects.toBeInstanceOf(InvalidRequestError);
    expect(() => clients.list(request as PageRequest)).toThrow(InvalidRequestError);
    expect(service.lists).toHaveLength(0);
  },
);

test('a page that has not changed is the same object, and a changed one is a new object', async () => {
  const service = await FakeService.start(3);
  const { clients } = open(service);
  const first = await clients.page();
  const second = await clients.page({}, { ifChangedSince: first });
  expect(second).toBe(first);
  expect(service.lists[1]?.headers['if-none-match']).toBe('"0"');
  expect(await clients.page({}, { ifChangedSince: second })).toBe(first);

  service.change([aRecord(99), ...service.clients]);
  const third = await clients.page({}, { ifChangedSince: second });
  expect(third).not.toBe(first);
  expect(third.total_count).toBe(4);
  expect(first.total_count).toBe(3);
});

test('an unrequested "not modified" is refused', async () => {
  const service = await FakeService.start(3);
  service.replyToListsWith((response) => void response.writeHead(304).end());
  await expect(open(service).clients.page()).rejects.toThrow('contains no page of clients');
});

test('a page of another request, from another client object or without an ETag is not used for a conditional request', async () => {
  const service = await FakeService.start(3);
  const { clients } = open(service);
  const everyone = await clients.page();
  const one = await clients.page({ pageLimit: 1 }, { ifChangedSince: everyone });
  expect(one.results).toHaveLength(1);
  expect(await open(service).clients.page({}, { ifChangedSince: everyone })).not.toBe(everyone);
  const copy = { ...everyone };
  expect(await clients.page({}, { ifChangedSince: copy })).not.toBe(copy);
  for (const { headers } of service.lists) expect(headers['if-none-match']).toBeUndefined();
});
