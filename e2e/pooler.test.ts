import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { list } from './api.ts';
import { addClients, asAdmin, openNodes } from './nodes.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { Program } from './program.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

/** Counts the statements of a node that wait for a lock, as the server reports them. */
const WAITING = `select count(*)::int as statements from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

// The defaults of PgBouncer, except that nodes share only a few connections in transaction mode.
const MODES = [{ pool_mode: 'session' }, { pool_mode: 'transaction', default_pool_size: '3' }];

describe.each(MODES)('behind PgBouncer with $pool_mode pooling', (settings) => {
  test('two nodes return correct pages, and never an outdated one', async (context) => {
    const port = await startPgBouncer(context, server, settings);
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
    const port = await startPgBouncer(context, server, settings);
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
  const port = await startPgBouncer(context, server, { pool_mode: 'statement' });
  const address = new URL(server.url());
  address.port = String(port);
  const { code, stderr } = await new Program({ ROLLCALL_DATABASE_URL: address.href }).run(['serve']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: The database .+ refuses the connection: transaction blocks not allowed .+\n$/);
});
