import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { list } from './api.ts';
import { addClients, openNodes } from './nodes.ts';
import { Program } from './program.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

/** The port of a PgBouncer that shares a few server connections between transactions. */
async function startPgBouncer({ skip }: TestContext, settings: Record<string, string>): Promise<number> {
  if (spawnSync('pgbouncer', ['--version']).error) skip('PgBouncer is not installed here');
  const { port, username, password } = new URL(server.url());
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-pgbouncer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const listenPort = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users'),
    pool_mode: 'transaction',
    default_pool_size: '3',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`);
  // It refuses to run as root, and needs no more than to read these two files.
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const bouncer = spawn('pgbouncer', ['-q', ...asNobody, join(folder, 'ini')], { stdio: 'ignore' });
  onTestFinished(() => void bouncer.kill('SIGKILL'));
  await expect.poll(() => canConnect(listenPort), { timeout: 10_000 }).toBe(true);
  return listenPort;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

test('two nodes behind a pooler in transaction mode give right pages, and never an old one', async (context) => {
  const port = await startPgBouncer(context, {
    ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
  });
  const { program, nodes, token } = await openNodes(server, 2, {}, port);
  const pages = [
    {},
    { requestStatus: 'completed' },
    { clientType: 'company' },
    { pageNo: 2 },
    { pageLimit: 3 },
  ] as const;
  for (let total = 20; total < 32; total += 4) {
    for (let round = 0; round < 30; round++) {
      const page = pages[round % pages.length];
      const [one, other] = await Promise.all(nodes.map(({ production }) => list(production, token, page)));
      expect(one).toMatchObject({ status: 200 });
      expect(other).toEqual(one);
      if (page === pages[0]) expect(one?.data.total_count).toBe(total);
    }
    await addClients(program, 4, total);
  }
});

test('a pooler that does not let our settings pass is named as the reason in one line', async (context) => {
  const port = await startPgBouncer(context, {});
  const address = new URL(server.url());
  address.port = String(port);
  const { code, stderr } = await new Program({ ROLLCALL_DATABASE_URL: address.href }).run(['serve']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: The database .+ turns us away: unsupported startup parameter: .+\n$/);
});
