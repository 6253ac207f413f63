import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from '../e2e/program.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];
const ROWS = 60_000;
const KILLS = 12;

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
});

afterAll(() => server.stop());

interface Examined {
  ok: boolean;
  checked: { clients: number };
}

test('an import into PostgreSQL that is killed repeatedly leaves consistent data, and the last run completes it', async () => {
  const program = new Program({ ROLLCALL_DATABASE_URL: server.url() });
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  const file = clientsFile(program);
  let [killed, clients] = [0, 0];
  for (let attempt = 0; attempt < KILLS; attempt++) {
    const run = program.start(['import', file, ...WHERE]);
    await sleep(500 + Math.random() * 3000);
    run.kill('SIGKILL');
    if ((await run.exited) === null) killed++;
    const { ok, checked } = await program.json<Examined>(['doctor']);
    expect(ok).toBe(true);
    expect(checked.clients).toBeGreaterThanOrEqual(clients);
    clients = checked.clients;
  }
  expect(killed).toBeGreaterThan(0);
  const summary = await program.json(['import', file, ...WHERE]);
  expect(summary).toMatchObject({ inserted: ROWS - clients, unchanged: clients, updated: 0, rejected: 0 });
  expect(await program.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: ROWS, groups: 7 } });
});

/** Not ordered by time, so that every batch falls between the clients of earlier ones. */
function clientsFile(program: Program): string {
  const file = join(program.folder, 'clients.csv');
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const time = new Date(Date.parse('2025-01-01') + ((index * 7919) % ROWS) * 60_000).toISOString();
    return `c${index}@mail.example,Client ${index},${index % 3 ? 'individual' : 'company'},Group ${index % 7},pending,${time}`;
  });
  writeFileSync(file, ['email,client_name,client_type,group_name,request_status,created_at', ...lines].join('\n'));
  return file;
}
