import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { exchange } from './api.ts';
import { pause } from './pause.ts';
import { NO_RATE_LIMITS, Program, type Serving } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

interface Envelope {
  status_code: number;
  message: string;
  data: { total_count: number } | null;
}

export interface TimedResponse {
  status: number;
  ms: number;
  retryAfter: string | null;
  body: Envelope;
}

/** A program without rate limits on a new database of the engine, for nodes that are killed. */
export async function openProgramOn(
  engine: 'sqlite' | 'postgres',
  settings: Record<string, string> = {},
): Promise<Program> {
  if (engine === 'sqlite') return new Program({ ...NO_RATE_LIMITS, ...settings });
  const server = await PostgresServer.start();
  onTestFinished(() => server.stop());
  return new Program({ ...NO_RATE_LIMITS, ROLLCALL_DATABASE_URL: server.url(), ...settings });
}

/** Starts several nodes on one PostgreSQL server, with an account that has a production key and some clients. */
export async function openNodes(
  server: PostgresServer,
  count: number,
  environment: Record<string, string> = {},
  port?: number,
) {
  const database = `rollcall_${randomUUID().replaceAll('-', '')}`;
  const admin = await server.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  const address = new URL(server.url(database));
  if (port !== undefined) address.port = String(port);
  const databaseUrl = address.href;
  const program = new Program({ ROLLCALL_DATABASE_URL: databaseUrl, ...NO_RATE_LIMITS, ...environment });
  const nodes: Serving[] = [];
  for (let each = 0; each < count; each++) nodes.push(await program.serve(['--only', 'production']));
  const [first] = nodes;
  if (!first) throw new Error('no node');

  const { key } = await createTestAccount(program, { clients: 20, scopes: ['clients:read', 'clients:write'] });
  const { data } = await exchange(first.production, key.api_key);
  return { program, databaseUrl, nodes, first, key, token: data.access_token as string };
}

export function addClients(program: Program, clients: number, seed: number) {
  const what = `sample --account ${OWNER} --environment production --clients ${clients} --seed ${seed}`;
  return program.json<{ added: number }>(what.split(' '));
}

/** A direct connection to the database, to act as an administrator or to simulate an accident. */
export async function asAdmin(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

export function timed(url: string, headers: Record<string, string> = {}): Promise<TimedResponse> {
  return timedRequest(url, { headers });
}

export async function timedRequest(url: string, init: RequestInit): Promise<TimedResponse> {
  const started = performance.now();
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
  const body = (await response.json()) as Envelope;
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, ms: performance.now() - started, retryAfter, body };
}

export interface Load {
  /** Waits until all callers have been answered with 200 several times in a row. */
  isHealthy(): Promise<void>;
  hasSeenStatus(status: number): Promise<void>;
  /** Stops the load and returns all responses in order. */
  stop(): Promise<TimedResponse[]>;
}

/** Requests lists and tokens from every node, repeatedly, until it is stopped. */
export function load(nodes: readonly Serving[], apiKey: string, token: string): Load {
  const answers: TimedResponse[] = [];
  let stopped = false;
  const ask = async (url: string, headers: Record<string, string>) => {
    while (!stopped) {
      answers.push(await timed(url, headers));
      await pause();
    }
  };
  const asking = nodes.flatMap(({ production }) => [
    ask(`${production}/api/v1/clients-list/`, { authorization: `Bearer ${token}` }),
    ask(`${production}/api/v1/clients-list/?request_status=completed`, { authorization: `Bearer ${token}` }),
    ask(`${production}/api/v1/generate-access-token/`, { 'api-key': apiKey }),
  ]);
  const stop = async () => {
    stopped = true;
    await Promise.all(asking);
    return answers;
  };
  // Before the nodes are stopped, so that the failure of a test is not hidden among many of its callers.
  onTestFinished(async () => {
    await stop();
  });
  return {
    isHealthy: async () => {
      const before = answers.length;
      const latest = () => answers.slice(before).slice(-2 * asking.length);
      await expect
        .poll(() => latest().filter(({ status }) => status === 200).length, { interval: 20 })
        .toBe(2 * asking.length);
    },
    hasSeenStatus: (status) => expect.poll(() => answers.map((answer) => answer.status)).toContain(status),
    stop,
  };
}
