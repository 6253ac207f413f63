import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProgram } from './firm.ts';

const BUILT = new URL('../../packages/dashboard/dist/', import.meta.url);

const PAGES = [
  '',
  'sign-in',
  'set-up',
  'invitation',
  'reset',
  'nowhere',
  'index.html',
  'favicon.ico',
  'assets.html',
  'production',
  'sandbox/overview',
  'sandbox/clients?status=completed',
  'sandbox/clients/1-0001',
  'sandbox/import',
  'sandbox/groups',
  'sandbox/settings/api-credentials',
  'sandbox/settings/members',
  'sandbox/settings/profile',
  'sandbox/settings/activity',
];

const NO_FILES = [
  'assets/missing-12345678.js',
  'assets/',
  'assets',
  'assets/../index.html',
  'assets/..%2findex.html',
  'assets/%2e%2e/index.html',
  'console/nothing',
];

test('pages are never stored; only files whose names carry a hash are kept for good', async () => {
  const { dashboard } = await (await openProgram()).serve();
  const cachingOf = async (path: string, headers = {}): Promise<[status: number, caching: string | null]> => {
    const response = await fetch(`${dashboard}/${path}`, { headers });
    await response.arrayBuffer();
    return [response.status, response.headers.get('cache-control')];
  };

  for (const path of PAGES) expect(await cachingOf(path), path).toEqual([200, 'no-store']);

  const assets = readdirSync(new URL('assets/', BUILT)).filter((name) => !/\.(gz|br)$/.test(name));
  expect(assets.length).toBeGreaterThan(10);
  for (const name of assets) {
    expect(name).toMatch(/-[\w-]{8}\.\w+$/);
    for (const encoding of ['identity', 'gzip', 'br']) {
      const caching = await cachingOf(`assets/${name}`, { 'accept-encoding': encoding });
      expect(caching, name).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  }

  // What begins with a dot is a note of whoever built it, and is not served.
  const others = readdirSync(BUILT).filter((name) => !/^(\.|assets$|index\.html$)/.test(name));
  expect(others.length).toBeGreaterThan(1);
  for (const name of others) {
    expect(await cachingOf(name), name).toEqual([200, 'no-cache']);
  }

  for (const path of NO_FILES) expect((await cachingOf(path))[1], path).toBe('no-store');
});
