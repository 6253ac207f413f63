import { createHash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ConsistencyReport } from '../packages/server/src/store/check-consistency.ts';
import { aWorkbook } from '../packages/server/src/testing/workbook.ts';
import { exchange, list } from './api.ts';
import { NO_RATE_LIMITS, Program } from './program.ts';
import { createTestAccount, OWNER, withStore } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
const SOME_REJECTED = 5;

function clientsFile(program: Program, rows: number): string {
  const file = join(program.folder, 'clients.csv');
  const lines = Array.from({ length: rows }, (_, index) => {
    const time = new Date(Date.parse('2025-01-01') + Math.floor(index / 3) * 60_000).toISOString();
    return `c${index}@mail.example,Client ${index},${index % 3 ? 'individual' : 'company'},Group ${index % 7},pending,${time}`;
  });
  writeFileSync(file, ['email,client_name,client_type,group_name,request_status,created_at', ...lines].join('\n'));
  return file;
}

/** An import that has changed anything has made a group. */
function groupsOf(program: Program): Promise<object[]> {
  return withStore(program, async ({ groups, workspaceIds }) =>
    (await Promise.all((await workspaceIds()).map(groups.list))).flat(),
  );
}

test('exporting, importing into an empty installation and exporting again gives the same bytes', async () => {
  const [first, second] = [new Program(), new Program()];
  await createTestAccount(first, { clients: 3000, groups: 20 });
  await createTestAccount(second);
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

test('an import that is killed repeatedly leaves consistent data, and the last run completes it', async () => {
  const program = new Program();
  await createTestAccount(program);
  const rows = 24_000;
  const file = clientsFile(program, rows);
  let killed = 0;
  let report: ConsistencyReport | undefined;
  for (let attempt = 0; attempt < 6; attempt++) {
    const run = program.start(['import', file, ...WHERE]);
    await sleep(350 + Math.random() * 900);
    run.kill('SIGKILL');
    if ((await run.exited) === null) killed++;
    report = await withStore(program, (store) => store.checkConsistency());
    expect(report.problems).toEqual([]);
  }
  expect(killed).toBeGreaterThan(0);
  const before = report?.checked.clients ?? 0;
  const summary = await program.json(['import', file, ...WHERE]);
  expect(summary).toMatchObject({ inserted: rows - before, unchanged: before, updated: 0, rejected: 0 });
  expect(await program.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: rows, groups: 7 } });
});

test('the API answers while an import runs, and totals only grow', async () => {
  const program = new Program(NO_RATE_LIMITS);
  const { api_key } = (await createTestAccount(program)).key;
  const file = clientsFile(program, 20_000);
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
    await sleep(20);
  }
  expect(await run.exited).toBe(0);
  expect((await list(service.production, data.access_token)).data.total_count).toBe(20_000);
  expect(requests).toBeGreaterThan(3);
});

test('a dry run changes nothing, and rejected rows can be corrected and imported', async () => {
  const program = new Program();
  await createTestAccount(program);
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
    rejects_left_out: 0,
  };
  expect(await program.json(['import', file, ...WHERE, '--dry-run'], '', SOME_REJECTED)).toMatchObject(expected);
  expect(await groupsOf(program)).toEqual([]);

  const real = await program.json(['import', file, ...WHERE, '--rejects', rejects], '', SOME_REJECTED);
  expect(real).toMatchObject(expected);
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('\nbob,', '\nbob@mail.example,'));
  expect(await program.json(['import', rejects, ...WHERE])).toMatchObject({ inserted: 1, rejected: 0 });
});

