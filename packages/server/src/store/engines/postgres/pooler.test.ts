import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import type { PageWindow } from '../../../domain/clients/list-clients.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../../testing/builders.ts';
import { LIST_PATH, openTestApi } from '../../../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import { openTransactionPooler } from '../../../testing/transaction-pooler.ts';
import { openEngine } from '../../open-store.ts';

/** Enough that every statement uses every connection, before and after statements are prepared again. */
const READS = 150;

async function aFilledDatabase() {
  const url = await newDatabase('postgres');
  const store = await openTestStoreAt(url);
  const { workspaceId, secret } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const clients = Array.from({ length: 60 }, (_, number) =>
    aClient({
      groupName: `G${number % 3}`,
      requestStatus: REQUEST_STATUSES[number % 5] ?? 'pending',
      email: `c${number % 20}@x.example`,
    }),
  );
  await addClients(store, workspaceId, clients);
  return { url, store, workspaceId, secret };
}

/** Every kind of list, starting with a different one for each node, so that no two prepare their statements in the same order. */
function lists(from: number): { filter: ClientFilter; window: PageWindow }[] {
  const filters: ClientFilter[] = [
    {},
    { groupName: 'g1' },
    { requestStatuses: ['pending'] },
    { requestStatuses: ['pending', 'requested'], createdFrom: 1 },
    { clientType: 'individual' },
    { groupName: 'g2', requestStatuses: ['completed'] },
    { email: 'c7@x.example' },
  ];
  const all = filters.flatMap((filter) => [
    { filter, window: { offset: 0, limit: 5 } },
    { filter, window: { offset: 2, limit: 2 } },
    { filter, window: { newerThan: { createdAt: 0, id: 0 }, limit: 3 } },
  ]);
  return [...all.slice(from), ...all.slice(0, from)];
}

test('a prepared statement of one node is never run instead of another node’s', async () => {
  const pooler = await openTransactionPooler(await newDatabase('postgres'));
  const engines = [1, 2].map(() => openEngine(pooler, { poolSize: 1 }));
  onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.close()))));
  const [readA, readB] = engines.map((engine, number) =>
    engine.prepareListRead(sql`select ${sql.lit(number === 0 ? 'a' : 'b')}`.compile(engine.reads)),
  );
  // The two server connections alternate, so a query in between makes the node use the other one.
  expect(await readA?.([])).toEqual([['a']]);
  expect(await readB?.([])).toEqual([['b']]);
  await engines[0]?.ping();
  expect(await readA?.([])).toEqual([['a']]);
  expect(await readB?.([])).toEqual([['b']]);
});

test('nodes that share server connections through a pooler never get each other’s pages', async () => {
  const { url, store, workspaceId } = await aFilledDatabase();
  const pooler = await openTransactionPooler(url);
  const nodes = await Promise.all([1, 2, 3].map(() => openTestStoreAt(pooler, { serving: true, poolSize: 2 })));
  await Promise.all(
    nodes.map(async (node, number) => {
      const asked = lists(number * 5);
      for (let round = 0; round < READS; round++) {
        // Longer than statements stay prepared.
        if (round === READS / 2) await sleep(5100);
        const { filter, window } = asked[round % asked.length] ??
          asked[0] ?? { filter: {}, window: { offset: 0, limit: 1 } };
        const expected = await store.clients.read(workspaceId, filter, window);
        expect(await node.clients.read(workspaceId, filter, window)).toEqual(expected);
      }
    }),
  );
});

test('a node that gets no notifications through a pooler checks by itself: no page is older than an acknowledged change', async () => {
  const { url, store, workspaceId, secret } = await aFilledDatabase();
  const node = await openTestStoreAt(await openTransactionPooler(url, 3), { serving: true, poolSize: 2 });
  onTestFinished(node.onChange(() => {}));
  const api = await openTestApi(node);
  const authorization = `Bearer ${await api.token(secret)}`;
  // Until it knows whether it receives notifications.
  await sleep(1500);
  for (let total = 60; total < 75; total++) {
    const list = () => api.get(LIST_PATH, { authorization });
    expect((await list()).body.data?.total_count).toBe(total);
    await addClients(store, workspaceId, [aClient()]);
    expect((await list()).body.data?.total_count).toBe(total + 1);
  }
});

const LIMITS = sql<{ statement: string; idle: string }>`
  select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`;

test.each(['directly', 'through a pooler'])('every statement of a node connected %s has timeouts', async (way) => {
  const url = await newDatabase('postgres');
  const address = way === 'directly' ? url : await openTransactionPooler(url);
  const [node, command] = [openEngine(address, { serving: true, poolSize: 1 }), openEngine(address, { poolSize: 1 })];
  onTestFinished(async () => void (await Promise.all([node.close(), command.close()])));
  const [short, long] = [[{ statement: '1100ms', idle: '10s' }], [{ statement: '3599900ms', idle: '10min' }]];
  // Through the pooler they alternate between the same two connections, which other clients have used.
  for (let round = 0; round < 4; round++) {
    expect((await LIMITS.execute(node.reads)).rows).toEqual(short);
    expect((await LIMITS.execute(command.reads)).rows).toEqual(long);
    expect((await node.snapshot((db) => LIMITS.execute(db))).rows).toEqual(short);
    expect((await command.write((db) => LIMITS.execute(db))).rows).toEqual(long);
    expect((await node.write((db) => LIMITS.execute(db))).rows).toEqual(short);
  }
});

test('a statement that fails through a pooler leaves no transaction open', async () => {
  const address = await openTransactionPooler(await newDatabase('postgres'), 1);
  const engine = openEngine(address, { poolSize: 1 });
  onTestFinished(() => engine.close());
  for (let round = 0; round < 3; round++) {
    await expect(sql`select 1 / 0`.execute(engine.reads)).rejects.toThrow('division by zero');
    // Otherwise the only connection would be blocked, or the transaction reported as aborted.
    expect((await sql`select 1 as one`.execute(engine.reads)).rows).toEqual([{ one: 1 }]);
    const broken = engine.write(async (db) => void (await sql`select 1 / 0`.execute(db)));
    await expect(broken).rejects.toThrow('division by zero');
  }
});
