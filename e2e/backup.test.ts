import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InstallationSecret } from '../packages/server/src/domain/sealed-text.ts';
import { backupOwnerOf } from '../packages/server/src/store/back-up-database.ts';
import { packBackup } from '../packages/server/src/store/engines/sqlite/backup-file.ts';
import { smallDisk } from './full-disk.ts';
import { addClients } from './nodes.ts';
import { Program } from './program.ts';
import { createTestAccount } from './test-account.ts';

interface Drill {
  ok: boolean;
  file: string;
  age_seconds: number;
  totals: { workspaces: number; groups: number; clients: number };
  problems: string[];
}

const ours = /^rollcall-\d{8}T\d{6}Z-[0-9a-f]{8}\.db\.zst$/;

/** A program with clients, and a folder for backups that the service does not use by itself. */
async function aProgram(clients: number) {
  const program = new Program();
  await createTestAccount(program, { clients });
  const backups = join(program.folder, 'backups');
  mkdirSync(backups);
  return { program, backups };
}

function filesThatTakeSpace(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => ({
    name,
    stat: statSync(join(folder, name)),
  }));
  return files.filter(({ stat }) => stat.isFile() && stat.size > 0).map(({ name }) => name);
}

test('a backup that is killed at any moment leaves nothing that looks like one, and the next one is made', async () => {
  const { program, backups } = await aProgram(3000);
  const kills = Number(process.env.ROLLCALL_TEST_KILLS ?? 4);
  for (let kill = 0; kill < kills; kill++) {
    const name = `${kill}.db.zst`;
    const running = program.start(['backup', join(backups, name)]);
    // It takes about a quarter of a second to start, and about as long to finish.
    if (kill % 2 === 0) await expect.poll(() => readdirSync(backups).length, { interval: 1 }).toBeGreaterThan(0);
    await sleep((kill / kills) * 400);
    running.kill('SIGKILL');
    await running.exited;
    if (existsSync(join(backups, name))) {
      expect(await program.json<Drill>(['drill', join(backups, name)])).toMatchObject({ ok: true });
    }
    rmSync(join(backups, name), { force: true });
    for (const left of readdirSync(backups)) expect(left).toMatch(/\.unfinished-\w{6}$/);
  }
  await program.json(['backup', join(backups, 'last.db.zst')]);
  expect(filesThatTakeSpace(backups), 'it has removed what the others have left').toEqual(['last.db.zst']);
  expect(await program.json<Drill>(['drill', join(backups, 'last.db.zst')])).toMatchObject({
    ok: true,
    totals: { clients: 3000 },
  });
});

test('a restore that is killed at any moment leaves no database, or the whole one', async () => {
  const { program, backups } = await aProgram(3000);
  const backup = join(backups, 'a.db.zst');
  await program.json(['backup', backup]);
  const kills = Number(process.env.ROLLCALL_TEST_KILLS ?? 4);
  const folder = join(program.folder, 'restored');
  const restoring = new Program({ ...program.environment, ROLLCALL_DATABASE_URL: `sqlite:${folder}/rollcall.db` });
  for (let kill = 0; kill < kills; kill++) {
    const running = restoring.start(['restore', backup]);
    if (kill % 2 === 0) await expect.poll(() => existsSync(folder), { interval: 1 }).toBe(true);
    await sleep((kill / kills) * 400);
    running.kill('SIGKILL');
    await running.exited;
    if (existsSync(join(folder, 'rollcall.db'))) {
      expect(await restoring.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: 3000 } });
    }
    rmSync(join(folder, 'rollcall.db'), { force: true });
  }
  await restoring.json(['restore', backup]);
  expect(await restoring.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: 3000 } });
});