test('a packed file with names of its own, only new or known clients, and an Excel workbook are imported', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'clients.csv.gz');
  const columns = ['--mapping', 'Who:client_name', '--mapping', 'kind:client_type', '--ignore-unknown-columns'];
  const importing = (name: string, ...options: string[]) => {
    const rows = `ada@mail.example,${name},individual,North,1\nbo@mail.example,Bo,individual,North,2\n`;
    writeFileSync(file, gzipSync(`Email,Who,Kind,Group name,Colour\n${rows}`));
    return program.json(['import', file, ...WHERE, ...columns, ...options], '', options.length > 1 ? SOME_REJECTED : 0);
  };
  expect(await importing('Ada', '--dry-run')).toMatchObject({ inserted: 2 });
  expect(await importing('Ada', '--only', 'update')).toMatchObject({ inserted: 0, rejected: 2 });
  expect(await importing('Ada')).toMatchObject({ inserted: 2, rejected: 0 });
  const workbook = join(program.folder, 'clients.xlsx');
  const header = ['Email', 'Client name', 'Client type', 'Group name'];
  writeFileSync(workbook, aWorkbook([header, ['bo@mail.example', 'Bo King', 'individual', 'North']]));
  expect(await program.json(['import', workbook, ...WHERE])).toMatchObject({ updated: 1 });
  const { code, stderr } = await program.run(['import', file, ...WHERE, '--mapping', 'Who:colour']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('mapping must be column:field') });
});

test('dates with the day or the month first, in another time zone, and words of another language are imported if that is said', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'dates.csv');
  const rows = 'ada@mail.example,Ada,Person,North,02/03/2026\n,,,,\nbo@mail.example,Bo,Person,North,31/02/2026\n';
  writeFileSync(file, `email,client_name,client_type,group_name,created_at\n${rows}`);
  const command = ['import', file, ...WHERE, '--values', 'client_type:Person:individual'];
  const importing = (...options: string[]) => program.json([...command, ...options], '', SOME_REJECTED);
  const { stdout } = await program.run([...command, '--dry-run']);
  expect(stdout).toBe(
    'Dry run, nothing was changed: 0 would be added, 0 would be updated, 0 unchanged, 2 would be rejected.\n',
  );
  expect(await importing('--dates', 'day-first')).toMatchObject({
    inserted: 1,
    rejects: [{ line: 4, reason: 'created_at must be a day that exists, not “31/02/2026”' }],
  });
  expect((await program.run(['export', ...WHERE])).stdout).toContain('2026-03-02T00:00:00.000Z');
  const american = ['--dates', 'month-first', '--time-zone', 'America/New_York'];
  expect(await importing(...american)).toMatchObject({ updated: 1, rejected: 1 });
  expect((await program.run(['export', ...WHERE])).stdout).toContain('2026-02-03T05:00:00.000Z');
  const { stderr } = await program.run([...command, '--time-zone', 'Mars']);
  expect(stderr).toContain('must be the name of a time zone, such as Europe/Zurich or UTC.');
});

test('a dry run says how many statuses would change, and an import can keep them', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'clients.csv');
  const write = (status: string) =>
    writeFileSync(
      file,
      `email,client_name,client_type,group_name,request_status\na@x.example,Ada,company,G,${status}\n`,
    );
  write('declined');
  await program.run(['import', file, ...WHERE]);
  write('pending');
  const { stdout } = await program.run(['import', file, ...WHERE, '--dry-run']);
  expect(stdout).toContain('\n1 row would change request_status from declined to pending: line 2.');
  const kept = await program.json(['import', file, ...WHERE, '--keep-status']);
  expect(kept).toMatchObject({ updated: 0, unchanged: 1, status_changes: [] });
});

test('a dry run says between which groups clients would move, and which groups would be created', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'clients.csv');
  const write = (group: string) =>
    writeFileSync(file, `email,client_name,client_type,group_name,external_id\na@x.example,Ada,company,${group},1\n`);
  write('North');
  const first = await program.run(['import', file, ...WHERE]);
  expect(first.stdout).toBe('1 added, 0 updated, 0 unchanged, 0 rejected.\nNew groups: North.\n');
  write('South');
  const { stdout } = await program.run(['import', file, ...WHERE, '--dry-run']);
  expect(stdout).toContain('\n1 row would move a client from the group North to South: line 2.\n');
  expect(stdout).toContain('\nNew groups that would be created: South.\n');
  const moved = await program.json(['import', file, ...WHERE]);
  const group_changes = {
    moves: [{ from: 'North', to: 'South', rows: 1, lines: [2] }],
    other_moves: 0,
    new_groups: ['South'],
  };
  expect(moved).toMatchObject({ updated: 1, group_changes, email_changes: { rows: 0, lines: [] } });
  writeFileSync(file, readFileSync(file, 'utf8').replace('a@x.example', 'b@x.example'));
  const other = await program.run(['import', file, ...WHERE]);
  expect(other.stdout).toContain('\n1 row gave a client another email: line 2.\n');
});

