import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { asAdmin, load, openNodes, timed } from './nodes.ts';
import { expectBack, expectBounded, keepWriting, readiness } from './trouble.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
});

afterAll(() => server.stop());

test('a server that stops answering is a bounded 503, and nothing has to be restarted when it goes on', async () => {
  const { nodes, first, key, token } = await openNodes(server, 1);
  const asking = load(nodes, key.api_key, token);
  await asking.isWell();
  onTestFinished(() => server.thaw());
  server.freeze();
  await expect.poll(() => readiness(first)).toBe(503);
  expect((await timed(`${first.production}/healthz`)).status).toBe(200);
  await sleep(4000);
  await asking.hasSeen(503);
  server.thaw();
  await expectBack(nodes);
  await asking.isWell();
  const answers = await asking.stop();
  expectBounded(answers);
  expect(answers.map(({ status }) => status)).toContain(503);
  expect(answers.at(-1)?.status).toBe(200);
});

test('a node can be stopped while its database does not answer', async () => {
  const { first } = await openNodes(server, 1);
  onTestFinished(() => server.thaw());
  server.freeze();
  expect(await first.stop()).toBe(0);
});

test.each([
  ['killed', () => server.kill()],
  ['shut down', () => server.shutDown()],
])('a server that is %s under load and started again costs no acknowledged write', async (_how, bringDown) => {
  const { databaseUrl, nodes, first, key, token } = await openNodes(server, 2);
  const writing = await keepWriting(databaseUrl);
  const asking = load(nodes, key.api_key, token);
  await asking.isWell();
  await bringDown();
  await expect.poll(() => readiness(first)).toBe(503);
  await sleep(500);
  await server.startAgain();
  await expectBack(nodes);
  await writing.expectBack();
  expectBounded(await asking.stop());
  await writing.expectNothingLost();
});

test('a node whose connections are all in use says so in time, and is well again when they are free', async () => {
  const { databaseUrl, nodes, key, token } = await openNodes(server, 1, { ROLLCALL_DATABASE_POOL_SIZE: '2' });
  const admin = await asAdmin(databaseUrl);
  const asking = load(nodes, key.api_key, token);
  await asking.isWell();
  await admin.query('begin');
  await admin.query('lock table clients, api_keys in access exclusive mode');
  await asking.hasSeen(503);
  await admin.query('rollback');
  await expectBack(nodes);
  await asking.isWell();
  const answers = await asking.stop();
  expectBounded(answers);
  expect(answers.map(({ status }) => status)).toContain(503);
  expect(answers.at(-1)?.status).toBe(200);
});
