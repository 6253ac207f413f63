import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { exchange } from '../e2e/api.ts';
import { ApiWriters } from '../e2e/api-writers.ts';
import { Caller } from '../e2e/callers.ts';
import { freePort } from '../e2e/free-port.ts';
import { NO_RATE_LIMITS, Program } from '../e2e/program.ts';
import { Rollcall } from '../packages/client/src/index.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];
const RESTARTS = 20;
const CALLERS = 16;

const printResult = (what: string, seen: unknown) => process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);

async function prepare(environment: Record<string, string>) {
  const program = new Program({ ...NO_RATE_LIMITS, ...environment });
  return { program, api_key: await createAccount(program) };
}

/** Returns an API key. */
async function createAccount(program: Program, options: string[] = []): Promise<string> {
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  await program.json(['sample', ...WHERE, '--clients', '1000']);
  const create = ['key', 'create', ...WHERE, '--name', 'test', ...options];
  return (await program.json<{ api_key: string }>(create)).api_key;
}

test.each(['1', '2'])('without a proxy, with %s workers: twenty stops under load lose nothing', async (workers) => {
  const { program, api_key } = await prepare({ ROLLCALL_WORKERS: workers, ROLLCALL_DRAIN_SECONDS: '2' });
  let answers = 0;
  const lost: string[] = [];
  for (let restart = 0; restart < RESTARTS; restart++) {
    const service = await program.serve();
    const token = (await exchange(service.production, api_key)).data.access_token;
    const busy = Array.from({ length: CALLERS }, (_, index) =>
      index % 4 === 3
        ? new Caller(`${service.dashboard}/healthz`)
        : new Caller(`${service.production}/api/v1/clients-list/?page_limit=${[10, 1000][index % 2]}`, {
            authorization: `Bearer ${token}`,
          }),
    ).map((caller) => caller.start());
    await expect.poll(() => busy.every((caller) => caller.answers.length > 10)).toBe(true);
    expect(await service.stop()).toBe(0);
    for (const caller of busy) {
      await caller.stop();
      answers += caller.answers.length;
      lost.push(...caller.lost, ...failures(caller));
    }
  }
  printResult(`${RESTARTS} stops, ${workers} workers`, { answers, lost: lost.length });
  expect(lost).toEqual([]);
});

const failures = ({ answers }: Caller) =>
  answers.filter(({ status }) => status !== 200).map(({ status }) => String(status));

test('behind HAProxy with its default checks: twenty restarts of two nodes under load lose nothing', async (context) => {
  requireHaproxy(context);
  const [first, second, front, stats] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const { program, api_key } = await prepare({});
  // With the default drain time.
  delete program.environment.ROLLCALL_DRAIN_SECONDS;
  const start = (port: number) => {
    program.environment.ROLLCALL_PRODUCTION_PORT = String(port);
    return program.serve(['--only', 'production']);
  };
  const nodes = [await start(first), await start(second)];
  await startHaproxy({ first, second, front, stats });
  const statusOf = (name: string) => nodeStatus(stats, name);
  for (const name of ['one', 'two']) await expect.poll(() => statusOf(name)).toMatch(/^UP/);
  const address = `http://127.0.0.1:${front}`;
  const token = (await exchange(address, api_key)).data.access_token;
  const busy = Array.from({ length: CALLERS }, () =>
    new Caller(`${address}/api/v1/clients-list/`, { authorization: `Bearer ${token}` }).start(),
  );

  for (let restart = 0; restart < RESTARTS; restart++) {
    const which = restart % 2;
    expect(await nodes[which]?.stop()).toBe(0);
    nodes[which] = await start(which === 0 ? first : second);
    const name = which === 0 ? 'one' : 'two';
    // The proxy first sees the node down, and then up again.
    await expect.poll(() => statusOf(name)).toMatch(/^UP/);
  }
  let answers = 0;
  const lost: string[] = [];
  for (const caller of busy) {
    await caller.stop();
    answers += caller.answers.length;
    lost.push(...caller.lost, ...failures(caller));
  }
  printResult(`${RESTARTS} restarts behind HAProxy`, { answers, lost: lost.length });
  expect(lost).toEqual([]);
});

