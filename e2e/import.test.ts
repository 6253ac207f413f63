import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];

async function firm(program: Program): Promise<void> {
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
}

function clientsFile(program: Program, rows: number): string {
  const file = join(program.folder, 'clients.csv');
  const lines = Array.from({ length: rows }, (_, index) => {
    const time = new Date(Date.parse('2025-01-01') + Math.floor(index / 3) * 60_000).toISOString();
    return `c${index}@mail.example,Client ${index},${index % 3 ? 'individual' : 'company'},Group ${index % 7},pending,${time}`;
  });
  writeFileSync(file, ['email,client_name,client_type,group_name,request_status,created_at', ...lines].join('\n'));
  return file;
}

test('export, import into an empty installation, export: the same file to the byte', async () => {
  const [first, second] = [new Program(), new Program()];
  for (const program of [first, second]) await firm(program);
  await first.json(['sample', ...WHERE, '--clients', '3000', '--groups', '20']);
  await first.json(['import', '-', '--format', 'ndjson', ...WHERE], awkwardClients());

  for (const format of ['csv', 'ndjson']) {
    const original = await first.run(['export', ...WHERE, '--format', format]);
    const file = join(second.folder, `clients.${format}`);
    writeFileSync(file, original.stdout);
    const summary = await second.json(['import', file, ...WHERE]);
    expect(summary).toMatchObject(format === 'csv' ? { inserted: 3003 } : { inserted: 0, unchanged: 3003 });
    const copy = await second.run(['export', ...WHERE, '--format', format]);
    expect(copy.stdout === original.stdout).toBe(true);
    const digest = createHash('sha256').update(original.stdout).digest('hex');
    expect(copy.stderr).toBe(`3003 rows, sha256 ${digest}\n`);
  }
});

function awkwardClients(): string {
  const client = { client_type: 'company', created_at: '2025-06-01T00:00:00.000Z', group_name: '-Büro; "1"\t' };
  return ['=HYPERLINK("http://x")', "'=quoted", 'line\nbreak, "quote"; tab\t']
    .map((client_name, index) => JSON.stringify({ ...client, client_name, email: `+awkward${index}@mail.example` }))
    .join('\n');
}

test('an import that is killed again and again leaves consistent data, and the last run finishes the job', async () => {
  const program = new Program();
  await firm(program);
  const rows = 60_000;
  const file = clientsFile(program, rows);
  let killed = 0;
  for (let attempt = 0; attempt < 8; attempt++) {
    const run = program.start(['import', file, ...WHERE]);
    await sleep(350 + Math.random() * 900);
    run.kill('SIGKILL');
    if ((await run.exited) === null) killed++;
    expect(await program.json(['doctor'])).toMatchObject({ ok: true });
  }
  expect(killed).toBeGreaterThan(0);
  const before = (await program.json<{ checked: { clients: number } }>(['doctor'])).checked.clients;
  const summary = await program.json(['import', file, ...WHERE]);
  expect(summary).toMatchObject({ inserted: rows - before, unchanged: before, updated: 0, rejected: 0 });
  expect(await program.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: rows, groups: 7 } });
});

test('the API answers while an import runs, and totals only grow', async () => {
  const program = new Program();
  await firm(program);
  const file = clientsFile(program, 30_000);
  const { api_key } = await program.json<{ api_key: string }>(['key', 'create', ...WHERE, '--name', 'test']);
  const service = await program.serve();
  const { data } = await exchange(service.production, api_key);
  const run = program.start(['import', file, ...WHERE]);
  let [total, requests, running] = [0, 0, true];
  run.exited.then(() => {
    running = false;
  });
  while (running) {
    const answer = await list(service.production, data.access_token, { requestStatus: 'pending' });
    expect(answer.status).toBe(200);
    expect(answer.data.total_count).toBeGreaterThanOrEqual(total);
    total = answer.data.total_count;
    requests++;
  }
  expect(await run.exited).toBe(0);
  expect((await list(service.production, data.access_token)).data.total_count).toBe(30_000);
  expect(requests).toBeGreaterThan(3);
});

test('a dry run changes nothing, rejected rows can be mended and fed back', async () => {
  const program = new Program();
  await firm(program);
  const file = join(program.folder, 'mixed.csv');
  const rejects = join(program.folder, 'rejects.csv');
  writeFileSync(
    file,
    'email,client_name,client_type,group_name\nada@mail.example,Ada,individual,North\nbob,Bob,individual,North\n',
  );
  const expected = {
    inserted: 1,
    updated: 0,
    unchanged: 0,
    rejected: 1,
    rejects: [{ line: 3, reason: 'email must be an email address' }],
  };
  expect(await program.json(['import', file, ...WHERE, '--dry-run'])).toMatchObject(expected);
  expect(await program.json(['group', 'list', ...WHERE])).toEqual([]);

  expect(await program.json(['import', file, ...WHERE, '--rejects', rejects])).toMatchObject(expected);
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('\nbob,', '\nbob@mail.example,'));
  expect(await program.json(['import', rejects, ...WHERE])).toMatchObject({ inserted: 1, rejected: 0 });
});

test.each([
  ['', 'the file is empty'],
  ['name,email\n', 'name is not a column'],
])('a file that is not what it claims to be stops at once: %j', async (content, message) => {
  const program = new Program();
  await firm(program);
  const file = join(program.folder, 'wrong.csv');
  writeFileSync(file, content);
  const { code, stdout, stderr } = await program.run(['import', file, ...WHERE]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`rollcall: line 1: ${message}`);
  expect((await program.run(['import', join(program.folder, 'nowhere.csv'), ...WHERE])).code).toBe(1);
});
