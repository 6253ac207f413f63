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

const MISSING_FILES = [
  'assets/missing-12345678.js',
  'assets/',
  'assets',
  'assets/../index.html',
  'assets/..%2findex.html',
  'assets/%2e%2e/index.html',
  'console/nothing',
];

test('pages are never cached, and only files with a hash in their name are cached forever', async () => {
  const { dashboard } = await (await openProgram()).serve();
  const cacheControl = async (path: string, headers = {}): Promise<[status: number, caching: string | null]> => {
    const response = await fetch(`${dashboard}/${path}`, { headers });
    await response.arrayBuffer();
    return [response.status, response.headers.get('cache-control')];
  };

  for (const path of PAGES) expect(await cacheControl(path), path).toEqual([200, 'no-store']);

  const assets = readdirSync(new URL('assets/', BUILT)).filter((name) => !/\.(gz|br)$/.test(name));
  expect(assets.length).toBeGreaterThan(10);
  for (const name of assets) {
    expect(name).toMatch(/-[\w-]{8}\.\w+$/);
    for (const encoding of ['identity', 'gzip', 'br']) {
      const caching = await cacheControl(`assets/${name}`, { 'accept-encoding': encoding });
      expect(caching, name).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  }

  // A file that begins with a dot was left by the build and is not served.
  const others = readdirSync(BUILT).filter((name) => !/^(\.|assets$|index\.html$)/.test(name));
  expect(others.length).toBeGreaterThan(1);
  for (const name of others) {
    expect(await cacheControl(name), name).toEqual([200, 'no-cache']);
  }

  for (const path of MISSING_FILES) expect((await cacheControl(path))[1], path).toBe('no-store');
});
