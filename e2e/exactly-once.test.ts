import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchange } from './api.ts';
import { openProgramOn } from './nodes.ts';
import { pause } from './pause.ts';
import type { Serving } from './program.ts';
import { createTestAccount, withStore } from './test-account.ts';

/** `npm run faults` has more of them. */
const WRITERS = Number(process.env.ROLLCALL_TEST_WRITERS ?? 20);
const KILLS = Number(process.env.ROLLCALL_TEST_KILLS ?? 3);
const REQUESTS_EACH = 4;
const PAUSE_MS = 300;

const ENGINES = ['sqlite', 'postgres'] as const;

/** One node on SQLite, or two on PostgreSQL, which can be killed and started again on their ports. */
async function openNodes(engine: (typeof ENGINES)[number]) {
  const program = await openProgramOn(engine);
  const start = (port = '0') => {
    program.environment.ROLLCALL_PRODUCTION_PORT = port;
    return program.serve(['--only', 'production']);
  };
  const nodes: Serving[] = [await start()];
  if (engine === 'postgres') nodes.push(await start());
  const { key } = await createTestAccount(program, { scopes: ['clients:read', 'clients:write'] });
  const killAndStart = async (number: number) => {
    const index = number % nodes.length;
    const node = nodes[index] as Serving;
    await node.stop('SIGKILL');
    nodes[index] = await start(new URL(node.production).port);
  };
  return { program, addresses: nodes.map(({ production }) => production), nodes, key, killAndStart };
}

interface Answered {
  status: number;
  text: string;
}

/** Sends the request until it is answered, to any of the nodes. */
async function persistently(addresses: readonly string[], path: string, init: RequestInit): Promise<Answered> {
  for (let attempt = Math.floor(Math.random() * 10); ; attempt++) {
    try {
      const response = await fetch(`${addresses[attempt % addresses.length]}${path}`, {
        ...init,
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      const isRunning = response.status === 409 && response.headers.has('retry-after');
      if (response.status < 500 && !isRunning) return { status: response.status, text };
    } catch (error) {
      // Connections break when a node is killed.
      if (!(error instanceof TypeError || (error as Error).name === 'TimeoutError')) throw error;
    }
    await sleep(20 + Math.random() * 80);
  }
}

/** With many kills it has more rows, so that it runs for longer. */
const IMPORTED = Math.max(6000, 400 * KILLS);

/** Every hundredth row is wrong. */
const FILE = [
  'email,client_name,client_type,group_name',
  ...Array.from({ length: IMPORTED }, (_, index) =>
    index % 100 === 99 ? 'wrong,C,company,G' : `i${index}@mail.example,Client ${index},company,G${index % 7}`,
  ),
  '',
].join('\n');

async function startImport(addresses: readonly string[], authorization: string): Promise<string> {
  const { text } = await persistently(addresses, '/api/v1/clients-imports/', {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv', 'idempotency-key': randomUUID() },
    body: FILE,
  });
  return (JSON.parse(text) as { data: { import_id: string } }).data.import_id;
}

function create(authorization: string, writer: number, request: number) {
  return {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `${writer}-${request}` },
    body: JSON.stringify({
      email: `c${writer}-${request}@mail.example`,
      client_name: `Client ${writer}`,
      client_type: 'company',
      group_name: `Group ${request}`,
    }),
  };
}

test.each(ENGINES)(
  'repeated requests have one effect and one answer each, and an import has each row once, while nodes are killed: %s',
  async (engine) => {
    const { program, addresses, key, killAndStart } = await openNodes(engine);
    const { data } = await exchange(addresses[0] ?? '', key.api_key);
    const authorization = `Bearer ${data.access_token}`;
    const importId = await startImport(addresses, authorization);
    let isKilling = true;
    const killing = (async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(PAUSE_MS);
        await killAndStart(kill);
      }
      isKilling = false;
    })();
    const write = async (writer: number) => {
      const first = new Map<number, string>();
      for (let request = 0; request < REQUESTS_EACH || isKilling; request++) {
        const which = request % REQUESTS_EACH;
        const sent = create(authorization, writer, which);
        const { status, text } = await persistently(addresses, '/api/v1/clients/', sent);
        expect(status, text).toBe(201);
        expect(text).toBe(first.get(which) ?? text);
        first.set(which, text);
        await pause();
      }
    };
    await Promise.all([killing, ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);

    const path = `/api/v1/clients-imports/${importId}/`;
    const status = async () =>
      (JSON.parse((await persistently(addresses, path, { headers: { authorization } })).text) as { data: object }).data;
    const rejected = IMPORTED / 100;
    const inserted = IMPORTED - rejected;
    const numbers = { rows_read: IMPORTED, rejected, inserted, updated: 0, unchanged: 0 };
    await expect.poll(status).toMatchObject({ state: 'completed', ...numbers });
    await withStore(program, async (store) => {
      const [workspaceId = 0] = await store.workspaceIds();
      const all = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
      expect(new Set(all.map(({ email }) => email)).size).toBe(all.length);
      expect(all).toHaveLength(WRITERS * REQUESTS_EACH + inserted);
      expect((await store.checkConsistency()).problems).toEqual([]);
    });
  },
);