test('an import says which rows add a client whose email another group has, and so does a dry run', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'clients.csv');
  const write = (group: string) =>
    writeFileSync(file, `email,client_name,client_type,group_name\na@x.example,Ada,company,${group}\n`);
  write('North');
  expect(await program.json(['import', file, ...WHERE])).toMatchObject({ emails_elsewhere: { rows: 0, lines: [] } });
  write('Nroth');
  const { stdout } = await program.run(['import', file, ...WHERE, '--dry-run']);
  expect(stdout).toContain('\n1 row would add a client whose email another group has: line 2.\n');
  const added = await program.json(['import', file, ...WHERE]);
  expect(added).toMatchObject({ inserted: 1, emails_elsewhere: { rows: 1, lines: [2] } });
  write('Sotuh');
  const again = await program.run(['import', file, ...WHERE]);
  expect(again.stdout).toContain('\n1 row added a client whose email another group has: line 2.\n');
});

test('an import says which rows replace what an earlier row of the file says, and so does a dry run', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'clients.csv');
  const people = ['Ada', 'Bo'].map((name) => `${name}@x.example,${name},company,North,X1\n`).join('');
  writeFileSync(file, `email,client_name,client_type,group_name,external_id\n${people}`);
  const checked = await program.json(['import', file, ...WHERE, '--dry-run']);
  expect(checked).toMatchObject({ inserted: 1, updated: 1, repeats: { rows: 1, lines: [3] } });
  const { stdout } = await program.run(['import', file, ...WHERE]);
  expect(stdout).toContain('\n1 row replaced what an earlier row of the file says about the same client: line 3.\n');
});

test('control characters in a name have no effect on the terminal', async () => {
  const program = new Program();
  await createTestAccount(program);
  const evil = 'A\x1b[2J\x07\r\x9b\nZ';
  const client = { email: 'a@mail.example', client_name: evil, client_type: 'company', group_name: evil };
  const reference_id = '1700000000001-1111';
  const lines = [
    { ...client, reference_id },
    { ...client, group_token: '0b7c1d8e-5f5b-4c0a-9a51-000000000001' },
  ];
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  const runs = [
    await program.run(['import', '-', '--format', 'ndjson', ...WHERE], input),
    await program.run(['group', 'list', ...WHERE]),
    await program.run(['client', 'correct', reference_id, '--name', 'Ada', ...WHERE]),
    await program.run(['client', 'show', reference_id, ...WHERE]),
    await program.run(['client', 'move', reference_id, `${evil}!`, ...WHERE]),
  ];
  const shown = runs.map(({ stdout, stderr }) => stdout + stderr);
  for (const text of shown) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text).toContain('A\\x1b[2J\\x07\\x0d\\x9b\\x0aZ');
  }
  const [record] = await program.json<{ group_name: string }[]>(['group', 'list', ...WHERE]);
  expect(record?.group_name).toBe(evil);
});

const MIXED = `email,client_name,client_type,group_name
ada@mail.example,Ada,individual,North
bob,Bob,individual,North
`;

test.each([
  ['by its own name', 'import mixed.csv --rejects mixed.csv'],
  ['by another way to it', 'import mixed.csv --rejects ./folder/../mixed.csv'],
  ['by a symbolic link', 'import mixed.csv --rejects symbolic.csv'],
  ['by a hard link', 'import mixed.csv --rejects hard.csv'],
  ['when the link is what is imported', 'import symbolic.csv --rejects hard.csv'],
  ['as the standard input', 'import - --rejects mixed.csv < mixed.csv'],
  ['as the standard input, by a link', 'import - --rejects symbolic.csv < hard.csv'],
  ['as the standard output', 'import mixed.csv --rejects /dev/stdout >> mixed.csv'],
])('the rejected rows never replace the file that they come from: %s', async (_how, command) => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'mixed.csv');
  writeFileSync(file, MIXED);
  mkdirSync(join(program.folder, 'folder'));
  symlinkSync('mixed.csv', join(program.folder, 'symbolic.csv'));
  linkSync(file, join(program.folder, 'hard.csv'));
  const { code, stdout, stderr } = await program.shell(
    command.replace('import', `$rollcall import ${WHERE.join(' ')}`),
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^rollcall: \S+ is the file to import; the rejected rows must go to another file\.\n$/);
  expect(readFileSync(file, 'utf8')).toBe(MIXED);
  expect(await groupsOf(program)).toEqual([]);
});

