import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../../testing/builders.ts';
import { throughProxy } from '../../../testing/tcp-proxy.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import { INDEX_LEVELS } from '../../clients/client-index/levels.ts';
import { ListCache } from '../../clients/client-index/list-cache.ts';
import { openClientPages } from '../../clients/client-pages.ts';
import { openEngine, type Store } from '../../open-store.ts';
import { BoundedPool, COMMAND_TIMEOUTS, REQUEST_TIMEOUTS } from './bounded-pool.ts';

function createFirm({ changeInstallation }: Store, ownerEmail = 'a@firm.example') {
  const newAccount = { name: 'Firm', ownerEmail, ownerPasswordHash: '', createdAt: 0 };
  return changeInstallation({ actor: TESTER, at: 0 }, async (change) => {
    const { account } = await change.accounts.create(newAccount);
    change.record(account.id, 'member.set-up', ownerEmail);
    return account;
  });
}
const BUSY_MACHINE_MS = 10_000;
const OUR_BACKENDS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function openServing(poolSize = 4) {
  const url = await newDatabase('postgres');
  const store = await openTestStoreAt(url, { serving: true, poolSize });
  return { url, store, admin: await connect(url) };
}

/** Resolves with the time of the next change that is noticed. */
function nextChange(onChange: (listener: () => void) => () => void): Promise<number> {
  return new Promise((resolve) => {
    const forget = onChange(() => {
      forget();
      resolve(performance.now());
    });
  });
}

test('connections that fail, idle or busy, are replaced, and the process continues', async () => {
  const { url, store, admin } = await openServing();
  await Promise.all(Array.from({ length: 4 }, () => store.ping()));
  await admin.query(OUR_BACKENDS);
  await expect.poll(() => store.accounts.list().catch(() => 'away')).toEqual([]);

  const engine = openEngine(url, { serving: true });
  onTestFinished(() => engine.close());
  const cut = engine.write(async (db) => {
    await db.insertInto('accounts').values({ name: 'lost', created_at: 0 }).execute();
    await admin.query(OUR_BACKENDS);
    await db.selectFrom('accounts').selectAll().execute();
  });
  await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
  expect(await engine.reads.selectFrom('accounts').selectAll().execute()).toEqual([]);
});

const READY_FOR_QUERY = Buffer.from([...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')]);

function shuttingDown(): Buffer {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}

/** A URL of the same database at which the first connections are accepted and ended by the same packet. */
function endsAtOnce(url: string, connections: number): Promise<string> {
  let left = connections;
  return throughProxy(url, (inbound, open) => {
    const outbound = open();
    inbound.pipe(outbound);
    outbound.on('data', (chunk: Buffer) => {
      const isAccepted = chunk.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);
      if (isAccepted && left-- > 0) inbound.end(Buffer.concat([chunk, shuttingDown()]));
      else inbound.write(chunk);
    });
  });
}

test('a server that is shut down just as it accepts a connection does not end the process', async () => {
  const { url } = await openServing();
  const engine = openEngine(await endsAtOnce(url, 3), { serving: true });
  onTestFinished(() => engine.close());
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(engine.ping()).rejects.toMatchObject({ code: 'unavailable' });
  }
  await engine.ping();
});

test('a pool without free connections fails in time as unavailable, and recovers', async () => {
  const { store, admin } = await openServing(2);
  const { id } = await createFirm(store);
  await admin.query('begin');
  await admin.query('lock table members in access exclusive mode');
  const started = performance.now();
  const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => store.accounts.list()));
  expect(performance.now() - started).toBeLessThan(2000 + BUSY_MACHINE_MS);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  await admin.query('rollback');
  expect(await store.accounts.list()).toMatchObject([{ id }]);
});

test('an answer that arrived while this process was held up counts', async () => {
  const { url } = await openServing();
  const engine = openEngine(url, { serving: true });
  onTestFinished(() => engine.close());
  await engine.ping();
  const asked = sql<{ one: number }>`select 1 as one from pg_sleep(0.3)`.execute(engine.reads);
  // It has been sent. What holds the process up ends just before timeouts are looked for.
  await sleep(100);
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * REQUEST_TIMEOUTS.statementMs);
  expect((await asked).rows).toEqual([{ one: 1 }]);
});

