import { request as startRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { aClient, addClients, aWorkspace } from '../testing/builders.ts';
import { LIST_PATH, openTestApi } from '../testing/test-api.ts';

/** Unlike `fetch`, neither asks for compression by itself nor undoes it. */
async function get(url: string, headers: Record<string, string>, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  startRequest(url, { method, agent: false, headers }, resolve).on('error', reject).end();
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

async function openWith(clients: number) {
  const api = await openTestApi();
  const { workspaceId, secret } = await aWorkspace(api.store, api.clock, 'owner@firm.example');
  const made = Array.from({ length: clients }, () => aClient({ name: 'Ада Абебе' }));
  await addClients(api.store, workspaceId, made);
  const authorization = `Bearer ${await api.token(secret)}`;
  const list = (query: string, headers: Record<string, string> = {}, method?: string) =>
    get(`${api.address.production}${LIST_PATH}?${query}`, { authorization, ...headers }, method);
  return { ...api, workspaceId, list };
}

const DECOMPRESS = { gzip: gunzipSync, br: brotliDecompressSync };

test.each(['gzip', 'br'] as const)(
  'a page is sent as %s to those who ask for it, from the cache too',
  async (encoding) => {
    const { list } = await openWith(20);
    const plain = await list('page_limit=20');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (let time = 0; time < 4; time++) {
      const { status, headers, body } = await list('page_limit=20', { 'accept-encoding': encoding });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(headers['content-length']).toBe(String(body.length));
      expect(body.length).toBeLessThan(plain.body.length / 3);
      expect(DECOMPRESS[encoding](body).toString()).toBe(plain.body.toString());
      expect(headers.etag).not.toBe(plain.headers.etag);
    }
    expect((await list('page_limit=20')).body, 'to the others').toEqual(plain.body);
  },
);

test('a small answer is never compressed, and HEAD has the headers of GET', async () => {
  const { list } = await openWith(20);
  const small = await list('page_limit=1', { 'accept-encoding': 'gzip' });
  expect(small.headers['content-encoding']).toBeUndefined();
  expect(small.headers.vary).toBe('Accept-Encoding');
  const [one, two] = [
    await list('page_limit=20', { 'accept-encoding': 'br' }),
    await list('page_limit=20', { 'accept-encoding': 'br' }, 'HEAD'),
  ];
  expect(two.body.length).toBe(0);
  for (const name of ['content-encoding', 'content-length', 'etag', 'vary'] as const) {
    expect(two.headers[name], name).toBe(one.headers[name]);
  }
});

test('the tag of a page is recognised however the page was compressed, until the page changes', async () => {
  const { list, store, workspaceId } = await openWith(20);
  const tags: string[] = [];
  for (const encoding of ['gzip', 'br', 'identity']) {
    tags.push(String((await list('page_limit=20', { 'accept-encoding': encoding })).headers.etag));
  }
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    const { status, headers } = await list('page_limit=20', { 'accept-encoding': 'gzip', 'if-none-match': `W/${tag}` });
    expect([status, headers.etag, headers.vary]).toEqual([304, tag, 'Accept-Encoding']);
  }
  await addClients(store, workspaceId, [aClient()]);
  for (const tag of tags) {
    expect((await list('page_limit=20', { 'if-none-match': tag })).status).toBe(200);
  }
});

test('the documentation is compressed as well', async () => {
  const { address } = await openTestApi();
  for (const path of ['/openapi.json', '/docs/js/scalar.js']) {
    const plain = await get(address.production + path, {});
    for (const encoding of ['gzip', 'br', 'gzip'] as const) {
      const { headers, body } = await get(address.production + path, { 'accept-encoding': encoding });
      expect(headers['content-encoding'], path).toBe(encoding);
      expect(headers['content-length']).toBe(String(body.length));
      expect(DECOMPRESS[encoding](body).equals(plain.body), path).toBe(true);
    }
  }
});