test('the file of rejected rows replaces an old one, and is empty if no row was rejected', async () => {
  const program = new Program();
  await createTestAccount(program);
  const at = (name: string) => join(program.folder, name);
  writeFileSync(at('mixed.csv'), MIXED);
  writeFileSync(at('good.csv'), MIXED.replace('bob,', 'bob@mail.example,'));
  writeFileSync(at('old.csv'), 'last year\n');
  symlinkSync('old.csv', at('link.csv'));
  symlinkSync('made.csv', at('dangling.csv'));
  const rejects = (file: string, to: string) =>
    program.json(['import', at(file), ...WHERE, '--rejects', at(to)], '', file === 'good.csv' ? 0 : SOME_REJECTED);

  const targets = { 'old.csv': 'old.csv', 'new.csv': 'new.csv', 'link.csv': 'old.csv', 'dangling.csv': 'made.csv' };
  for (const [to, file] of Object.entries(targets)) {
    await rejects('mixed.csv', to);
    expect(readFileSync(at(file), 'utf8')).toMatch(/^email,.*\nbob,Bob,.*,3,email must be an email address\n$/);
    expect(statSync(at(file)).mode & 0o777).toBe(0o600);
    await rejects('good.csv', to);
    expect(readFileSync(at(file), 'utf8')).toBe('');
  }
  expect(lstatSync(at('link.csv')).isSymbolicLink()).toBe(true);
  expect(leftBehind(program)).toEqual([]);
});

test('rejected rows may go to a device or a pipe', async () => {
  const program = new Program();
  await createTestAccount(program);
  writeFileSync(join(program.folder, 'mixed.csv'), MIXED);
  const command = `$rollcall import mixed.csv ${WHERE.join(' ')} --dry-run --rejects`;
  expect(await program.shell(`${command} /dev/null`)).toMatchObject({ code: SOME_REJECTED });
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  const { stdout } = await program.shell(`mkfifo pipe && { cat pipe & ${command} pipe; echo "exit code $?"; wait; }`);
  expect(stdout).toContain(`exit code ${SOME_REJECTED}\n`);
  expect(stdout).toMatch(/^bob,Bob,.*,3,email must be an email address$/m);
  expect(leftBehind(program)).toEqual([]);
});

