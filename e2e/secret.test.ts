import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { InstallationSecret } from '../packages/server/src/domain/sealed-text.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { onDatabase } from '../packages/server/src/testing/raw-database.ts';
import { type ApiAnswer, exchange, list } from './api.ts';
import { openNodes } from './nodes.ts';
import { pause } from './pause.ts';
import { BIN, Program, type Run } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

function expectOneLine({ code, stdout, stderr }: Run, message: RegExp): void {
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^rollcall: [^\n]+\n$/);
  expect(stderr).toMatch(message);
}

const secretFileOf = (program: Program) => join(program.folder, 'data', 'rollcall.secret');

test('`rollcall secret new` prints another secret every time, and stores nothing', async () => {
  const program = new Program();
  const runs = [await program.run(['secret', 'new']), await program.run(['secret', 'new'])];
  const printed = runs.map(({ stdout }) => stdout);
  for (const { stdout, stderr } of runs) {
    const id = InstallationSecret.parse(stdout.trim())?.id;
    expect(stderr).toBe(`Its id is ${id}; write it beside the secret.\n`);
  }
  expect(printed[0]).not.toBe(printed[1]);
  const asJson = await program.json<{ secret: string; secret_id: string }>(['secret', 'new']);
  expect(asJson).toEqual({ secret: expect.stringMatching(/^[\w-]{43}$/), secret_id: expect.any(String) });
  expect(InstallationSecret.parse(asJson.secret)?.id).toBe(asJson.secret_id);
  expect(readdirSync(program.folder)).toEqual([]);
});

test('on SQLite, the first start makes the file of the secret, and a database without it says so in one line', async () => {
  const program = new Program({ ROLLCALL_WORKERS: '2' });
  const { key } = await createTestAccount(program, { clients: 3 });
  expect(existsSync(secretFileOf(program)), 'a command that needs no secret makes none').toBe(false);
  const service = await program.serve(['--only', 'production']);
  expect(statSync(secretFileOf(program)).mode & 0o777).toBe(0o600);
  const secret = readFileSync(secretFileOf(program), 'utf8').trim();
  const { data } = await exchange(service.production, key.api_key);
  expect(service.log()).not.toContain(secret);
  expect(await service.stop()).toBe(0);

  renameSync(secretFileOf(program), join(program.folder, 'kept'));
  const lost =
    /is missing \(its id is \w+\)\. Provide it in ROLLCALL_SECRET or in the file \S+\/data\/rollcall\.secret, .+`rollcall secret reset`\.$/m;
  for (const command of [['serve'], ['serve', '--demo'], ['signing-key', 'rotate'], ['secret', 'rotate']]) {
    expectOneLine(await program.run(command), lost);
  }
  expect(existsSync(secretFileOf(program)), 'no other secret takes its place').toBe(false);
  const where = ['--account', OWNER, '--environment', 'production'];
  const needNone = [
    ['doctor'],
    ['export', ...where],
    ['key', 'list', '--account', OWNER],
    ['signing-key', 'list'],
    ['migrate'],
  ];
  for (const command of needNone) expect((await program.run(command)).code, command.join(' ')).toBe(0);
  expect((await program.run(['account', 'list'])).stdout).not.toContain('demo@');

  // The setting may have the content of the file, and wins over the file.
  const moved = new Program({ ROLLCALL_DATABASE_URL: program.databaseUrl, ROLLCALL_SECRET: secret });
  const again = await moved.serve(['--only', 'production']);
  expect((await list(again.production, data.access_token)).status).toBe(200);
  await again.stop();
  writeFileSync(secretFileOf(program), secret);
  moved.environment.ROLLCALL_SECRET = InstallationSecret.generate().reveal();
  expectOneLine(await moved.run(['serve']), /Provide that secret in ROLLCALL_SECRET, or/);
});

