import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Program } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];

/** A stack trace, which must not be printed. */
const STACK = /^\s+at |node:|Error:/m;

async function firm(): Promise<Program> {
  const program = new Program();
  await createTestAccount(program);
  return program;
}

test('a command whose output is closed by its reader ends silently, with the exit code of a closed pipe', async () => {
  const program = await firm();
  await program.json(['sample', ...WHERE, '--clients', '3000']);
  const exitCodeOf = 'echo $? > code; } | true; cat code';
  for (const command of [`export ${WHERE.join(' ')}`, 'account list', 'account list --json', '--help', 'help import']) {
    // The reader is gone by the time anything is printed.
    const run = await program.shell(`{ sleep 0.2; $rollcall ${command}; ${exitCodeOf}`);
    expect({ command, ...run }).toEqual({ command, code: 0, stdout: '141\n', stderr: '' });
  }
  const some = await program.shell(`{ $rollcall export ${WHERE.join(' ')}; echo $? > code; } | head -n 1; cat code`);
  expect(some).toEqual({ code: 0, stdout: expect.stringMatching(/^reference_id,.*\n141\n$/), stderr: '' });
});

test('an output that cannot be written is one line and exit code 1', async () => {
  const program = await firm();
  const full = { code: 1, stdout: '', stderr: 'rollcall: The output cannot be written: no space left on device.\n' };
  for (const command of [`export ${WHERE.join(' ')}`, 'account list', 'doctor --json', '--help']) {
    const { stderr, ...run } = await program.shell(`$rollcall ${command} > /dev/full`);
    expect({ ...run, stderr: stderr.replace(/^0 rows, sha256 \w+\n/, '') }, command).toEqual(full);
  }
  expect(await program.shell('$rollcall account list 2> /dev/full')).toMatchObject({ code: 0 });
});

test('a file or a database that cannot be opened is one line and exit code 1', async () => {
  const program = await firm();
  mkdirSync(join(program.folder, 'folder'));
  writeFileSync(join(program.folder, 'file'), '');
  const on = (database: string) => `ROLLCALL_DATABASE_URL=sqlite:${database}`;
  const where = WHERE.join(' ');
  const cases: [string, string | RegExp][] = [
    [`$rollcall import missing.csv ${where}`, 'There is no file missing.csv.'],
    [`$rollcall import folder ${where}`, 'folder is a folder, not a file.'],
    [`$rollcall import - ${where} < folder`, 'The standard input is a folder, not a file.'],
    [`$rollcall import /proc/self/mem ${where}`, '/proc/self/mem cannot be read: i/o error.'],
    // Node would try for ever if it was asked to create all folders at once.
    [`${on('/proc/none/x.db')} $rollcall migrate`, /^The database \/proc\/none\/x\.db cannot be opened: /],
    [`${on('file/x.db')} $rollcall serve`, /^The database cannot be opened: \S*file is not a folder\.$/],
    [`${on('x'.repeat(300))} $rollcall account list`, /cannot be opened: name too long\.$/],
    ['rm -rf .env && mkdir .env && $rollcall account list', /^The file \.env cannot be read: /],
  ];
  for (const [command, expected] of cases) {
    const { code, stdout, stderr } = await program.shell(command);
    expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: '' });
    expect(stderr, command).toMatch(/^rollcall: [^\n]+\n$/);
    expect(stderr, command).not.toMatch(STACK);
    const message = stderr.slice('rollcall: '.length, -1);
    if (typeof expected === 'string') expect(message).toBe(expected);
    else expect(message).toMatch(expected);
  }
});