test('an import that fails or is stopped leaves the file of rejected rows unchanged, and no temporary file', async () => {
  const program = new Program();
  await createTestAccount(program);
  const rejects = join(program.folder, 'rejects.csv');
  writeFileSync(rejects, 'last year\n');
  writeFileSync(join(program.folder, 'wrong.csv'), 'name,email\n');
  expect((await program.run(['import', 'wrong.csv', ...WHERE, '--rejects', 'rejects.csv'])).code).toBe(1);
  expect(leftBehind(program)).toEqual([]);

  const run = program.start(['import', '-', ...WHERE, '--rejects', 'rejects.csv'], MIXED);
  await expect.poll(() => leftBehind(program), { timeout: 60_000 }).toHaveLength(1);
  run.kill('SIGTERM');
  expect(await run.ended).toMatchObject({
    signal: 'SIGTERM',
    stderr: expect.stringContaining('No rows were imported.'),
  });
  expect(leftBehind(program)).toEqual([]);
  expect(readFileSync(rejects, 'utf8')).toBe('last year\n');
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'an import that is told to stop by %s keeps what it has written, says how much that is, and leaves one file',
  async (signal) => {
    const program = new Program();
    await createTestAccount(program);
    // Two batches, of which the second is the smaller.
    const rows = 17_000;
    const text = readFileSync(clientsFile(program, rows), 'utf8');
    // The input stays open, so that the import is still running when the signal arrives.
    const run = program.start(['import', '-', ...WHERE], text);
    const log = join(program.folder, 'data', 'rollcall.db-wal');
    await expect.poll(() => statSync(log, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(2 ** 20);
    run.kill(signal);
    const { signal: by, stderr } = await run.ended;
    expect(by).toBe(signal);
    const imported = Number(/^Imported and kept (\d+) rows: /m.exec(stderr)?.[1]);
    expect(stderr).toContain(`rollcall: Stopped by ${signal}.\n`);
    expect(stderr).not.toContain('    at ');
    expect(imported).toBeGreaterThan(0);
    expect(readdirSync(join(program.folder, 'data'))).toEqual(['rollcall.db']);
    const report = await withStore(program, (store) => store.checkConsistency());
    expect(report).toMatchObject({ problems: [], checked: { clients: imported } });
    const rest = await program.json(['import', 'clients.csv', ...WHERE]);
    expect(rest).toMatchObject({ inserted: rows - imported, unchanged: imported, rejected: 0 });
  },
);

test('JSON lists the first rejected rows and says how many it leaves out; a file is read in its encoding or refused', async () => {
  const program = new Program();
  await createTestAccount(program);
  const header = 'email,client_name,client_type,group_name\n';
  const summary = await program.json<{ rejects: object[] }>(
    ['import', '-', ...WHERE, '--dry-run'],
    header + 'bob,Bob,individual,North\n'.repeat(1234),
    SOME_REJECTED,
  );
  expect(summary).toMatchObject({ rejected: 1234, rejects_left_out: 234 });
  expect(summary.rejects).toHaveLength(1000);

  const at = (name: string) => join(program.folder, name);
  writeFileSync(at('old.csv'), Buffer.from(`${header}ada@mail.example,Ada M\xfcller,individual,North\n`, 'latin1'));
  const { code, stdout, stderr } = await program.run(['import', 'old.csv', ...WHERE]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^rollcall: line 2: this is not UTF-8 text; .* with --encoding windows-1252\.\n$/);
  await program.json(['import', 'old.csv', ...WHERE, '--encoding', 'windows-1252']);
  writeFileSync(at('new.csv'), Buffer.from(`\ufeff${header}bob@mail.example,Bøb,individual,North\n`, 'utf16le'));
  await program.json(['import', 'new.csv', ...WHERE]);
  const exported = await program.run(['export', ...WHERE]);
  expect(exported.stdout).toContain(',Ada Müller,');
  expect(exported.stdout).toContain(',Bøb,');
});

test('a file of rejected rows that cannot be written stops the import before its first row', async () => {
  const program = new Program();
  await createTestAccount(program);
  writeFileSync(join(program.folder, 'mixed.csv'), MIXED);
  for (const [target, reason] of [
    ['nowhere/rejects.csv', 'no such file or directory'],
    ['.', 'illegal operation on a directory'],
  ] as const) {
    const { code, stderr } = await program.run(['import', 'mixed.csv', ...WHERE, '--rejects', target]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `rollcall: The rejected rows cannot be written to ${target}: ${reason}.\n`,
    });
  }
  expect(await groupsOf(program)).toEqual([]);
});

/** Temporary files that a command left. */
function leftBehind(program: Program): string[] {
  return readdirSync(program.folder).filter((name) => name.startsWith('.'));
}

test('a dry run reports what the import will do with a file of many batches', async () => {
  const program = new Program();
  await createTestAccount(program);
  const file = clientsFile(program, 17_000);
  const [header, ...lines] = readFileSync(file, 'utf8').split('\n');
  const renamed = lines.slice(0, 50).map((line) => line.replace(/,Client \d+,/, ',Renamed,'));
  writeFileSync(file, [header, ...lines, ...lines.slice(0, 100), ...renamed].join('\n'));
  const expected = { inserted: 17_000, updated: 50, unchanged: 100, rejected: 0 };
  expect(await program.json(['import', file, ...WHERE, '--dry-run'])).toMatchObject(expected);
  expect(await groupsOf(program)).toEqual([]);
  expect(await program.json(['import', file, ...WHERE])).toMatchObject(expected);
});

test.each([
  ['', 'the file is empty'],
  ['name,email\n', 'name is not a column'],
])('a file that cannot be imported stops the command at once: %j', async (content, message) => {
  const program = new Program();
  await createTestAccount(program);
  const file = join(program.folder, 'wrong.csv');
  writeFileSync(file, content);
  const { code, stdout, stderr } = await program.run(['import', file, ...WHERE]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`rollcall: line 1: ${message}`);
  expect((await program.run(['import', join(program.folder, 'nowhere.csv'), ...WHERE])).code).toBe(1);
});