test('the first start on SQLite tells that it has made the secret, and later starts do not', async () => {
  const program = new Program();
  const bannerOf = async () => {
    const child = spawn(process.execPath, [BIN, 'serve'], { cwd: program.folder, env: program.environment });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (chunk) => {
      shown += chunk;
    });
    await expect.poll(() => shown, { timeout: 20_000 }).toContain('/set-up#');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    return shown;
  };
  const hint = '\n  Made the file rollcall.secret beside the database. Keep a copy of it elsewhere.\n';
  expect(await bannerOf()).toContain(hint);
  expect(await bannerOf()).not.toContain('rollcall.secret');
});

test('a lost secret is reset on request only; then keys and passwords work as before and tokens have ended', async () => {
  const program = new Program();
  const { key } = await createTestAccount(program);
  const service = await program.serve(['--only', 'production']);
  const { data } = await exchange(service.production, key.api_key);
  await service.stop();
  rmSync(secretFileOf(program));
  expectOneLine(
    await program.run(['secret', 'reset']),
    /ends every access token and removes every second factor\. Add --yes/,
  );
  expect(existsSync(secretFileOf(program))).toBe(false);
  expect(await program.json(['secret', 'reset', '--yes'])).toEqual({ accounts: 1, second_factors_removed: 0 });
  const works = /The present secret works, so nothing forces a reset\. /;
  expectOneLine(await program.run(['secret', 'reset']), works);
  const needless = await program.run(['secret', 'reset', '--yes']);
  expect(needless.stdout).toMatch(works);
  expect(needless.stdout).toMatch(/ Restart running services now\.$/m);

  const renewed = await program.serve(['--only', 'production']);
  expect(await list(renewed.production, data.access_token)).toMatchObject({ status: 401 });
  const { data: fresh } = await exchange(renewed.production, key.api_key);
  expect(await list(renewed.production, fresh.access_token)).toMatchObject({ status: 200 });
});

test('a secret in a file is rotated while the service runs, which signs and follows without a restart', async () => {
  const program = new Program({ ROLLCALL_WORKERS: '2' });
  const { key } = await createTestAccount(program);
  const service = await program.serve(['--only', 'production']);
  const former = readFileSync(secretFileOf(program), 'utf8').trim();
  const { data } = await exchange(service.production, key.api_key);
  const { stdout } = await program.run(['secret', 'rotate']);
  expect(stdout).toMatch(
    /^Encrypted everything with the new secret\. Its id is [0-9a-f]{16}; write it beside the secret\. The former secret is kept in \S+rollcall\.secret\.[0-9a-f]{16}: .+ other databases in the same folder\./,
  );
  expect(stdout).not.toContain(former);
  expect(readFileSync(secretFileOf(program), 'utf8').trim()).not.toBe(former);
  const kept = readdirSync(join(program.folder, 'data')).find((name) => /^rollcall\.secret\.[0-9a-f]{16}$/.test(name));
  expect(readFileSync(join(program.folder, 'data', kept ?? ''), 'utf8').trim()).toBe(former);

  // Keys that are made from now on are encrypted with the new secret, so running processes have to find it.
  for (let rotation = 0; rotation < 2; rotation++) await program.json(['signing-key', 'rotate']);
  const signsWith = async () => {
    const { data } = await exchange(service.production, key.api_key);
    return (await list(service.production, data.access_token)).status;
  };
  const rotated = async () =>
    (await program.json<{ state: string }[]>(['signing-key', 'list'])).map(({ state }) => state);
  await expect.poll(rotated, { interval: 2500 }).toEqual(['earlier', 'earlier', 'current', 'next']);
  for (let call = 0; call < 20; call++) expect(await signsWith()).toBe(200);
  expect((await list(service.production, data.access_token)).status).toBe(200);
  expect(await service.stop()).toBe(0);
  expect(service.log()).not.toContain(former);
});

test('a rotation that was killed between the database and the file is completed by the next start', async () => {
  const program = new Program();
  const { key } = await createTestAccount(program);
  await (await program.serve(['--only', 'production'])).stop();
  const former = readFileSync(secretFileOf(program), 'utf8');
  await program.json(['secret', 'rotate']);
  // As it was before the file was renamed.
  renameSync(secretFileOf(program), `${secretFileOf(program)}.next`);
  writeFileSync(secretFileOf(program), former);
  const service = await program.serve(['--only', 'production']);
  expect(await exchange(service.production, key.api_key)).toMatchObject({ status: 200 });
  expect(existsSync(`${secretFileOf(program)}.next`)).toBe(false);
  expect(readFileSync(secretFileOf(program), 'utf8')).not.toBe(former);
});

