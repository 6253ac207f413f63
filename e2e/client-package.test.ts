import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Rollcall } from '../packages/client/src/index.ts';
import { FakeService, type Reply } from '../packages/client/src/testing/fake-service.ts';
import * as faultyReplies from '../packages/client/src/testing/faulty-replies.ts';
import { createKey } from '../packages/server/src/domain/credentials/manage-keys.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../packages/server/src/testing/builders.ts';
import { openTestApi, type TestApiOptions } from '../packages/server/src/testing/test-api.ts';
import { browserPath } from './browser.ts';
import { compile, linkPackage, SETUPS, TYPE_SOURCES, typeCheck } from './client-type-check.ts';
import { InstalledClient, nodesOnPath } from './installed-client.ts';

const run = promisify(execFile);
const CLIENTS = 60;

let installed: InstalledClient;
beforeAll(() => {
  installed = new InstalledClient();
});
afterAll(() => installed.remove());

/** Starts the real service with clients, half of them completed. Returns the environment variables of a caller. */
async function serve(options: TestApiOptions = {}): Promise<Record<string, string>> {
  const { store, clock, address } = await openTestApi(undefined, options);
  const { workspaceId } = await aWorkspace(store, clock, 'owner@firm.example');
  const { secret } = await createKey(
    { ...store, clock },
    { workspaceId, actor: TESTER },
    { environment: 'production', name: 'test', scopes: ['clients:read', 'clients:write'] },
  );
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    aClient({ requestStatus: index % 2 === 0 ? 'completed' : 'pending' }),
  );
  await addClients(store, workspaceId, clients);
  return { PATH: process.env.PATH ?? '', ROLLCALL_API_KEY: secret, ROLLCALL_BASE_URL: address.production };
}

test('the package is smaller than 55 KB with its types, and has no dependencies', () => {
  expect(installed.tarballBytes).toBeLessThan(55_000);
  expect(installed.packages()).toEqual(['node_modules/@rollcall/client']);
});

test.each(nodesOnPath())(
  'the installed package walks, watches, writes and fails as promised on Node $version',
  async ({ path }) => {
    const env = await serve();
    const script = installed.write(
      'walk.js',
      `import { AuthenticationError, ChangedError, Rollcall } from '@rollcall/client';
    const { ROLLCALL_API_KEY: apiKey, ROLLCALL_BASE_URL: baseUrl } = process.env;
    const { clients, groups } = new Rollcall({ apiKey, baseUrl });
    const seen = new Set();
    for await (const client of clients.list({ pageLimit: 7 })) seen.add(client.reference_id);
    const page = await clients.page({ pageNo: 2, pageLimit: 7 });
    const again = await clients.page({ pageNo: 2, pageLimit: 7 }, { ifChangedSince: page });
    const { value: change } = await clients.watch({}, { includeExisting: true }).next();
    const { group_token } = await groups.create('Written');
    const fields = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_token };
    const ada = await clients.create(fields);
    const king = await clients.update(ada.reference_id, { client_name: 'Ada King' }, { ifMatch: ada });
    const changed = await clients.erase(ada.reference_id, { ifMatch: ada }).catch((error) => error);
    await clients.erase(ada.reference_id, { ifMatch: king });
    const names = [];
    for await (const group of groups.list()) names.push(group.group_name);
    const refused = await new Rollcall({ apiKey: 'wrong', baseUrl }).token().catch((error) => error);
    const stopped = await clients.page({}, { signal: AbortSignal.abort('enough') }).catch((reason) => reason);
    console.log(JSON.stringify({
      seen: seen.size, total: page.total_count, same: JSON.stringify(page) === JSON.stringify(again),
      change: change.type, king: king.client_name, changed: changed instanceof ChangedError, names, refused: refused instanceof AuthenticationError && refused.status, stopped,
    }));`,
    );
    const { stdout } = await run(path, [script], { env });
    expect(JSON.parse(stdout)).toEqual({
      seen: CLIENTS,
      total: CLIENTS,
      same: true,
      change: 'added',
      king: 'Ada King',
      changed: true,
      names: ['Everyone', 'Written'],
      refused: 401,
      stopped: 'enough',
    });
  },
);

test.each(nodesOnPath())('the package can be required as CommonJS on Node $version', async ({ path }) => {
  const env = await serve();
  const script = installed.write(
    'walk.cjs',
    `const { AuthenticationError, Rollcall, RollcallError } = require('@rollcall/client');
    const { ROLLCALL_API_KEY: apiKey, ROLLCALL_BASE_URL: baseUrl } = process.env;
    (async () => {
      const seen = new Set();
      for await (const client of new Rollcall({ apiKey, baseUrl }).clients.list({ pageLimit: 7 })) seen.add(client.reference_id);
      const refused = await new Rollcall({ apiKey: 'wrong', baseUrl }).token().catch((error) => error);
      const { version } = require('@rollcall/client/package.json');
      console.log(JSON.stringify({
        seen: seen.size, refused: refused instanceof AuthenticationError && refused instanceof RollcallError,
        file: require.resolve('@rollcall/client'), version,
      }));
    })();`,
  );
  const { stdout } = await run(path, [script], { env });
  const { version } = JSON.parse(readFileSync(installed.file('package.json'), 'utf8'));
  expect(JSON.parse(stdout)).toEqual({
    seen: CLIENTS,
    refused: true,
    file: installed.file('dist/cjs/index.js'),
    version,
  });
  expect(readFileSync(installed.file('dist/cjs/index.js'), 'utf8')).not.toMatch(/^(import|export) /m);
});

