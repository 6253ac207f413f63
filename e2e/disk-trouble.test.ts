import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exchange, list } from './api.ts';
import { smallDisk } from './full-disk.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
const FULL = 'the disk of the database is full';

interface Line {
  msg: string;
  reason?: string;
  seconds?: number;
}

function loggedOutages(service: Serving): Line[] {
  const lines = service.log().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg.startsWith('the database can'));
}

async function ask({ production }: Serving, path: string): Promise<{ status: number; message: string }> {
  const response = await fetch(production + path);
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, message };
}

async function serveOn(databaseUrl: string) {
  const program = new Program({ ROLLCALL_DATABASE_URL: databaseUrl });
  const { key } = await createTestAccount(program, { clients: 20 });
  const service = await program.serve(['--only', 'production']);
  const { data } = await exchange(service.production, key.api_key);
  const total = async () => {
    const { status, data: page } = await list(service.production, data.access_token);
    return status === 200 ? page.total_count : status;
  };
  return { program, service, total };
}

/** The single line that a failing command prints. */
async function failureOf(program: Program, args: string[], input?: string): Promise<string> {
  const { code, stderr } = await program.run(args, input);
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/^rollcall: [^\n]+\n$/);
  return stderr;
}

test('while the disk is full, reads work, and the log, the command line and /readyz?write say why writes fail', async (context) => {
  const disk = smallDisk(context, 4);
  const { program, service, total } = await serveOn(`sqlite:${disk.folder}/rollcall.db`);
  expect(await ask(service, '/readyz?write')).toEqual({ status: 200, message: 'Success' });
  expect(loggedOutages(service)).toEqual([]);
  disk.fill();
  // The database file may still have some free space of its own.
  await expect.poll(() => ask(service, '/readyz?write')).toMatchObject({ status: 503 });
  expect((await ask(service, '/readyz?write')).message).toBe(`Service temporarily unavailable: ${FULL}.`);
  expect(await ask(service, '/readyz')).toMatchObject({ status: 200 });
  expect(await total()).toBe(20);
  const rows = 'email,client_name,client_type,group_name,request_status\nada@mail.example,Ada,individual,G,pending\n';
  expect(await failureOf(program, ['import', '-', ...WHERE], rows)).toContain(FULL);
  await expect
    .poll(() => loggedOutages(service))
    .toMatchObject([{ reason: FULL, msg: 'the database cannot be used normally' }]);

  disk.free();
  await expect.poll(() => ask(service, '/readyz?write')).toMatchObject({ status: 200 });
  await expect.poll(() => loggedOutages(service)).toHaveLength(2);
  expect(loggedOutages(service)[1]).toMatchObject({ reason: FULL, msg: 'the database can be used again' });
  expect(loggedOutages(service)[1]?.seconds).toBeGreaterThan(0);
  await program.json(['import', '-', ...WHERE], rows);
  expect(await total()).toBe(21);
  expect(await service.stop()).toBe(0);

  // A new process cannot write the files that it needs for starting either.
  disk.fill();
  expect(await failureOf(program, ['serve'])).toContain(FULL);
  expect(
    await failureOf(program, ['client', 'add', '--email', 'b@x.example', '--name', 'B', '--group', 'G', ...WHERE]),
  ).toContain(FULL);
  const elsewhere = new Program({ ROLLCALL_DATABASE_URL: `sqlite:${disk.folder}/new/rollcall.db` });
  expect(await failureOf(elsewhere, ['serve'])).toContain(FULL);
  disk.free();
  expect(await program.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: 21 } });

  if (!disk.remount('ro')) return;
  onTestFinished(() => void disk.remount('rw'));
  const readOnly = 'rollcall: Service temporarily unavailable: the database is on a read-only file system.\n';
  expect(await failureOf(program, ['serve'])).toBe(readOnly);
  expect(await failureOf(program, ['doctor'])).toBe(readOnly);
});

test('writes are tested once a second however many requests ask, and a failing disk is logged once', async (context) => {
  const { folder } = new Program();
  const { service } = await serveOn(`sqlite:${folder}/rollcall.db`);
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(service, '/readyz?write')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const seconds = (performance.now() - startedAt) / 1000;
  // Each write adds a page and its header to the log. The service itself writes a few when it starts.
  const pages = statSync(join(folder, 'rollcall.db-wal')).size / (24 + 4096);
  expect(pages).toBeLessThan(20 + 4 * (seconds + 1));
  expect(await ask(service, '/readyz?wirte')).toMatchObject({ status: 400 });

  const limitFiles = (limit: string) => spawnSync('prlimit', ['--pid', `${service.process.pid}`, `--fsize=${limit}:`]);
  if (limitFiles('0').status !== 0) context.skip('prlimit is not installed here');
  const failing = {
    status: 503,
    message: expect.stringMatching(/: the disk of the database reports an I\/O error\.$/),
  };
  await expect.poll(() => ask(service, '/readyz?write')).toEqual(failing);
  expect(await ask(service, '/readyz')).toMatchObject({ status: 200 });
  limitFiles('unlimited');
  await expect.poll(() => ask(service, '/readyz?write')).toMatchObject({ status: 200 });
  await expect
    .poll(() => loggedOutages(service).map(({ seconds: length }) => length !== undefined))
    .toEqual([false, true]);
});

test.each([
  ['deleted', (file: string) => rmSync(file), /the database file was removed/],
  ['moved away', (file: string) => renameSync(file, `${file}.aside`), /the database file was removed/],
  [
    'replaced',
    (file: string) => {
      copyFileSync(file, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
    /the database file was replaced by another file/,
  ],
])(
  'once the database file is %s, a running service refuses requests and logs the reason once, until a restart',
  async (how, harm, reason) => {
    const { program, service, total } = await serveOn('sqlite:data/rollcall.db');
    const folder = join(program.folder, 'data');
    harm(join(folder, 'rollcall.db'));
    await expect.poll(total).toBe(503);
    for (const path of ['/readyz', '/readyz?write']) {
      const { status, message } = await ask(service, path);
      expect({ status, message }).toEqual({ status: 503, message: expect.stringMatching(reason) });
    }
    expect((await ask(service, '/healthz')).status).toBe(200);
    await expect.poll(() => loggedOutages(service)).toMatchObject([{ reason: expect.stringMatching(reason) }]);
    expect(await service.stop()).toBe(0);
    expect(loggedOutages(service)).toHaveLength(1);
    // No new file is created in place of a missing one.
    expect(readdirSync(folder).includes('rollcall.db')).toBe(how === 'replaced');
  },
);