test('wrong usage is reported with its cause, and the program without a command shows its help', async () => {
  const program = new Program();
  const nothing = await program.run([]);
  expect(nothing).toMatchObject({ code: 2, stdout: '' });
  expect(nothing.stderr).toContain('Usage: rollcall [options] [command]');
  expect(nothing.stderr).toContain('`import` was completed, but rejected some rows');
  expect(await program.run(['import', 'f.csv', '--acount', 'x'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'rollcall: There is no option --acount. Did you mean --account?\nAdd --help to see the arguments and options.\n',
  });
});

test('the service warns about a misspelt setting when it starts, and not about a correct one', async () => {
  const program = new Program({ ROLLCALL_PRODUCTION_PROT: '8080', ROLLCALL_API_KEY: 'of the client package' });
  const service = await program.serve(['--only', 'production']);
  const warnings = service.log().match(/^rollcall: .*$/gm);
  expect(warnings).toEqual([
    'rollcall: ROLLCALL_PRODUCTION_PROT is not a setting and has no effect. Did you mean ROLLCALL_PRODUCTION_PORT?',
  ]);
  expect(await service.stop()).toBe(0);
});

test('groups are merged and deleted, and what cannot be is refused in one line', async () => {
  const program = await firm();
  await program.json(['sample', ...WHERE, '--clients', '300', '--groups', '2']);
  const listed = async () =>
    (await program.json(['group', 'list', ...WHERE])) as { group_name: string; clients: number }[];
  const [first, second] = await listed();
  if (!first || !second) throw new Error('The sample has no groups.');
  const occupied = await program.run(['group', 'delete', first.group_name, ...WHERE]);
  expect(occupied).toEqual({
    code: 1,
    stdout: '',
    stderr: `rollcall: The group ${first.group_name} has ${first.clients} clients. Merge it into another group instead.\n`,
  });
  const merged = await program.run(['group', 'merge', first.group_name, '--into', second.group_name, ...WHERE]);
  const names = `from the group "${first.group_name}" to "${second.group_name}", and removed "${first.group_name}".`;
  expect(merged).toEqual({ code: 0, stdout: `Moved ${first.clients} clients ${names}\n`, stderr: '' });
  await program.json(['group', 'create', 'Empty', ...WHERE]);
  expect(await program.json(['group', 'delete', 'empty', ...WHERE])).toMatchObject({
    group_name: 'Empty',
    deleted: true,
  });
  expect(await listed()).toMatchObject([{ group_name: second.group_name, clients: 300 }]);
});

test('a reason is kept in the history of a client, and required to decline one if the account says so', async () => {
  const program = await firm();
  const add = ['client', 'add', '--email', 'ada@mail.example', '--name', 'Ada', '--group', 'North', ...WHERE];
  const { reference_id: reference } = (await program.json(add)) as { reference_id: string };
  const update = ['account', 'update', '--account', OWNER, '--require-decline-reason', 'yes'];
  expect(await program.json(update)).toMatchObject({ email: OWNER, requires_decline_reason: true });
  const decline = ['client', 'set-status', reference, 'declined', ...WHERE];
  const missing = 'rollcall: reason is missing: the account requires one to decline a client.\n';
  expect(await program.run(decline)).toEqual({ code: 1, stdout: '', stderr: missing });
  expect((await program.run([...decline, '--reason', 'No documents'])).code).toBe(0);
  const shown = await program.run(['client', 'show', reference, ...WHERE]);
  expect(shown.stdout).toMatch(/changed by operator: request_status requested → declined; reason: No documents\n$/);
});

test('clients are listed by filters and found by words, with their number', async () => {
  const program = await firm();
  await program.json(['sample', ...WHERE, '--clients', '300']);
  const list = ['client', 'list', ...WHERE];
  const all = await program.run(list);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(all.stdout).toMatch(/^REFERENCE +NAME +EMAIL +GROUP +REQUEST STATUS\n(.*\n){10}Page 1 of 30, 300 clients\n$/);

  const found = await program.json([...list, '--search', 'MAIL.exam 1-299', '--json']);
  expect(found).toMatchObject({ total_count: 1, total_is_exact: true, total_pages: 1, page_number: 1, page_limit: 10 });
  const [client] = (found as { results: { email: string; request_status: string }[] }).results;
  expect(client?.email).toMatch(/-299@mail\.example$/);
  const other = client?.request_status === 'pending' ? 'accepted' : 'pending';
  for (const search of [
    ['--search', 'mail 299', '--request-status', other],
    ['--search', '@'],
    ['--search', ''],
  ]) {
    expect(await program.run([...list, ...search])).toEqual({
      code: 0,
      stdout: 'No clients were found.\n',
      stderr: '',
    });
  }
  const beyond = await program.run([...list, '--search', 'mail', '--page-no', '31']);
  expect(beyond.stdout).toBe('There are no more pages: 300 clients.\n');
  const words = Array.from({ length: 21 }, (_, index) => `w${index + 10}`).join(' ');
  const tooMany = await program.run([...list, '--search', words]);
  expect(tooMany).toEqual({ code: 1, stdout: '', stderr: 'rollcall: search must have at most 20 words.\n' });
});