test.each(nodesOnPath())(
  'the list of a service that fails in every way once is still read completely on Node $version',
  async ({ path }) => {
    const service = await FakeService.start(40);
    const { dropConnection, cutOffBody, truncatedJson, hang, hangInTheBody, tooManyRequests, failure } = faultyReplies;
    const expireTokens: Reply = (response, request) => {
      service.expireTokens();
      service.answerNormally(response, request);
    };
    for (const reply of [
      ...[dropConnection, cutOffBody, truncatedJson, hang, hangInTheBody, expireTokens],
      ...[tooManyRequests(), tooManyRequests('0'), failure(502), failure(503, 'Busy.'), failure(504)],
    ]) {
      service.replyToListsWith(service.answerNormally, reply);
      service.replyToExchangesWith(...(reply === expireTokens ? [] : [reply]));
    }
    const script = installed.write(
      'survive.js',
      `import { Rollcall } from '@rollcall/client';
    const options = { timeoutMs: 500, retryBaseMs: 1, maxRetries: 20 };
    const { clients } = new Rollcall({ apiKey: 'key', baseUrl: process.argv[2], ...options });
    const seen = [];
    for await (const client of clients.list({ pageLimit: 2 })) seen.push(client.reference_id);
    console.log(JSON.stringify(seen));`,
    );
    const { stdout } = await run(path, [script, service.address]);
    expect(JSON.parse(stdout)).toEqual(service.clients.map(({ reference_id }) => reference_id));
    expect(service.lists.length).toBeGreaterThan(20 + 10);
  },
);

