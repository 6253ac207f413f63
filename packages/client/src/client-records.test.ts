import { expect, test } from 'vitest';
import {
  ChangedError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
import type { NewClient } from './generated/api.ts';
import { Rollcall } from './rollcall.ts';
import type { RollcallOptions } from './settings.ts';
import { FakeService, type Reply, replyWith } from './testing/fake-service.ts';
import {
  cutOffBody,
  dropConnection,
  failure,
  hang,
  redirect,
  tooManyRequests,
  truncatedJson,
} from './testing/faulty-replies.ts';
import { aFullRecord } from './testing/records.ts';

const ADA: NewClient = {
  email: 'ada@mail.example',
  client_name: 'Ada Abebe',
  client_type: 'individual',
  group_name: 'Partners',
};
const REFERENCE = '1769850600000-000000000001';

const open = ({ address }: FakeService, options: Partial<RollcallOptions> = {}) =>
  new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1, ...options });

const keysOf = ({ writes }: FakeService) => writes.map(({ headers }) => headers['idempotency-key']);

test('every write has its own method, path and JSON body, and only fields that were given', async () => {
  const service = await FakeService.start();
  const { clients, groups } = open(service);
  service.replyToWritesWith(replyWith(aFullRecord(1), 201));
  await clients.create(ADA);
  await clients.update(REFERENCE, { client_name: 'Ada King', external_id: null, reason: 'She said so.' });
  await clients.upsert('CRM/ä 1', { request_status: 'Accepted' });
  const group = { group_name: 'A', group_token: 't', client_count: 0 };
  service.replyToWritesWith(replyWith(null), replyWith(group, 201), replyWith(group));
  expect(await clients.erase(REFERENCE)).toBeUndefined();
  expect(await groups.create('A')).toEqual(group);
  expect(await groups.rename('t', 'B')).toEqual(group);
  expect(service.writes.map(({ method, path, body }) => [method, path, body && JSON.parse(body)])).toEqual([
    ['POST', '/api/v1/clients/', ADA],
    ['PATCH', `/api/v1/clients/${REFERENCE}/`, { client_name: 'Ada King', external_id: null, reason: 'She said so.' }],
    ['PUT', '/api/v1/clients/by-external-id/CRM%2F%C3%A4%201/', { request_status: 'Accepted' }],
    ['DELETE', `/api/v1/clients/${REFERENCE}/`, ''],
    ['POST', '/api/v1/groups/', { group_name: 'A' }],
    ['PATCH', '/api/v1/groups/t/', { group_name: 'B' }],
  ]);
  const types = service.writes.map(({ headers }) => headers['content-type']);
  expect(types.map((type) => type ?? 'none')).toEqual([
    ...Array(3).fill('application/json'),
    'none',
    ...Array(2).fill('application/json'),
  ]);
  expect(new Set(keysOf(service)).size).toBe(6);
});

const ONCE_MORE: [string, Reply, number][] = [
  ['drops the connection', dropConnection, 20_000],
  ['cuts off its answer', cutOffBody, 20_000],
  ['truncates its answer', truncatedJson, 20_000],
  ['never answers', hang, 400],
  ['answers 429', tooManyRequests(), 20_000],
  ['answers 502', failure(502), 20_000],
  ['answers 503', failure(503, 'Service temporarily unavailable.'), 20_000],
  ['answers 504', failure(504), 20_000],
  ['is still at work on it', failure(409, 'Still running.', { 'Retry-After': '0' }), 20_000],
];

test.each(ONCE_MORE)(
  'a write to a service that %s is sent again with the same key and the same body',
  async (_what, reply, timeoutMs) => {
    const service = await FakeService.start();
    const { clients } = open(service, { timeoutMs });
    service.replyToWritesWith(reply, reply);
    const client = { ...ADA };
    const created = clients.create(client);
    // What the caller does with its object meanwhile is no longer part of the write.
    client.client_name = 'Somebody else';
    expect(await created).toMatchObject(ADA);
    const [key, ...others] = keysOf(service);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(others).toEqual([key, key]);
    expect(service.writes.map(({ body }) => JSON.parse(body))).toEqual([ADA, ADA, ADA]);
  },
);

test('a write whose token has expired is sent again with the same key', async () => {
  const service = await FakeService.start();
  service.replyToWritesWith(failure(401, 'Access token has expired.'));
  await open(service).clients.create(ADA);
  const [first, second, ...more] = keysOf(service);
  expect([second, more]).toEqual([first, []]);
  expect(service.exchanges).toHaveLength(2);
});

test('a caller can give its own key, and one that cannot be sent is refused before anything is sent', async () => {
  const service = await FakeService.start();
  const { clients, groups } = open(service);
  await clients.create(ADA, { idempotencyKey: 'order-1' });
  await clients.update(REFERENCE, {}, { idempotencyKey: 'order-2' });
  expect(keysOf(service)).toEqual(['order-1', 'order-2']);
  for (const idempotencyKey of ['', 'two words', 'ä', 'x'.repeat(256), 'a\r\nb: c', 7 as never]) {
    await expect(clients.create(ADA, { idempotencyKey })).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(groups.create('A', { idempotencyKey })).rejects.toThrow('idempotencyKey must be');
  }
  expect(service.writes).toHaveLength(2);
});

