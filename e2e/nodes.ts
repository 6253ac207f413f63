import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { exchange } from './api.ts';
import { makeFirm, OWNER } from './firm.ts';
import { Program, type Serving } from './program.ts';

interface Envelope {
  status_code: number;
  message: string;
  data: { total_count: number } | null;
}

export interface Timed {
  status: number;
  ms: number;
  retryAfter: string | null;
  body: Envelope;
}

/** Several nodes of the real program on one real server, and an account with a production key and some clients. */
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
  const program = new Program({ ROLLCALL_DATABASE_URL: databaseUrl, ...environment });
  const nodes: Serving[] = [];
  for (let each = 0; each < count; each++) nodes.push(await program.serve(['--only', 'production']));
  const [first] = nodes;
  if (!first) throw new Error('no node');

  const { key } = await makeFirm(program, { clients: 20 });
  const { data } = await exchange(first.production, key.api_key);
  return { program, databaseUrl, nodes, first, key, token: data.access_token as string };
}

export function addClients(program: Program, clients: number, seed: number) {
  const what = `sample --account ${OWNER} --environment production --clients ${clients} --seed ${seed}`;
  return program.json<{ added: number }>(what.split(' '));
}

/** A connection to the database itself, for what an administrator or an accident does. */
export async function asAdmin(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

export async function timed(url: string, headers: Record<string, string> = {}): Promise<Timed> {
  const started = performance.now();
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) });
  const body = (await response.json()) as Envelope;
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, ms: performance.now() - started, retryAfter, body };
}

export interface Load {
  /** Waits until everybody has been answered well several times in a row. */
  isWell(): Promise<void>;
  hasSeen(status: number): Promise<void>;
  /** Every answer, in the order in which they came. */
  stop(): Promise<Timed[]>;
}

/** Asks every node for a list and for a token, over and over, until told to stop. */
export function load(nodes: readonly Serving[], apiKey: string, token: string): Load {
  const answers: Timed[] = [];
  let stopped = false;
  const ask = async (url: string, headers: Record<string, string>) => {
    while (!stopped) answers.push(await timed(url, headers));
  };
  const asking = nodes.flatMap(({ production }) => [
    ask(`${production}/api/v1/clients-list/`, { authorization: `Bearer ${token}` }),
    ask(`${production}/api/v1/clients-list/?request_status=completed`, { authorization: `Bearer ${token}` }),
    ask(`${production}/api/v1/generate-access-token/`, { 'api-key': apiKey }),
  ]);
  return {
    isWell: async () => {
      const before = answers.length;
      const latest = () => answers.slice(before).slice(-2 * asking.length);
      await expect
        .poll(() => latest().filter(({ status }) => status === 200).length, { interval: 20 })
        .toBe(2 * asking.length);
    },
    hasSeen: (status) => expect.poll(() => answers.map((answer) => answer.status)).toContain(status),
    stop: async () => {
      stopped = true;
      await Promise.all(asking);
      return answers;
    },
  };
}