/** The folder of an older version in which `npm ci` and `npm run build` were run. */
const OLD_VERSION = process.env.ROLLCALL_TEST_OLD_VERSION;

test('behind HAProxy, two nodes of an older version are replaced one after the other under load: nothing is lost', async (context) => {
  requireHaproxy(context);
  if (OLD_VERSION === undefined) return context.skip('ROLLCALL_TEST_OLD_VERSION is not set');
  const server = await PostgresServer.start();
  onTestFinished(() => server.stop());
  const [first, second, front, stats] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const program = new Program({ ...NO_RATE_LIMITS, ROLLCALL_DATABASE_URL: server.url() });
  delete program.environment.ROLLCALL_DRAIN_SECONDS;
  const newBin = program.bin;
  program.bin = join(OLD_VERSION, 'packages/server/bin/rollcall.js');
  const api_key = await createAccount(program, ['--scope', 'clients:read,clients:write']);
  const start = (port: number) => {
    program.environment.ROLLCALL_PRODUCTION_PORT = String(port);
    return program.serve(['--only', 'production']);
  };
  const nodes = [await start(first), await start(second)];
  await startHaproxy({ first, second, front, stats });
  for (const name of ['one', 'two']) await expect.poll(() => nodeStatus(stats, name)).toMatch(/^UP/);
  const address = `http://127.0.0.1:${front}`;
  const token = (await exchange(address, api_key)).data.access_token;
  const busy = Array.from({ length: CALLERS }, () =>
    new Caller(`${address}/api/v1/clients-list/`, { authorization: `Bearer ${token}` }).start(),
  );
  program.bin = newBin;
  const lost: string[] = [];
  const writes: number[] = [];
  for (const [which, port] of [first, second].entries()) {
    const writers = new ApiWriters([address], token).start();
    await writers.acknowledgesMore(100);
    expect(await nodes[which]?.stop()).toBe(0);
    nodes[which] = await start(port);
    await expect.poll(() => nodeStatus(stats, which === 0 ? 'one' : 'two')).toMatch(/^UP/);
    // After the first of them, both versions answer.
    await writers.acknowledgesMore(500);
    await writers.stop();
    writes.push(writers.acknowledged.length);
    lost.push(...writers.answers.filter(({ status }) => status >= 400).map(({ status }) => `write: ${status}`));
    const [one, other] = await Promise.all(nodes.map(({ production }) => wholeList(production, token)));
    expect(one).toEqual(other);
    await writers.expectNothingLost(address);
  }
  let answers = 0;
  for (const caller of busy) {
    await caller.stop();
    answers += caller.answers.length;
    lost.push(...caller.lost, ...failures(caller));
  }
  printResult('an older version replaced behind HAProxy', { answers, writes, lost: lost.length });
  expect(lost).toEqual([]);
});

async function wholeList(address: string, accessToken: string) {
  return Array.fromAsync(new Rollcall({ baseUrl: address, accessToken }).clients.list());
}

function requireHaproxy({ skip }: TestContext): void {
  if (spawnSync('haproxy', ['-v']).error) skip('HAProxy is not installed here');
}

async function startHaproxy(ports: { first: number; second: number; front: number; stats: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-haproxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend callers
  bind 127.0.0.1:${ports.front}
  default_backend rollcall
backend rollcall
  option httpchk GET /readyz
  server one 127.0.0.1:${ports.first} check
  server two 127.0.0.1:${ports.second} check
listen stats
  bind 127.0.0.1:${ports.stats}
  stats enable
  stats uri /
`;
  writeFileSync(join(folder, 'haproxy.cfg'), config);
  const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
  onTestFinished(() => void haproxy.kill('SIGKILL'));
}

async function nodeStatus(port: number, name: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/;csv`).catch(() => undefined);
  const [head = '', ...rows] = (await response?.text())?.split('\n') ?? [];
  const column = head.split(',').indexOf('status');
  return rows.find((row) => row.startsWith(`rollcall,${name},`))?.split(',')[column] ?? '';
}
