import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { readMetrics, sumOf } from './metrics.ts';
import { asAdmin, load, openNodes, timed } from './nodes.ts';
import type { Serving } from './program.ts';
import { expectOkOrUnavailable, expectReady, keepWriting, readiness } from './recovery.ts';
import { OWNER } from './test-account.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
});

afterAll(() => server.stop());

test('a server that stops responding causes a timely 503, which metrics show, and nothing has to be restarted when it continues', async () => {
  const { nodes, first, key, token } = await openNodes(server, 1, {
    ROLLCALL_METRICS_PORT: '0',
    ROLLCALL_WORKERS: '2',
  });
  const asking = load(nodes, key.api_key, token);
  await asking.isHealthy();
  const metrics = async (name: string) => sumOf(await readMetrics(JSON.parse(first.output).metrics), name);
  expect(await metrics('rollcall_database_available')).toBe(1);
  onTestFinished(() => server.thaw());
  server.freeze();
  await expect.poll(() => readiness(first)).toBe(503);
  expect((await timed(`${first.production}/healthz`)).status).toBe(200);
  await sleep(4000);
  await asking.hasSeenStatus(503);
  await expect.poll(() => metrics('rollcall_database_available')).toBe(0);
  await expect.poll(() => metrics('rollcall_change_lag_seconds')).toBeGreaterThan(3);
  // No worker is missing.
  expect(await metrics('rollcall_serving_processes')).toBe(2);
  server.thaw();
  await expectReady(nodes);
  await asking.isHealthy();
  await expect.poll(() => metrics('rollcall_database_available')).toBe(1);
  await expect.poll(() => metrics('rollcall_change_lag_seconds')).toBeLessThan(3);
  const answers = await asking.stop();
  expectOkOrUnavailable(answers);
  expect(answers.map(({ status }) => status)).toContain(503);
  expect(answers.at(-1)?.status).toBe(200);
});

test('a node can be stopped while its database does not respond', async () => {
  const { first } = await openNodes(server, 1);
  onTestFinished(() => server.thaw());
  server.freeze();
  expect(await first.stop()).toBe(0);
});

test.each([
  ['killed', () => server.kill()],
  ['shut down', () => server.shutDown()],
])('a server that is %s under load and started again loses no acknowledged write', async (_how, bringDown) => {
  const { databaseUrl, nodes, first, key, token } = await openNodes(server, 2);
  const writing = await keepWriting(databaseUrl);
  const asking = load(nodes, key.api_key, token);
  await asking.isHealthy();
  await bringDown();
  await expect.poll(() => readiness(first)).toBe(503);
  await sleep(500);
  await server.startAgain();
  await expectReady(nodes);
  await writing.expectWritable();
  expectOkOrUnavailable(await asking.stop());
  await writing.expectNothingLost();
});

test('a node whose connections are all in use answers 503 in time, and recovers when they are free', async () => {
  const { databaseUrl, nodes, key, token } = await openNodes(server, 1, { ROLLCALL_DATABASE_POOL_SIZE: '2' });
  const admin = await asAdmin(databaseUrl);
  const asking = load(nodes, key.api_key, token);
  await asking.isHealthy();
  await admin.query('begin');
  await admin.query('lock table clients, api_keys in access exclusive mode');
  await asking.hasSeenStatus(503);
  await admin.query('rollback');
  await expectReady(nodes);
  await asking.isHealthy();
  const answers = await asking.stop();
  expectOkOrUnavailable(answers);
  expect(answers.map(({ status }) => status)).toContain(503);
  expect(answers.at(-1)?.status).toBe(200);
});

/** The log lines about the database, in order: the reason, or `over` and the reason. */
function loggedOutages({ log }: Serving): string[] {
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('"msg":"the database can'));
  return lines.map((line) => {
    const { reason, seconds } = JSON.parse(line) as { reason: string; seconds?: number };
    return seconds === undefined ? reason : `over: ${reason}`;
  });
}

test('a problem of the server is logged once when it begins and once when it ends, without secrets', async () => {
  const { program, databaseUrl, first } = await openNodes(server, 1);
  const { pathname, password, username } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const admin = await server.connect();
  onTestFinished(() => admin.end());
  const cutOff = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
  const writable = () => timed(`${first.production}/readyz?write`);
  const ended = async (reason: string) => {
    await expect.poll(async () => (await writable()).status).toBe(200);
    await expect.poll(() => loggedOutages(first).at(-1)).toMatch(/^over: /);
    const about = loggedOutages(first)
      .slice(outageLines)
      .filter((line) => line.includes(reason));
    expect(about).toEqual([reason, expect.stringMatching(/^over: /)]);
    outageLines = loggedOutages(first).length;
  };
  let outageLines = 0;
  expect((await writable()).status).toBe(200);
  expect(loggedOutages(first)).toEqual([]);

  await admin.query(`alter database ${database} set default_transaction_read_only = on`);
  await cutOff();
  await expect.poll(async () => (await writable()).body.message).toMatch(/: the database server is read-only\.$/);
  expect(await readiness(first)).toBe(200);
  const { code, stderr } = await program.run([
    'sample',
    '--account',
    OWNER,
    '--environment',
    'production',
    '--clients',
    '3',
  ]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'rollcall: Service temporarily unavailable: the database server is read-only.\n',
  });
  await admin.query(`alter database ${database} reset default_transaction_read_only`);
  await cutOff();
  await ended('the database server is read-only');

  await admin.query(`alter role ${username} password 'another-secret'`);
  onTestFinished(async () => void (await admin.query(`alter role ${username} password '${password}'`)));
  await cutOff();
  await expect.poll(async () => (await writable()).body.message).toMatch(/refuses the user name or the password\.$/);
  // A connection that was being opened when the others were cut off still works.
  await expect
    .poll(async () => {
      await cutOff();
      return readiness(first);
    })
    .toBe(503);
  await admin.query(`alter role ${username} password '${password}'`);
  await ended('the database server refuses the user name or the password');
  for (const secret of [password, 'another-secret', username]) expect(first.log().includes(secret)).toBe(false);
});

test('a server that is down is logged once, with the reason, and once when it is back', async () => {
  const { first } = await openNodes(server, 1);
  await server.shutDown();
  await expect.poll(() => loggedOutages(first)).toContain('the database server refuses connections');
  expect(await timed(`${first.production}/readyz?write`)).toMatchObject({ status: 503 });
  await sleep(2500);
  await server.startAgain();
  await expect.poll(() => loggedOutages(first).at(-1)).toMatch(/^over: /);
  expect(loggedOutages(first).filter((line) => line.startsWith('over: '))).toHaveLength(1);
  expect(new Set(loggedOutages(first)).size).toBe(loggedOutages(first).length);
});