test('a change is made to the version that the caller has seen, given as a record or as an ETag', async () => {
  const service = await FakeService.start();
  const { clients } = open(service);
  service.replyToListsWith(replyWith(aFullRecord(1), 200, { ETag: '"a-1"' }));
  const read = await clients.get(REFERENCE);
  service.replyToWritesWith(replyWith(aFullRecord(1), 200, { ETag: '"a-2"' }));
  const changed = await clients.update(REFERENCE, { client_name: 'B' }, { ifMatch: read });
  await clients.upsert('CRM-1', { client_name: 'C' }, { ifMatch: changed });
  service.replyToWritesWith(replyWith(null));
  await clients.erase(REFERENCE, { ifMatch: 'W/"a-3"' });
  await clients.update(REFERENCE, { client_name: 'D' });
  expect(service.writes.map(({ headers }) => headers['if-match'])).toEqual(['"a-1"', '"a-2"', 'W/"a-3"', undefined]);
});

test('a record whose version is not known never changes a client without a condition', async () => {
  const service = await FakeService.start();
  const { clients } = open(service);
  const mine = await clients.create(ADA);
  const foreign = await open(service).clients.create(ADA);
  service.replyToWritesWith(replyWith(aFullRecord(1)));
  const withoutEtag = await clients.create(ADA);
  for (const ifMatch of [{ ...mine }, foreign, withoutEtag, '', 'a\nb', ' "a"', null as never]) {
    await expect(clients.update(REFERENCE, {}, { ifMatch })).rejects.toThrow('ifMatch must be a record');
    await expect(clients.erase(REFERENCE, { ifMatch })).rejects.toBeInstanceOf(InvalidRequestError);
  }
  expect(service.writes).toHaveLength(3);
});

test.each<[string, Reply, typeof RollcallError, number]>([
  ['a wrong field', failure(400, 'colour is not a field.'), InvalidRequestError, 400],
  ['a key that may only read', failure(403, 'Forbidden.'), PermissionError, 403],
  ['a client that does not exist', failure(404, 'There is no client.'), NotFoundError, 404],
  ['a contradiction', failure(409, 'The group already has a client with this email.'), ConflictError, 409],
  ['a client that was changed meanwhile', failure(412, 'It has been changed.'), ChangedError, 412],
  ['a key of another write', failure(422, 'Used for another request.'), InvalidRequestError, 422],
  ['a defect', failure(500, 'Internal error.'), ServiceUnavailableError, 500],
  ['a redirect', redirect('https://elsewhere.example/'), RollcallError, 302],
])('%s is never retried, and has its own class of error', async (_what, reply, type, status) => {
  const service = await FakeService.start();
  service.replyToWritesWith(reply);
  const error = await open(service)
    .clients.update(REFERENCE, { client_name: 'B' })
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ name: type.name, status, attempts: 1 });
  expect(service.writes).toHaveLength(1);
});

test.each<[string, Reply, typeof RollcallError]>([
  ['is still at work on it', failure(409, 'Still running.', { 'Retry-After': '0' }), ConflictError],
  ['drops the connection', dropConnection, ConnectionError],
  ['answers 429', tooManyRequests(), RateLimitError],
])('a write to a service that %s every time ends in an error', async (_what, reply, type) => {
  const service = await FakeService.start();
  service.replyToWritesWith(...Array(4).fill(reply));
  const error = await open(service, { maxRetries: 2 })
    .clients.create(ADA)
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(type);
  expect(error.attempts).toBe(3);
});

test('a write that takes longer than its timeout is an error that says so', async () => {
  const service = await FakeService.start();
  service.replyToWritesWith(hang);
  const failed = open(service, { timeoutMs: 400, maxRetries: 0 }).clients.create(ADA);
  await expect(failed).rejects.toBeInstanceOf(TimeoutError);
});

test('an abort ends a write between two attempts, with its own reason', async () => {
  const service = await FakeService.start();
  service.replyToWritesWith(failure(409, 'Still running.', { 'Retry-After': '20' }));
  const stop = new AbortController();
  const onRetry = () => stop.abort(new Error('enough'));
  const failed = open(service, { onRetry }).clients.create(ADA, { signal: stop.signal });
  await expect(failed).rejects.toThrow('enough');
  expect(service.writes).toHaveLength(1);
});

test.each(['', '.', '..', '\ud800', undefined as never, 7 as never])(
  'an id that is not one (%j) is refused before anything is sent, so that it never means something else',
  async (id) => {
    const service = await FakeService.start();
    const { clients, groups } = open(service);
    await expect(clients.get(id)).rejects.toThrow('referenceId must be');
    await expect(clients.update(id, {})).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(clients.erase(id)).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(clients.upsert(id, {})).rejects.toThrow('externalId must be');
    await expect(groups.rename(id, 'A')).rejects.toThrow('groupToken must be');
    expect([...service.lists, ...service.writes]).toHaveLength(0);
  },
);

test('an answer that does not show what was written is an error', async () => {
  const service = await FakeService.start();
  const { clients, groups } = open(service);
  service.replyToListsWith(replyWith(null), replyWith({}));
  await expect(clients.get(REFERENCE)).rejects.toThrow('The response contains no client; check baseUrl.');
  await expect(groups.page()).rejects.toThrow('The response contains no page of groups; check baseUrl.');
  service.replyToWritesWith(replyWith(null), replyWith({}), replyWith(aFullRecord(1)));
  await expect(clients.create(ADA)).rejects.toThrow('The response contains no client; check baseUrl.');
  await expect(groups.create('A')).rejects.toThrow('The response contains no group; check baseUrl.');
  // For example from a custom fetch that forgets the method.
  await expect(clients.erase(REFERENCE)).rejects.toThrow('does not say that the client is erased');
});