test('a full disk is reported in one line, nothing is left on it, and the service goes on', async (context) => {
  const disk = smallDisk(context, 16);
  const { program } = await aProgram(3000);
  disk.fill();
  const { code, stderr } = await program.run(['backup', join(disk.folder, 'a.db.zst')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: \S+a\.db\.zst cannot be written: [^\n]+\.\n$/);
  expect(readdirSync(disk.folder)).toEqual(['ballast']);
  disk.free();
  await program.json(['backup', join(disk.folder, 'a.db.zst')]);
  expect(readdirSync(disk.folder)).toEqual(['a.db.zst']);
});

test('a disk that is too small is reported before anything is copied to it, by a backup and by a drill', async (context) => {
  const disk = smallDisk(context, 1);
  const { program, backups } = await aProgram(3000);
  const refusal = /^rollcall: \S+ cannot be written: it needs about \d+ MB, and [01] MB are free\.\n$/;
  const backup = await program.run(['backup', join(disk.folder, 'a.db.zst')]);
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) });
  await program.json(['backup', join(backups, 'a.db.zst')]);
  Object.assign(program.environment, { TMPDIR: disk.folder, NODE_DISABLE_COMPILE_CACHE: '1' });
  const drill = await program.run(['drill', join(backups, 'a.db.zst')]);
  expect(drill).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) });
  expect(readdirSync(disk.folder)).toEqual([]);
});

