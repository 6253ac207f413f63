import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { list } from './api.ts';
import { addClients, asAdmin, openNodes } from './nodes.ts';
import { Program } from './program.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

/** Starts PgBouncer with these settings and its defaults otherwise. Returns its port. */
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
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`);
  // PgBouncer refuses to run as root, and only needs to read these two files.
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

/** Counts the statements of a node that wait for a lock, as the server reports them. */
const WAITING = `select count(*)::int as statements from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

// The defaults of PgBouncer, except that nodes share only a few connections in transaction mode.
const MODES = [{ pool_mode: 'session' }, { pool_mode: 'transaction', default_pool_size: '3' }];

describe.each(MODES)('behind PgBouncer with $pool_mode pooling', (settings) => {
  test('two nodes return correct pages, and never an outdated one', async (context) => {
    const port = await startPgBouncer(context, settings);
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

  test('the server ends statements that take too long, and no limit of a node stays on a shared connection', async (context) => {
    const port = await startPgBouncer(context, settings);
    const { databaseUrl, first, token } = await openNodes(server, 1, {}, port);
    const direct = new URL(databaseUrl);
    direct.port = new URL(server.url()).port;
    const admin = await asAdmin(direct.href);
    await admin.query('begin; lock table clients in access exclusive mode');
    const refused = await Promise.all(Array.from({ length: 3 }, () => list(first.production, token)));
    for (const { status } of refused) expect(status).toBe(503);
    // The lock is still held: the server has given up, and no connection waits behind the pooler.
    await expect.poll(async () => (await admin.query(WAITING)).rows).toEqual([{ statements: 0 }]);
    await admin.query('rollback');
    await expect.poll(async () => (await list(first.production, token)).status).toBe(200);

    const others = await Promise.all(Array.from({ length: 4 }, () => asAdmin(databaseUrl)));
    for (const other of others) {
      const { rows } = await other.query(`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`);
      expect(rows).toEqual([{ statement: '0', idle: '0' }]);
    }
  });
});

test('a pooler that allows no transactions is named as the reason in one line', async (context) => {
  const port = await startPgBouncer(context, { pool_mode: 'statement' });
  const address = new URL(server.url());
  address.port = String(port);
  const { code, stderr } = await new Program({ ROLLCALL_DATABASE_URL: address.href }).run(['serve']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: The database .+ refuses the connection: transaction blocks not allowed .+\n$/);
});