test.each(nodesOnPath())(
  'the installed command lists clients, and ends silently when its reader does, on Node $version',
  async ({ path }) => {
    const env = await serve();
    const command = installed.file('bin/rollcall-clients.js');
    const csv = await run(path, [command, 'list', '--all', '--format', 'csv'], { env });
    expect(csv.stdout.trim().split('\n')).toHaveLength(1 + CLIENTS);
    expect(csv.stderr).toBe(`${CLIENTS} of ${CLIENTS} clients.\n`);

    const piped = `"${path}" "${command}" list --all --page-limit 1 | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await run('bash', ['-c', piped], { env });
    const [first = '', code] = stdout.trim().split('\n');
    expect(JSON.parse(first)).toHaveProperty('reference_id');
    expect(code).toBe('0');
    expect(stderr).not.toContain('Error');
  },
);

/** Opens an empty page of the origin, from which the installed package can be loaded. */
async function openPage(origin: string): Promise<Page> {
  // The pages come from no network at all, and Chromium would ask a person whether they may call this machine.
  const args = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'];
  const browser = await chromium.launch({ executablePath: browserPath(), args });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.route('**/*.js', (route) =>
    route.fulfill({ path: installed.file(new URL(route.request().url()).pathname) }),
  );
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }));
  await page.goto(origin);
  return page;
}

test('the installed package walks in a browser', async () => {
  const service = await FakeService.start(25);
  const page = await openPage(service.address);
  const seen = await page.evaluate(`(async () => {
      const { Rollcall } = await import('/dist/index.js');
      const { clients } = new Rollcall({ apiKey: 'key', baseUrl: location.origin });
      const first = await clients.page();
      const same = first === await clients.page({}, { ifChangedSince: first });
      const seen = [];
      for await (const client of clients.list({ pageLimit: 10 })) seen.push(client.reference_id);
      return { same, seen };
    })()`);
  expect(seen).toEqual({ same: true, seen: service.clients.map(({ reference_id }) => reference_id) });
});

test('pages of a listed origin can use the service, and no others', async () => {
  const { ROLLCALL_BASE_URL: baseUrl, ROLLCALL_API_KEY: apiKey } = await serve({ corsOrigins: ['http://app.example'] });
  const accessToken = await new Rollcall({ apiKey, baseUrl }).token();
  const options = JSON.stringify({ accessToken, baseUrl, maxRetries: 0 });
  const walk = `(async () => {
      const { Rollcall } = await import('/dist/index.js');
      const { clients } = new Rollcall(${options});
      const first = await clients.page();
      const same = first === await clients.page({}, { ifChangedSince: first });
      let seen = 0;
      for await (const client of clients.list({ pageLimit: 7 })) seen += 1;
      return { same, seen };
    })().catch((error) => error.name)`;
  expect(await (await openPage('http://app.example')).evaluate(walk)).toEqual({ same: true, seen: CLIENTS });
  expect(await (await openPage('http://other.example')).evaluate(walk)).toBe('ConnectionError');
});

describe('the types of the package', () => {
  const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));
  const COMPILER = [process.execPath, `${MODULES}typescript/bin/tsc`];
  beforeAll(() => {
    linkPackage(installed, '@types/node', `${MODULES}@types/node`);
    linkPackage(installed, 'undici-types', `${MODULES}undici-types`);
  });

  const COMMONJS = { module: 'commonjs', moduleResolution: 'bundler', files: ['use.ts'] };
  test.each([
    ['node16', SETUPS.node16, 'the DOM library'],
    ['nodenext', SETUPS.nodenext, '@types/node'],
    ['bundler', SETUPS.bundler, 'both'],
    ['commonjs', COMMONJS, '@types/node'],
  ] as const)('compile in a strict project with %s modules', async (_module, setup, typeSource) => {
    expect(await typeCheck(installed, COMPILER, setup, TYPE_SOURCES[typeSource])).toBe('');
  });

  test('accept the fetch of undici', async () => {
    const source = `import type { fetch } from 'undici-types';
      import { Rollcall } from '@rollcall/client';
      export const open = (own: typeof fetch) => new Rollcall({ apiKey: 'key', baseUrl: 'http://localhost', fetch: own });`;
    installed.write('undici.mts', source);
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'], skipLibCheck: true };
    expect(await compile(installed, COMPILER, ['undici.mts'], options)).toBe('');
  });

  test('contain their documentation, and use nothing newer than TypeScript 5.0', () => {
    for (const folder of ['dist', 'dist/cjs']) {
      const files = readdirSync(installed.file(folder), { recursive: true, encoding: 'utf8' });
      const text = files
        .filter((file) => file.endsWith('.d.ts'))
        .map((file) => readFileSync(installed.file(`${folder}/${file}`), 'utf8'));
      expect(text.join()).toContain('@defaultValue 30000');
      // These came with TypeScript 5.1 to 5.6; faults/client-toolchains.test.ts runs the compilers themselves.
      expect(text.join()).not.toMatch(/Iterable(Iterator)?<[^<>]*,|IteratorObject|BuiltinIterator|NoInfer|isposable/);
    }
  });
});

const canRun = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const QUICK_STARTS = [
  { title: 'curl', runs: canRun('curl', '--version'), command: ['bash', 'curl.sh'] },
  { title: 'TypeScript', runs: true, command: [process.execPath, 'quick-start.ts'] },
  { title: 'Command line', runs: canRun('npx', '--version'), command: ['bash', 'command-line.sh'] },
  { title: 'Python', runs: canRun('python3', '-c', 'import requests'), command: ['python3', 'quick_start.py'] },
].map((each) => ({ ...each, what: each.runs ? each.title : `${each.title} (NOT RUN: it is not on this machine)` }));

for (const { title, what, runs, command } of QUICK_STARTS) {
  test.runIf(runs)(`the quick start lists the completed clients: ${what}`, async () => {
    const env = await serve();
    const [program = '', file = ''] = command;
    // Several pages, so that the links between them are followed.
    installed.write(file, codeUnder('quick-start.md', title).replace('page_limit=1000', 'page_limit=2'));
    const { stdout } = await run(program, [file], { env: { ...process.env, ...env }, cwd: installed.project });
    const { clients } = new Rollcall({ apiKey: env.ROLLCALL_API_KEY, baseUrl: env.ROLLCALL_BASE_URL });
    const { results } = await clients.page({ requestStatus: 'completed', pageLimit: 1000 });
    expect(results.length).toBeGreaterThan(0);
    for (const { email } of results) expect(stdout.split(email)).toHaveLength(2);
  });
}

for (const { title, what, runs, command } of QUICK_STARTS.filter(({ title }) => title !== 'Command line')) {
  test.runIf(runs)(`the page about pushing clients adds one, and changes it: ${what}`, async () => {
    const env = await serve();
    const [program = '', file = ''] = command;
    installed.write(file, codeUnder('push.md', title));
    const { clients } = new Rollcall({ apiKey: env.ROLLCALL_API_KEY, baseUrl: env.ROLLCALL_BASE_URL });
    // The second time, the client exists and has already accepted.
    for (let time = 0; time < 2; time++) {
      await run(program, [file], { env: { ...process.env, ...env }, cwd: installed.project });
      const page = await clients.page({ externalId: 'CRM-1815', include: 'external_id' });
      expect(page).toMatchObject({
        total_count: 1,
        results: [{ email: 'ada@mail.example', request_status: 'Accepted', external_id: 'CRM-1815' }],
      });
    }
  });
}

/** The first code block under a heading of a page of the documentation. */
function codeUnder(name: string, heading: string): string {
  const page = readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const code = /^```\w+\n(.*?)^```/ms.exec(section ?? '')?.[1];
  if (!code) throw new Error(`docs/${name} has no code under "${heading}".`);
  return code;
}
