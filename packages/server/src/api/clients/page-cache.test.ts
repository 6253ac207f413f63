import { expect, test } from 'vitest';
import { jsonAnswer } from '../../http/answer.ts';
import { compressAnswer } from '../../http/content-encoding.ts';
import { heapInUse } from '../../testing/heap.ts';
import { etagOf } from './etag.ts';
import { linksOf } from './links.ts';
import { PageCache } from './page-cache.ts';

const MB = 1024 * 1024;
const STAMP = 'k5f0m3x8h2q7w9e1.17';

const page = (body: string) => jsonAnswer(200, body);

/** Does what the list does: looks a page up, makes it if it is not there, and offers it. Returns whether it was there. */
function ask(cache: PageCache, query: string, { stamp = STAMP, workspaceId = 1, body = 'x'.repeat(1000) } = {}) {
  const key = { workspaceId, stamp, contentEncoding: undefined, query: query };
  if (cache.get(key)) return true;
  cache.offer(key, page(body));
  return false;
}

const askTwice = (cache: PageCache, query: string) => [ask(cache, query), ask(cache, query)];
const keyOf = (query: string) => ({ workspaceId: 1, stamp: STAMP, contentEncoding: undefined, query });
const isKept = (cache: PageCache, query: string) => cache.get(keyOf(query)) !== undefined;

test('a page is kept when it is requested for the second time', () => {
  const cache = new PageCache(MB);
  expect([ask(cache, 'a'), ask(cache, 'a'), ask(cache, 'a')]).toEqual([false, false, true]);
  expect(ask(cache, 'a', { workspaceId: 2 }), 'of another workspace').toBe(false);
});

test('after a change a page is made again, and kept at once if it was in demand before', () => {
  const cache = new PageCache(MB);
  askTwice(cache, 'a');
  const stamp = 'k5f0m3x8h2q7w9e1.18';
  expect([ask(cache, 'a', { stamp }), ask(cache, 'a', { stamp })]).toEqual([false, true]);
});

test('the least recently used page is dropped when the cache is full', () => {
  const cache = new PageCache(6500);
  for (const query of ['a', 'b', 'c']) askTwice(cache, query);
  expect(isKept(cache, 'a')).toBe(true);
  for (const query of ['d', 'e']) askTwice(cache, query);
  expect(['a', 'b', 'c', 'd', 'e'].filter((query) => isKept(cache, query))).toEqual(['a', 'd', 'e']);
});

test('a walk through all pages does not displace those that are requested often', () => {
  const cache = new PageCache(MB);
  const often = Array.from({ length: 100 }, (_, n) => `page_no=${n}`);
  for (const query of often) askTwice(cache, query);
  for (let n = 0; n < 20_000; n++) ask(cache, `page_limit=100&page_no=${n}`);
  expect(often.filter((query) => isKept(cache, query))).toEqual(often);
});

test('a page that is larger than the cache is not kept, and a cache without room keeps no page', () => {
  const small = new PageCache(20_000);
  askTwice(small, 'a');
  for (let time = 0; time < 3; time++) expect(ask(small, 'b', { body: 'x'.repeat(30_000) })).toBe(false);
  expect(isKept(small, 'a')).toBe(true);

  const none = new PageCache(0);
  for (let time = 0; time < 3; time++) expect(ask(none, 'a')).toBe(false);
});

/** Answers as the list makes them, so that they take as much memory as in the running service. */
function answer(query: string, n: number, clients: number, name: string) {
  const email = (index: number) => `client.${n}.${index}@mail.example`;
  const results = Array.from({ length: clients }, (_, index) => ({ email: email(index), client_name: name }));
  const totals = { pageNumber: n, pageLimit: 10, totalCount: 10 ** 6, totalPages: 10 ** 5 };
  const around = { prevCursor: `n.1763164954692.${n}.1.k3x9f2`, nextCursor: `o.1763164954692.${n}.1.k3x9f2` };
  const links = linksOf(
    '/api/v1/clients-list/',
    { client_email: query },
    { ...totals, ...around, clients: [], stamp: '' },
  );
  return jsonAnswer(200, JSON.stringify({ data: { results } }), ['ETag', etagOf(1, STAMP, query), 'Link', links]);
}

test.for([
  {
    what: 'empty pages of short queries',
    clients: 0,
    name: '',
    query: (n: number) => `client_email=${n}`,
    asked: 8000,
  },
  {
    what: 'empty pages of long queries',
    clients: 0,
    name: '',
    query: (n: number) => `client_email=${n}${'a'.repeat(7000)}`,
    asked: 500,
  },
  { what: 'usual pages', clients: 10, name: 'Ada Abebe', query: (n: number) => `page_no=${n}`, asked: 6000 },
  { what: 'long pages', clients: 1000, name: 'Ada Abebe', query: (n: number) => `page_no=${n}`, asked: 100 },
  {
    what: 'compressed pages',
    clients: 50,
    name: 'Ada Abebe',
    query: (n: number) => `page_no=${n}`,
    asked: 3000,
    contentEncoding: 'gzip' as const,
  },
  {
    what: 'long pages in another alphabet',
    clients: 1000,
    name: 'Ада Абебе',
    query: (n: number) => `page_no=${n}`,
    asked: 60,
  },
])('the limit is the memory that is really used: $what', ({ clients, name, query, asked, contentEncoding }) => {
  const bound = 4 * MB;
  const cache = new PageCache(bound);
  const before = heapInUse();
  for (let n = 0; n < asked; n++) {
    for (let time = 0; time < 2; time++) {
      // A string that is made from the bytes of a request, as the HTTP parser does.
      const sent = Buffer.from(query(n)).toString('latin1');
      if (cache.get(keyOf(sent))) continue;
      cache.offer(keyOf(sent), compressAnswer(answer(sent, n, clients, name), contentEncoding));
    }
  }
  const taken = heapInUse() - before;
  expect(isKept(cache, query(asked - 1))).toBe(true);
  expect(taken).toBeLessThan(bound * 1.15);
  expect(taken).toBeGreaterThan(bound * 0.5);
});

test('queries that are made once take no more than their share', () => {
  const bound = 8 * MB;
  const cache = new PageCache(bound);
  const before = heapInUse();
  for (let n = 0; n < 30_000; n++)
    ask(cache, Buffer.from(`client_email=${n}${'a'.repeat(n % 500)}`).toString('latin1'));
  expect(heapInUse() - before).toBeLessThan(bound / 8);
  expect(isKept(cache, 'client_email=29999')).toBe(false);
});
