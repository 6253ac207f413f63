// Compares SQLite, PostgreSQL and several nodes on this machine: `node bench/many-nodes.ts [clients]`.
// The database, the nodes and the callers share its cores, so only comparisons between the rows are meaningful.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATOR } from '../packages/server/src/domain/change.ts';
import { addSample } from '../packages/server/src/domain/clients/sample-clients.ts';
import { createKey, revokeAnyKey } from '../packages/server/src/domain/credentials/manage-keys.ts';
import { createAccount } from '../packages/server/src/domain/members/account.ts';
import { copyDatabase } from '../packages/server/src/store/copy-database.ts';
import { openStore, type Store } from '../packages/server/src/store/open-store.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { TEST_SECRET, TEST_SECRET_TEXT } from '../packages/server/src/testing/test-secret.ts';

const BIN = fileURLToPath(new URL('../packages/server/bin/rollcall.js', import.meta.url));
const CLIENTS = Number(process.argv[2] ?? 100_000);
const CALLERS = 8;
const LOAD_MS = 5000;
const REVOCATIONS = 20;
const PAGE_LIMIT = 10;
/** The share of sample clients with this status. A page beyond the last one would be too cheap to measure. */
const SHARE_COMPLETED = 0.5;

const clock = { now: () => Date.now() };
const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
const sqliteUrl = `sqlite:${join(folder, 'rollcall.db')}`;
const server = await PostgresServer.start();
try {
  const { workspaceId, secret } = await fill(sqliteUrl);
  await during(`copy ${CLIENTS} clients to PostgreSQL, and check`, () =>
    copyDatabase(sqliteUrl, server.url(), () => {}, { settings: [TEST_SECRET] }),
  );
  await measure('SQLite, one node', sqliteUrl, 1, secret);
  await measure('PostgreSQL, one node', server.url(), 1, secret);
  await measure('PostgreSQL, two nodes', server.url(), 2, secret);
  await measureRevocation(workspaceId);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function fill(url: string) {
  const store = openStore(url);
  await store.migrate();
  const { account } = await createAccount({ ...store, clock }, OPERATOR, { name: 'Bench', email: 'a@x.example' });
  const workspaceId = await store.accounts.workspaceId(account.id, 'production');
  const { secret } = await newKey(store, workspaceId);
  await during(`add ${CLIENTS} clients on SQLite`, () =>
    addSample({ ...store, clock }, OPERATOR, { workspaceId, clients: CLIENTS, groups: 20, seed: 1 }),
  );
  await store.close();
  return { workspaceId, secret };
}

function newKey(store: Store, workspaceId: number) {
  return createKey({ ...store, clock }, { workspaceId, actor: OPERATOR }, { environment: 'production', name: 'bench' });
}

async function measure(what: string, url: string, count: number, secret: string): Promise<void> {
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(url)));
  const headers = { authorization: `Bearer ${await exchange(nodes[0]?.address ?? '', secret)}` };
  const pages = Math.floor((CLIENTS * SHARE_COMPLETED) / PAGE_LIMIT);
  const lists: Record<string, () => string> = {
    'any page of a status': () =>
      `?request_status=completed&page_limit=${PAGE_LIMIT}&page_no=${1 + Math.floor(Math.random() * pages)}`,
    'one email': () => `?client_email=client${Math.floor(Math.random() * 1e9)}@x.example`,
  };
  for (const [list, query] of Object.entries(lists)) {
    const times: number[] = [];
    const until = performance.now() + LOAD_MS;
    const call = async (address: string) => {
      while (performance.now() < until) {
        const started = performance.now();
        const response = await fetch(`${address}/api/v1/clients-list/${query()}`, { headers });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`${what}: ${response.status}`);
        times.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, n) => call(nodes[n % count]?.address ?? '')));
    printTimes(`${what}, ${list}: ${Math.round(times.length / (LOAD_MS / 1000))} a second`, times);
  }
  for (const node of nodes) await node.stop();
}

/** Measures the time from the acknowledgement of a revocation until both nodes refuse the key's token. */
async function measureRevocation(workspaceId: number): Promise<void> {
  const store = openStore(server.url());
  const nodes = await Promise.all([startNode(server.url()), startNode(server.url())]);
  const times: number[] = [];
  for (let round = 0; round < REVOCATIONS; round++) {
    const { key, secret } = await newKey(store, workspaceId);
    const headers = { authorization: `Bearer ${await exchange(nodes[0]?.address ?? '', secret)}` };
    await revokeAnyKey({ ...store, clock }, OPERATOR, key.id);
    const started = performance.now();
    await Promise.all(
      nodes.map(async ({ address }) => {
        const url = `${address}/api/v1/clients-list/?client_email=nobody@x.example`;
        while ((await fetch(url, { headers })).status !== 401);
      }),
    );
    times.push(performance.now() - started);
  }
  for (const node of nodes) await node.stop();
  await store.close();
  printTimes('PostgreSQL, two nodes: time until both refuse a revoked key', times);
}

async function exchange(address: string, secret: string): Promise<string> {
  const response = await fetch(`${address}/api/v1/generate-access-token/`, { headers: { 'api-key': secret } });
  const { data } = (await response.json()) as { data: { access_token: string } };
  return data.access_token;
}

async function startNode(databaseUrl: string): Promise<{ address: string; stop(): Promise<void> }> {
  const environment = {
    PATH: process.env.PATH,
    ROLLCALL_LOG_LEVEL: 'error',
    ROLLCALL_PRODUCTION_PORT: '0',
    ROLLCALL_DRAIN_SECONDS: '0',
    // What is measured is the service, and not how it refuses calls.
    ROLLCALL_RATE_LIMIT_API: '0',
    ROLLCALL_RATE_LIMIT_TOKEN: '0',
    ROLLCALL_SECRET: TEST_SECRET_TEXT,
  };
  const child = spawn(process.execPath, [BIN, 'serve', '--only', 'production', '--json'], {
    cwd: folder,
    env: { ...environment, ROLLCALL_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve) => {
    child.stdout.on('data', (line) => resolve(JSON.parse(line).production));
  });
  return { address, stop: () => stopNode(child) };
}

function stopNode(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('exit', () => resolve());
    child.kill();
  });
}

async function during(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  process.stdout.write(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function printTimes(what: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor((times.length - 1) * share)]?.toFixed(1)} ms`;
  process.stdout.write(`${what}; median ${at(0.5)}, 99th percentile ${at(0.99)}, longest ${at(1)}\n`);
}
