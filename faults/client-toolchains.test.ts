import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, linkPackage, SETUPS, TYPE_SOURCES, typeCheck } from '../e2e/client-type-check.ts';
import { InstalledClient } from '../e2e/installed-client.ts';
import { FakeService } from '../packages/client/src/testing/fake-service.ts';

// Tests the client package with compilers and platforms that are older than those of this repository. They are downloaded,
// so these tests are not part of `npm test`.

const run = promisify(execFile);

const COMPILERS = ['5.0', '5.1', '5.2', '5.3', '5.4', '5.5', '5.9'];
const UNDICIS = ['5', '6', '7'];
/** The oldest supported release. It cannot `require` an ES module. The package contains a binary and needs no script. */
const OLDEST_NODE = `node-${process.platform}-${process.arch}@20.0.0`;

const online =
  spawnSync('npm', ['view', 'typescript@5.0.4', 'version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;
const note = online ? '' : ' (NOT RUN: the package registry cannot be reached)';

describe.runIf(online)(`older compilers and platforms${note}`, () => {
  const downloads = mkdtempSync(join(tmpdir(), 'rollcall-toolchains-'));
  const downloaded = (name: string) => join(downloads, 'node_modules', name);
  let installed: InstalledClient;

  beforeAll(async () => {
    installed = new InstalledClient();
    writeFileSync(join(downloads, 'package.json'), JSON.stringify({ name: 'downloads', private: true }));
    const packages = [
      ...COMPILERS.map((version) => `typescript-${version}@npm:typescript@${version}`),
      ...UNDICIS.map((version) => `undici-${version}@npm:undici@${version}`),
      `oldest-node@npm:${OLDEST_NODE}`,
      '@types/node@20',
    ];
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quietly, ...packages], { cwd: downloads });
    for (const name of ['@types/node', 'undici-types', ...UNDICIS.map((version) => `undici-${version}`)]) {
      linkPackage(installed, name, downloaded(name));
    }
  });
  afterAll(() => {
    installed.remove();
    rmSync(downloads, { recursive: true, force: true, maxRetries: 3 });
  });

  const commonjs = { module: 'commonjs', moduleResolution: 'node', files: ['use.ts'] };
  const CASES = [
    { module: 'node16', setup: SETUPS.node16, typeSource: 'the DOM library' },
    { module: 'node16', setup: SETUPS.node16, typeSource: '@types/node' },
    { module: 'node16', setup: SETUPS.node16, typeSource: 'both' },
    { module: 'nodenext', setup: SETUPS.nodenext, typeSource: '@types/node' },
    { module: 'bundler', setup: SETUPS.bundler, typeSource: 'the DOM library' },
    { module: 'commonjs', setup: commonjs, typeSource: '@types/node' },
  ] as const;

  describe.each(COMPILERS)('TypeScript %s', (version) => {
    const compiler = () => [process.execPath, downloaded(`typescript-${version}/bin/tsc`)];

    test.each(CASES)(
      'compiles a strict project with $module modules and types from $typeSource, and the declarations of the package',
      async ({ setup, typeSource }) => {
        expect(await typeCheck(installed, compiler(), setup, TYPE_SOURCES[typeSource])).toBe('');
      },
    );

    test(`accepts the fetch of undici ${UNDICIS.join(', ')}`, async () => {
      const files = UNDICIS.map((undici) => {
        const source = `import { fetch } from 'undici-${undici}';
          import { Rollcall } from '@rollcall/client';
          export const rollcall = new Rollcall({ apiKey: 'key', baseUrl: 'http://localhost', fetch });`;
        installed.write(`undici-${undici}.mts`, source);
        return `undici-${undici}.mts`;
      });
      // The declarations of undici are not checked.
      const options = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] };
      expect(await compile(installed, compiler(), files, { ...options, skipLibCheck: true })).toBe('');
    });
  });

  const LIST = `(async () => {
    const { clients } = new Rollcall({ apiKey: 'key', baseUrl: process.argv[2] });
    const seen = [];
    for await (const client of clients.list({ pageLimit: 7 })) seen.push(client.reference_id);
    console.log(JSON.stringify(seen));
  })();`;

  test.each([
    ['required', 'list.cjs', `const { Rollcall } = require('@rollcall/client');\n${LIST}`],
    ['imported', 'list.mjs', `import { Rollcall } from '@rollcall/client';\n${LIST}`],
  ])('the package can be %s on Node 20.0.0', async (_how, file, source) => {
    const node = downloaded('oldest-node/bin/node');
    expect((await run(node, ['--version'])).stdout.trim()).toBe('v20.0.0');
    const service = await FakeService.start(25);
    const { stdout } = await run(node, [installed.write(file, source), service.address]);
    expect(JSON.parse(stdout)).toEqual(service.clients.map(({ reference_id }) => reference_id));
  });

  test('the command of the package lists clients on Node 20.0.0', async () => {
    const service = await FakeService.start(25);
    const env = { ROLLCALL_API_KEY: 'key', ROLLCALL_BASE_URL: `${service.address}/api/v1/` };
    const command = [installed.file('bin/rollcall-clients.js'), 'list', '--all', '--format', 'json'];
    const { stdout } = await run(downloaded('oldest-node/bin/node'), command, { env });
    expect(JSON.parse(stdout)).toEqual(service.clients);
  });
});