test('two writes that deadlock both succeed', async () => {
  const { url } = await openServing();
  const engine = openEngine(url);
  onTestFinished(() => engine.close());
  for (const name of ['a', 'b']) {
    await engine.write((db) => db.insertInto('accounts').values({ name, created_at: 0 }).execute());
  }
  const bothHaveOne = Promise.withResolvers<void>();
  let having = 0;
  const raise = (names: string[]) =>
    engine.write(async (db) => {
      for (const name of names) {
        await db
          .updateTable('accounts')
          .set((account) => ({ created_at: account('created_at', '+', 1) }))
          .where('name', '=', name)
          .execute();
        if (++having >= 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
      }
    });
  await Promise.all([raise(['a', 'b']), raise(['b', 'a'])]);
  const accounts = await engine.reads.selectFrom('accounts').select('created_at').execute();
  expect(accounts).toEqual([{ created_at: 2 }, { created_at: 2 }]);
});

test('a write by one node is noticed by another immediately', async () => {
  const { url, store, admin } = await openServing();
  const other = await openTestStoreAt(url, { serving: true });
  const forget = other.onChange(() => {});
  onTestFinished(forget);
  await expect
    .poll(async () => (await admin.query('select from pg_stat_activity where query ~ $1', ['^listen'])).rowCount)
    .toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));

  const delays: number[] = [];
  for (let round = 0; round < 9; round++) {
    const heard = nextChange(other.onChange);
    await createFirm(store, `${round}@firm.example`);
    const written = performance.now();
    delays.push((await heard) - written);
  }
  // A node that only checks at intervals does so 800 ms after the last check, which is when each of these began.
  expect(delays.sort((a, b) => a - b)[4]).toBeLessThan(600);
});

test.each([
  ['there are no notifications', async () => {}],
  [
    'the listening connection is repeatedly terminated',
    async (admin: Client) => void (await admin.query(OUR_BACKENDS)),
  ],
])('when %s, listeners are called within a second', async (_what, disturb) => {
  const { store, admin } = await openServing();
  onTestFinished(store.onChange(() => {}));
  for (let round = 0; round < 3; round++) {
    await disturb(admin);
    const started = performance.now();
    expect((await nextChange(store.onChange)) - started).toBeLessThan(1000 + BUSY_MACHINE_MS);
  }
});

test('a page is not planned for every request, and is planned again once its table has grown', async () => {
  const url = await newDatabase('postgres');
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const someClients = (count: number) => Array.from({ length: count }, () => aClient());
  await addClients(store, workspaceId, someClients(10));
  // One connection, so that the query about prepared statements runs on the connection that has them.
  const engine = openEngine(url, { poolSize: 1 });
  onTestFinished(() => engine.close());
  const pages = openClientPages(engine, INDEX_LEVELS, new ListCache(INDEX_LEVELS));
  const readOften = async () => {
    for (let round = 0; round < 20; round++) await pages.read(workspaceId, {}, { offset: 0, limit: 5 });
  };

  /** The cached plan of the statement, which must be the only one and not made for each request. */
  const keptPlan = async () => {
    await readOften();
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where custom_plans < 10 and generic_plans >= 10`.execute(engine.reads);
    expect(rows).toHaveLength(1);
    const mapError = sql<{ 'QUERY PLAN': string }>`
      explain execute ${sql.id(rows[0]?.name ?? '')} (1, 1, 0, 0, 5, 5, 1, 1)`;
    return (await mapError.execute(engine.reads)).rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  await sql`analyze clients`.execute(engine.reads);
  expect(await keptPlan()).toContain('Seq Scan on clients');
  await addClients(store, workspaceId, someClients(5000));
  await sleep(5000);
  expect(await keptPlan()).not.toContain('Seq Scan on clients');
});

test('the statements of changes are planned again every few seconds, and those from before are forgotten', async () => {
  const pool = new BoundedPool(await newDatabase('postgres'), 1, COMMAND_TIMEOUTS);
  onTestFinished(() => pool.end());
  const queries = vi.spyOn(Client.prototype, 'query');
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => void vi.restoreAllMocks());
  const preparedAfter = async (milliseconds: number) => {
    clock.mockReturnValue(milliseconds);
    const client = await pool.connect();
    await client.query('begin', []);
    for (const number of [1, 2]) await client.query('select $1::int as number', [number]);
    const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements', []);
    await client.query('commit', []);
    client.release();
    const driver = queries.mock.contexts.at(-1) as unknown as { connection: { parsedStatements: object } };
    expect(Object.keys(driver.connection.parsedStatements)).toEqual(rows.map(({ name }) => name));
    expect(rows).toHaveLength(1);
    return rows[0]?.name;
  };
  const first = await preparedAfter(1000);
  expect(await preparedAfter(5000)).toBe(first);
  expect(await preparedAfter(7000)).not.toBe(first);
  expect(await preparedAfter(20_000)).not.toBe(first);
});
