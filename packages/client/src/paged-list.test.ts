import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { InvalidRequestError } from './errors.ts';
import { Rollcall } from './rollcall.ts';
import { FakeService, type Reply } from './testing/fake-service.ts';
import { failure, hang } from './testing/faulty-replies.ts';
import { aRecord } from './testing/records.ts';

/** The machine may be busy. */
const PATIENTLY = { timeout: 20_000 };

const open = ({ address }: FakeService) => new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1 });

async function collect<T>(walk: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of walk) all.push(each);
  return all;
}

test.each([
  ['with links', true],
  ['by page numbers', false],
])('a walk %s sees every client once, in order', async (_how, sendsLinks) => {
  const service = await FakeService.start(25);
  service.sendsLinks = sendsLinks;
  const { clients } = open(service);
  expect(await collect(clients.list({ pageLimit: 10 }))).toEqual(service.clients);
  expect(service.lists).toHaveLength(3);
  const pages = await collect(clients.list({ pageLimit: 10 }).pages());
  expect(pages.map(({ results }) => results.length)).toEqual([10, 10, 5]);
  expect(pages[0]?.total_count).toBe(25);
});

test.each([
  ['with links', true],
  ['by page numbers', false],
])('a walk over an empty list, %s, is one request and an empty page', async (_how, sendsLinks) => {
  const service = await FakeService.start(0);
  service.sendsLinks = sendsLinks;
  const pages = await collect(open(service).clients.list().pages());
  expect(pages).toMatchObject([{ total_count: 0, results: [] }]);
});

test('filters apply to every page of a walk', async () => {
  const service = await FakeService.start(25);
  await collect(open(service).clients.list({ pageLimit: 10, requestStatus: 'Completed', groupName: 'A & B' }));
  for (const { query } of service.lists) {
    expect(query.get('request_status')).toBe('Completed');
    expect(query.get('group_name')).toBe('A & B');
  }
});

test('a client that is added during a walk neither hides nor repeats another', async () => {
  const service = await FakeService.start(25);
  const before = service.clients;
  const seen: string[] = [];
  for await (const client of open(service).clients.list({ pageLimit: 5 })) {
    seen.push(client.reference_id);
    service.change([aRecord(1000 + seen.length), ...service.clients]);
  }
  expect(seen).toEqual(before.map(({ reference_id }) => reference_id));
});

test('tokens that expire during a walk are renewed unnoticed', async () => {
  const service = await FakeService.start(25);
  const seen: string[] = [];
  for await (const client of open(service).clients.list({ pageLimit: 2 })) {
    seen.push(client.reference_id);
    if (seen.length % 7 === 0) service.expireTokens();
  }
  expect(seen).toEqual(service.clients.map(({ reference_id }) => reference_id));
  expect(service.exchanges.length).toBeGreaterThan(1);
});

test('links are followed at our own address, regardless of their host', async () => {
  const service = await FakeService.start(5);
  expect(await collect(open(service).clients.list({ pageLimit: 2 }))).toHaveLength(5);
  expect(service.lists.map(({ path }) => path)).toEqual(Array(3).fill('/api/v1/clients-list/'));
});

test('exactly one page is requested in advance while another is processed', async () => {
  const service = await FakeService.start(50);
  const pages = open(service).clients.list({ pageLimit: 10 }).pages();
  await pages.next();
  await expect.poll(() => service.lists.length, PATIENTLY).toBe(2);
  await pages.next();
  await expect.poll(() => service.lists.length, PATIENTLY).toBe(3);
  await pages.return();
});

test('a break ends the walk at once and aborts the request in flight', async () => {
  const service = await FakeService.start(50);
  const takenBack = Promise.withResolvers<void>();
  const noticeClose: Reply = (response) => void response.on('close', takenBack.resolve);
  service.replyToListsWith(service.answerNormally, noticeClose);
  for await (const _client of open(service).clients.list({ pageLimit: 10 })) {
    await expect.poll(() => service.lists.length, PATIENTLY).toBe(2);
    break;
  }
  await takenBack.promise;
  expect(service.lists).toHaveLength(2);
});

test('a page that fails in advance is reported only when the walk reaches it', async () => {
  const service = await FakeService.start(20);
  service.replyToListsWith(service.answerNormally, failure(400, 'cursor is broken.'));
  const seen: string[] = [];
  const walk = async () => {
    for await (const client of open(service).clients.list({ pageLimit: 10 })) {
      await expect.poll(() => service.lists.length, PATIENTLY).toBe(2);
      seen.push(client.reference_id);
    }
  };
  await expect(walk()).rejects.toBeInstanceOf(InvalidRequestError);
  expect(seen).toHaveLength(10);
});

test('an abort ends a walk with its reason at any point', async () => {
  const service = await FakeService.start(50);
  const stop = new AbortController();
  const { clients } = open(service);
  const seen: string[] = [];
  const walk = async () => {
    for await (const client of clients.list({ pageLimit: 10 }, { signal: stop.signal })) {
      seen.push(client.reference_id);
      if (seen.length === 15) stop.abort(new Error('enough'));
    }
  };
  await expect(walk()).rejects.toThrow('enough');
  expect(seen).toHaveLength(20);

  service.replyToListsWith(hang);
  const hanging = new AbortController();
  const failed = collect(clients.list({}, { signal: hanging.signal }));
  hanging.abort(new Error('enough again'));
  await expect(failed).rejects.toThrow('enough again');
});

test('each loop over a list starts from the beginning', async () => {
  const service = await FakeService.start(3);
  const list = open(service).clients.list();
  expect(await collect(list)).toEqual(await collect(list));
  expect(service.lists).toHaveLength(2);
});

test('concurrent calls of next() return the clients in order, each once, and then the end', async () => {
  const service = await FakeService.start(25);
  const walk = open(service).clients.list({ pageLimit: 10 })[Symbol.asyncIterator]();
  const answers = await Promise.all(Array.from({ length: 30 }, () => walk.next()));
  expect(answers.slice(0, 25).map(({ value }) => value)).toEqual(service.clients);
  expect(answers.slice(25)).toEqual(Array(5).fill({ value: undefined, done: true }));
  expect(service.lists).toHaveLength(3);
});

test('no listeners stay on a signal that outlives many calls', async () => {
  const service = await FakeService.start(25);
  service.replyToListsWith(service.answerNormally, failure(503, 'Busy.'));
  const { signal } = new AbortController();
  await collect(open(service).clients.list({ pageLimit: 10 }, { signal }));
  await open(service).clients.page({}, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