test('on PostgreSQL, the service does not start without the setting, and then has not migrated the database either', async () => {
  const admin = await server.connect();
  await admin.query('create database without_secret');
  await admin.end();
  const program = new Program({ ROLLCALL_DATABASE_URL: server.url('without_secret'), ROLLCALL_SECRET: '' });
  for (const command of [['serve'], ['signing-key', 'rotate'], ['secret', 'rotate'], ['secret', 'reset', '--yes']]) {
    expectOneLine(await program.run(command), /^rollcall: ROLLCALL_SECRET is not set\. .+`rollcall secret new`/);
  }
  expect(
    await onDatabase(server.url('without_secret'), `select tablename from pg_tables where schemaname = 'public'`),
  ).toEqual([]);
  await createTestAccount(program);
  for (const command of [['doctor'], ['migrate'], ['signing-key', 'list']]) {
    expect((await program.run(command)).code, command.join(' ')).toBe(0);
  }
  for (const wrong of ['0'.repeat(64), 'short']) {
    program.environment.ROLLCALL_SECRET = wrong;
    const run = await program.run(['serve']);
    expectOneLine(run, /ROLLCALL_SECRET must be 32 random bytes in hex or base64url/);
    expect(run.stderr).not.toContain(wrong);
  }
});

test('on PostgreSQL, the secret is rotated under load on two nodes without a single wrong answer', async () => {
  const next = InstallationSecret.generate().reveal();
  const { program, nodes, key } = await openNodes(server, 2, { ROLLCALL_NEXT_SECRET: next });
  let answers = 0;
  const refusals: string[] = [];
  const isRight = ({ status, message }: ApiAnswer) => {
    answers++;
    if (status !== 200) refusals.push(`${status} ${message}`);
    return status === 200;
  };
  let stopped = false;
  const use = async (from: string, to: string) => {
    while (!stopped) {
      const exchanged = await exchange(from, key.api_key);
      if (isRight(exchanged)) isRight(await list(to, exchanged.data.access_token));
      await pause();
    }
  };
  const [one = '', two = ''] = nodes.map(({ production }) => production);
  const using = Promise.all([use(one, two), use(two, one)]);
  const { stdout } = await program.run(['secret', 'rotate']);
  expect(stdout).toMatch(
    /Its id is [0-9a-f]{16}; write it beside the secret\. Now set ROLLCALL_SECRET to the new secret, remove ROLLCALL_NEXT_SECRET and restart every node\./,
  );
  await program.json(['signing-key', 'rotate']);
  await program.json(['signing-key', 'rotate']);
  const states = async () =>
    (await program.json<{ state: string }[]>(['signing-key', 'list'])).map(({ state }) => state);
  await expect.poll(states, { interval: 2500 }).toEqual(['earlier', 'earlier', 'current', 'next']);
  const before = answers;
  await expect.poll(() => answers).toBeGreaterThan(before + 20);
  stopped = true;
  await using;
  expect(refusals).toEqual([]);

  delete program.environment.ROLLCALL_NEXT_SECRET;
  expectOneLine(await program.run(['serve']), /another secret/);
  program.environment.ROLLCALL_SECRET = next;
  const restarted = await program.serve(['--only', 'production']);
  expect(await exchange(restarted.production, key.api_key)).toMatchObject({ status: 200 });
  await restarted.stop();

  program.environment.ROLLCALL_SECRET = InstallationSecret.generate().reveal();
  const reset = await program.run(['secret', 'reset', '--yes']);
  expect(reset.stdout).toMatch(
    /^Made new signing keys .+ Now set ROLLCALL_SECRET to the same secret .+ restart every node\.$/m,
  );
});
