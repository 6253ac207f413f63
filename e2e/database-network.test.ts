import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { ApiWriters } from './api-writers.ts';
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts';
import { asAdmin, load, openNodes, type TimedResponse, timed } from './nodes.ts';
import { expectOkOrUnavailable, expectReady, readiness } from './recovery.ts';

/** How often each fault happens. `npm run faults` does it more often. */
const ROUNDS = Number(process.env.ROLLCALL_TEST_DATABASE_FAULTS ?? 1);

const FAULT_MS = 3000;

interface Fault {
  name: string;
  begin(): unknown;
  end(): unknown;
  /** What the service says. */
  reason: RegExp;
}

const NO_ANSWER = /does not answer in time|all connections to the database server are in use/;

function networkFaults(proxy: DatabaseProxy): Fault[] {
  return [
    { name: 'too slow', begin: () => proxy.delay(FAULT_MS), end: () => proxy.delay(0), reason: NO_ANSWER },
    // Connections are never closed, so that neither side learns of it.
    { name: 'cut off', begin: proxy.cutOff, end: proxy.restore, reason: NO_ANSWER },
  ];
}

const CONNECTIONS_OF_NODES = `from pg_stat_activity
  where datname = current_database() and application_name like 'rollcall%'`;

/** Somebody else opens connections until they hold all that the server has, and the nodes none. */
function outOfConnections(server: PostgresServer, admin: Client): Fault {
  let taken: Client[] = [];
  const end = async () => {
    await Promise.all(taken.map((client) => client.end()));
    taken = [];
  };
  onTestFinished(end);
  const begin = async () => {
    const { rows } = await admin.query(`select current_setting('max_connections')::int as most`);
    const free = rows[0].most - 1;
    // A refusal alone is no end: a connection that was terminated keeps its place for a moment after it was last listed.
    while (taken.length < free) {
      const client = new Client({ connectionString: server.url() });
      client.on('error', () => {});
      try {
        await client.connect();
        taken.push(client);
      } catch (error) {
        expect((error as { code: string }).code).toBe('53300');
        await admin.query(`select pg_terminate_backend(pid) ${CONNECTIONS_OF_NODES}`);
      }
    }
  };
  return { name: 'out of connections', begin, end, reason: /the database server has too many connections/ };
}

test('a database server that is too slow, cut off or out of connections causes a timely 503, and nodes continue by themselves without losing a write', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.stop());
  const proxy = await openDatabaseProxy(server.url());
  const { program, databaseUrl, nodes, first, key, token } = await openNodes(server, 2, {}, proxy.port);
  const direct = new URL(databaseUrl);
  direct.port = new URL(server.url()).port;
  const faults = [...networkFaults(proxy), outOfConnections(server, await asAdmin(direct.href))];
  const addresses = nodes.map(({ production }) => production);
  const writers = new ApiWriters(addresses, token).start();
  // A server that is far away only makes answers slower.
  proxy.delay(10);
  await writers.acknowledgesMore();
  proxy.delay(0);

  for (const { name, begin, end, reason } of Array.from({ length: ROUNDS }, () => faults).flat()) {
    const readers = load(nodes, key.api_key, token);
    await readers.isHealthy();
    await writers.acknowledgesMore();
    const writesBefore = writers.answers.length;
    await begin();
    for (const node of nodes) await expect.poll(() => readiness(node)).toBe(503);
    await writers.isRefused();
    await readers.hasSeenStatus(503);
    await sleep(FAULT_MS);
    expect((await timed(`${first.production}/healthz`)).status).toBe(200);
    const readyMessage = async () => (await timed(`${first.production}/readyz?write`)).body.message;
    await expect.poll(readyMessage).toMatch(reason);
    await end();
    const endedAt = performance.now();
    await expectReady(nodes);
    await readers.isHealthy();
    await writers.acknowledgesMore();
    const recoveryMs = Math.round(performance.now() - endedAt);
    const reads = await readers.stop();
    expectOkOrUnavailable(reads);
    // A repeated request may find that its first attempt is still running.
    const writes = writers.answers.slice(writesBefore).filter(({ status }) => status !== 409);
    expectOkOrUnavailable(writes, 201);
    const seen = { reads: refusals(reads), writes: refusals(writes), recoveryMs };
    process.stdout.write(`${name}: ${JSON.stringify(seen)}\n`);
  }

  await writers.stop();
  await writers.expectNothingLost(first.production);
  process.stdout.write(`${writers.acknowledged.length} writes acknowledged\n`);
  for (const node of nodes) expect(await node.stop()).toBe(0);
  expect(await program.json(['doctor'])).toMatchObject({ ok: true });
});

function refusals(answers: readonly TimedResponse[]) {
  const refused = answers.filter(({ status }) => status === 503);
  const longestMs = Math.round(Math.max(0, ...refused.map(({ ms }) => ms)));
  return { answers: answers.length, refused: refused.length, longestMs };
}