test('a service with two workers makes one backup at the start, removes what is too old, and ends at once during a backup', async () => {
  const { program, backups } = await aProgram(50);
  Object.assign(program.environment, {
    ROLLCALL_BACKUP_DIR: backups,
    ROLLCALL_BACKUP_KEEP: '2',
    ROLLCALL_WORKERS: '2',
  });
  const owner = await backupOwnerOf(program.databaseUrl);
  const old = [`rollcall-20240101T000000Z-${owner}.db.zst`, `rollcall-20240101T060000Z-${owner}.db.zst`];
  for (const name of [...old, 'mine.db.zst']) writeFileSync(join(backups, name), '');
  const service = await program.serve(['--only', 'production']);
  await expect
    .poll(() => readdirSync(backups).filter((name) => ours.test(name) && !old.includes(name)))
    .toHaveLength(1);
  await expect.poll(() => readdirSync(backups)).toHaveLength(3);
  expect(readdirSync(backups)).toEqual(expect.arrayContaining(['mine.db.zst', old[1]]));
  const drill = await program.json<Drill>(['drill']);
  expect(drill).toMatchObject({ ok: true, totals: { clients: 50 }, problems: [] });
  expect(drill.file).toMatch(/rollcall-2\d{7}T\d{6}Z-[0-9a-f]{8}\.db\.zst$/);
  expect(drill.age_seconds).toBeGreaterThanOrEqual(0);
  expect(statSync(drill.file).mode & 0o777).toBe(0o600);
  await expect.poll(() => service.log()).toContain('made a backup');

  // Another one is due as soon as this one is gone, which a start notices at once.
  expect(await service.stop()).toBe(0);
  rmSync(drill.file);
  const again = await program.serve(['--only', 'production']);
  expect(await again.stop()).toBe(0);
  expect(readdirSync(backups).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('while the disk for backups does not answer, the service does, and a stop closes the database', async (context) => {
  if (process.platform !== 'linux') context.skip('a library can be preloaded like this on Linux only');
  const { program, backups } = await aProgram(50);
  const library = join(program.folder, 'hung-folder.so');
  const source = fileURLToPath(new URL('hung-folder.c', import.meta.url));
  const { error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source], { encoding: 'utf8' });
  if (error) context.skip('a C compiler is not installed here');
  expect(stderr).toBe('');
  Object.assign(program.environment, { LD_PRELOAD: library, HUNG_FOLDER: backups, ROLLCALL_BACKUP_DIR: backups });
  const service = await program.serve(['--only', 'production']);
  expect((await fetch(`${service.production}/readyz`)).status).toBe(200);
  const log = join(program.folder, 'data', 'rollcall.db-wal');
  expect(existsSync(log)).toBe(true);
  service.process.kill('SIGTERM');
  // The process itself ends only with the call that hangs, or when it is killed.
  await expect.poll(() => existsSync(log)).toBe(false);
});

test('a drill finds a backup that differs from what it says, and one that the secret does not open', async () => {
  const { program, backups } = await aProgram(50);
  // The first start encrypts.
  const service = await program.serve(['--only', 'production']);
  await program.json(['backup', join(backups, 'a.db.zst')]);
  expect(await service.stop()).toBe(0);
  await addClients(program, 10, 2);
  expect(await program.json<Drill>(['drill', join(backups, 'a.db.zst')])).toMatchObject({ totals: { clients: 50 } });

  const other = new Program({ ...program.environment, ROLLCALL_SECRET: InstallationSecret.generate().reveal() });
  const refused = await other.run(['drill', join(backups, 'a.db.zst')]);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/were encrypted with another secret \(its id is \w+\)/);
  const elsewhere = new Program();
  const restored = await elsewhere.run(['restore', join(backups, 'a.db.zst')]);
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(/The secret is not here yet.+is missing/) });
  expect(await elsewhere.run(['serve'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is missing') });
});

test('a drill does not take the backup of another database for one of its own', async () => {
  const { program, backups } = await aProgram(50);
  program.environment.ROLLCALL_BACKUP_DIR = backups;
  const other = join(backups, 'rollcall-20240102T000000Z-ffffffff.db.zst');
  await program.json(['backup', other]);
  const none = await program.run(['drill']);
  expect(none.code).not.toBe(0);
  expect(none.stderr).toMatch(
    /^rollcall: All backups in \S+ are of other databases; the newest is \S+ffffffff\.db\.zst\. .+\n$/,
  );
  const own = join(backups, `rollcall-20240101T000000Z-${await backupOwnerOf(program.databaseUrl)}.db.zst`);
  await program.json(['backup', own]);
  const { code, stdout, stderr } = await program.run(['drill', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, file: own });
  expect(stderr).toMatch(/^rollcall: The newest backup in \S+, \S+ffffffff\.db\.zst, is of another database\.\n$/);

  const elsewhere = new Program({ ROLLCALL_BACKUP_DIR: backups });
  expect((await elsewhere.run(['drill'])).stdout).toContain(other);
});

test.each([
  ['a trigger', 'create trigger evil after update on installation begin delete from clients; end', {}],
  ['a time that no calendar has', 'select 1', { madeAt: 1e300 }],
])(
  'a backup with %s is refused in one line by restore and drill, and nothing is left of it',
  async (_what, sql, odd) => {
    const { program, backups } = await aProgram(10);
    const [database, file] = [join(program.folder, 'unpacked.db'), join(backups, 'odd.db.zst')];
    await program.json(['backup', join(backups, 'a.db.zst')]);
    writeFileSync(database, zstdDecompressSync(readFileSync(join(backups, 'a.db.zst'))));
    const opened = new DatabaseSync(database);
    opened.exec(`pragma journal_mode = delete; ${sql}`);
    opened.close();
    const totals = { workspaces: 2, groups: 1, clients: 10 };
    const manifest = { madeAt: Date.now(), databaseBytes: statSync(database).size, totals, ...odd };
    await packBackup(database, manifest, file, { signal: new AbortController().signal, progress: () => {} });

    const elsewhere = new Program({ TMPDIR: program.folder });
    for (const command of ['restore', 'drill']) {
      const { code, stdout, stderr } = await elsewhere.run([command, file]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^rollcall: [^\n]+ (contains the trigger "evil"|is not a backup that)[^\n]+\n$/);
    }
    expect(filesThatTakeSpace(elsewhere.folder)).toEqual([]);
  },
);

test.each([
  ['drill', /^rollcall: Name a backup, or set ROLLCALL_BACKUP_DIR to the folder of backups\.\n$/],
  ['restore missing.db.zst', /^rollcall: missing\.db\.zst: no such file or directory\.\n$/],
])('rollcall %s is refused in one line', async (command, message) => {
  const { code, stderr } = await new Program().run(command.split(' '));
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});

test('with PostgreSQL, a service with a folder for backups does not start, and says what to use', async () => {
  const program = new Program({ ROLLCALL_DATABASE_URL: 'postgres://a@127.0.0.1:1/a', ROLLCALL_BACKUP_DIR: 'backups' });
  const { code, stderr } = await program.run(['serve']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^rollcall: ROLLCALL_BACKUP_DIR is for SQLite\. .*pg_dump.*point-in-time.*docs\/backup\.md.*\n$/,
  );
});
