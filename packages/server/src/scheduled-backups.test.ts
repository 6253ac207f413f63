import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BackupFolder } from './backup-folder.ts';
import { backupName as nameOf } from './domain/backup-schedule.ts';
import { type ScheduleDeps, ScheduledBackups, startBackups } from './scheduled-backups.ts';
import { backupOwnerOf } from './store/back-up-database.ts';
import { tryLock } from './store/engines/sqlite/process-lock.ts';
import { TestClock } from './testing/builders.ts';
import { openTestStoreAt, temporaryFolder } from './testing/test-store.ts';

const HOUR_S = 3600;
const [OWNER, OTHER] = ['0a1b2c3d', 'ffffffff'];
const backupName = (at: number) => nameOf(at, OWNER);

type FakeDeps = Partial<Omit<ScheduleDeps, 'files'>> & { files?: Partial<ScheduleDeps['files']> };

/** A schedule of every six hours whose backups are small files, so that days pass in a moment. */
function aSchedule(keep = 3, { files, ...deps }: FakeDeps = {}) {
  const folder = temporaryFolder();
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const clock = new TestClock();
  const lines: { level: number; msg: string; reason?: string; files?: number }[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const open = () => {
    const scheduled = new ScheduledBackups(
      { folder: backups, everyMs: 6 * HOUR_S * 1000, keep },
      {
        clock,
        owner: async () => OWNER,
        files: Object.assign(new BackupFolder(backups), files),
        makeBackup: async (file) => {
          writeFileSync(file, '', { flag: 'wx' });
          return { bytes: 0 };
        },
        removeLeftovers: async () => expect.unreachable(),
        tryLock: () => tryLock(join(folder, 'lock')),
        logger,
        ...deps,
      },
    );
    onTestFinished(() => scheduled.stop());
    return scheduled;
  };
  return {
    backups,
    clock,
    open,
    lines,
    names: () => readdirSync(backups).sort(),
    messages: () => lines.map(({ msg }) => msg),
  };
}

test('a backup is made at the start if one is due, and then every six hours', async () => {
  const { clock, open, names } = aSchedule();
  const scheduled = open();
  const made: string[] = [];
  for (let hour = 0; hour <= 12; hour++) {
    if (hour % 6 === 0) made.push(backupName(clock.now()));
    await scheduled.check();
    expect(names(), `hour ${hour}`).toEqual(made);
    clock.advance(HOUR_S);
  }
});

test('one that was missed while the service was down is made at the next start, and one that was not is not made again', async () => {
  const { clock, open, names } = aSchedule();
  const first = open();
  await first.check();
  await first.stop();
  clock.advance(HOUR_S);
  const second = open();
  await second.check();
  await second.stop();
  expect(names()).toHaveLength(1);
  clock.advance(6 * HOUR_S);
  await open().check();
  expect(names()).toHaveLength(2);
});

test('only the newest are kept, and only files that the service has named are removed', async () => {
  const { backups, clock, open } = aSchedule(2);
  const others = ['before-the-upgrade.db.zst', 'rollcall.secret', 'rollcall-20250101T000000Z.db.zst.part'];
  for (const name of others) writeFileSync(join(backups, name), 'precious');
  mkdirSync(join(backups, backupName(0)));
  symlinkSync('rollcall.secret', join(backups, backupName(1000)));
  const scheduled = open();
  const made: string[] = [];
  for (let round = 0; round < 5; round++) {
    made.push(backupName(clock.now()));
    await scheduled.check();
    clock.advance(6 * HOUR_S);
  }
  const left = [...others, backupName(0), backupName(1000), ...made.slice(-2)];
  expect(readdirSync(backups).sort()).toEqual(left.sort());
});

test('two databases with one folder each have their own backups, and keep their own number of them', async () => {
  const { backups, clock, open, names } = aSchedule(1);
  const scheduled = open();
  const others = [0, 1].map((hours) => nameOf(clock.now() - hours * HOUR_S * 1000, OTHER));
  for (const name of others) writeFileSync(join(backups, name), '');
  await scheduled.check();
  expect(names()).toEqual([...others, backupName(clock.now())].sort());
  clock.advance(6 * HOUR_S);
  await scheduled.check();
  expect(names()).toEqual([...others, backupName(clock.now())].sort());
});

test('nothing is removed as long as no new backup is complete', async () => {
  const makeBackup = () => Promise.reject(new Error('no space left on device'));
  const { backups, clock, open, names } = aSchedule(1, { makeBackup });
  for (const days of [1, 2, 3]) writeFileSync(join(backups, backupName(clock.now() - days * 24 * HOUR_S * 1000)), '');
  await open().check();
  expect(names()).toHaveLength(3);
});

test('a clock that was set back or forward delays no backup and removes no newer one', async () => {
  const { clock, open, names } = aSchedule(2);
  const scheduled = open();
  clock.advance(365 * 24 * HOUR_S);
  await scheduled.check();
  clock.advance(-365 * 24 * HOUR_S);
  for (let round = 0; round < 4; round++) {
    await scheduled.check();
    clock.advance(6 * HOUR_S);
  }
  expect(names(), 'two, and the one from the future').toHaveLength(3);
});

test('a failure is reported once, tried again after five minutes, and its end is reported', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let attempts = 0;
  const makeBackup = async () => {
    attempts++;
    if (attempts < 3) throw new Error('no space left on device');
    return { bytes: 7 };
  };
  const { open, lines, messages } = aSchedule(3, { makeBackup });
  const scheduled = open();
  await scheduled.check();
  await scheduled.check();
  expect(attempts, 'not at once').toBe(1);
  for (let minutes = 0; minutes < 10; minutes++) {
    vi.advanceTimersByTime(61_000);
    await scheduled.check();
  }
  expect(attempts).toBe(3);
  expect(messages()).toEqual([
    'no backup can be made; it is tried again every five minutes',
    'backups can be made again',
  ]);
  expect(lines[0]).toMatchObject({ level: 50, reason: 'no space left on device' });
});

test('the process that makes the backups knows when the newest one was made, and that there is none', async () => {
  let isBroken = true;
  const makeBackup = async (file: string) => {
    if (isBroken) throw new Error('no space left on device');
    writeFileSync(file, '');
    return { bytes: 0 };
  };
  const { clock, open } = aSchedule(3, { makeBackup });
  const [one, other] = [open(), open()];
  expect(one.state(), 'before the first check').toBeUndefined();
  await one.check();
  expect(one.state()).toEqual({ latestAt: 0, everyMs: 6 * HOUR_S * 1000 });
  await one.stop();
  isBroken = false;
  const madeAt = clock.now();
  await other.check();
  expect(other.state()).toMatchObject({ latestAt: madeAt });
  clock.advance(HOUR_S);
  await other.check();
  expect(other.state()).toMatchObject({ latestAt: madeAt });
  expect(one.state()).toBeUndefined();
});

test('a folder that is missing is reported, and used when it is there', async () => {
  const { backups, open, messages } = aSchedule();
  const folder = join(backups, 'not-mounted');
  const elsewhere = new ScheduledBackups(
    { folder, everyMs: 1, keep: 1 },
    {
      clock: new TestClock(),
      owner: async () => OWNER,
      files: new BackupFolder(folder),
      makeBackup: () => expect.unreachable(),
      removeLeftovers: () => expect.unreachable(),
      tryLock: () => ({ release() {} }),
      logger: pino({ level: 'silent' }),
    },
  );
  await elsewhere.check();
  expect(readdirSync(backups), 'it is not created').toEqual([]);
  await open().check();
  expect(messages()).toEqual(['made a backup']);
});

test('of several processes on one database, one makes the backups, and another one when it has ended', async () => {
  const { clock, open, names } = aSchedule();
  const [one, other] = [open(), open()];
  await Promise.all([one.check(), other.check()]);
  expect(names()).toHaveLength(1);
  clock.advance(6 * HOUR_S);
  await other.check();
  expect(names(), 'the first one still has the lock').toHaveLength(1);
  await one.stop();
  await other.check();
  expect(names()).toHaveLength(2);
});

test('stopping interrupts a backup that is being made', async () => {
  const makeBackup = (_file: string, signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  const { open, messages } = aSchedule(3, { makeBackup });
  const scheduled = open();
  const check = scheduled.check();
  await scheduled.stop();
  await check;
  expect(messages()).toEqual([]);
});

test('an outdated backup that cannot be removed is reported as such, and the others are removed', async () => {
  const stubborn = backupName(0);
  const { backups, clock, open, names, lines } = aSchedule(1, {
    files: {
      removeFile: async (name) => {
        if (name === stubborn) throw new Error('operation not permitted');
        rmSync(join(backups, name));
      },
    },
  });
  for (const name of [stubborn, backupName(1000)]) writeFileSync(join(backups, name), '');
  const made = backupName(clock.now());
  await open().check();
  expect(names()).toEqual([stubborn, made]);
  expect(lines).toMatchObject([
    { level: 30, msg: 'made a backup' },
    { level: 40, msg: 'outdated backups cannot be removed', reason: 'operation not permitted', files: 1 },
  ]);
});

test('an outdated backup that somebody else removes at the same time is no failure', async () => {
  const { backups, open, messages } = aSchedule(1, {
    makeBackup: async () => {
      rmSync(join(backups, backupName(0)));
      return { bytes: 0 };
    },
    files: { list: async () => [backupName(0), backupName(1000)] },
  });
  writeFileSync(join(backups, backupName(0)), '');
  await open().check();
  expect(messages()).toEqual(['made a backup']);
});

test.each([
  ['listing the folder', { files: { list: () => new Promise<never>(() => {}) } }],
  ['a backup that ignores being stopped', { makeBackup: () => new Promise<never>(() => {}) }],
])('%s on a disk that does not answer does not keep the service from stopping', async (_what, deps) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { open } = aSchedule(3, deps);
  const scheduled = open();
  void scheduled.check();
  const stopped = scheduled.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
});

/** What the service does with real processes, and a real database. */
async function startReal(everyMs: number) {
  const folder = temporaryFolder();
  const databaseUrl = `sqlite:${join(folder, 'rollcall.db')}`;
  await openTestStoreAt(databaseUrl);
  const owner = (await backupOwnerOf(databaseUrl)) ?? '';
  const [, program = ''] = process.argv;
  process.argv[1] = fileURLToPath(new URL('../bin/rollcall.js', import.meta.url));
  onTestFinished(() => {
    process.argv[1] = program;
  });
  const backups = { folder: join(folder, 'backups'), everyMs, keep: 1 };
  mkdirSync(backups.folder);
  const messages: string[] = [];
  const logger = pino({}, { write: (line: string) => void messages.push(JSON.parse(line).msg) });
  const start = () => {
    const running = startBackups({ databaseUrl, backups }, { now: () => Date.now() }, logger);
    onTestFinished(() => running?.stop());
  };
  return { start, messages, owner, names: () => readdirSync(backups.folder), folder: backups.folder };
}

test('with one backup a year, the first one is made at the start, of the database that the service uses', async () => {
  const { start, messages, names } = await startReal(365 * 24 * HOUR_S * 1000);
  start();
  await expect.poll(() => messages).toEqual(['made a backup']);
  expect(names()).toHaveLength(1);
});

test('what a killed backup has left is removed at the start, also if no backup is due', async () => {
  const { start, messages, owner, names, folder } = await startReal(6 * HOUR_S * 1000);
  const [recent, left] = [nameOf(Date.now(), owner), join(folder, `${backupName(0)}.unfinished-AbC123`)];
  writeFileSync(join(folder, recent), '');
  mkdirSync(left);
  for (const name of ['rollcall.lock', 'rollcall.db']) writeFileSync(join(left, name), '');
  start();
  await expect.poll(names).toEqual([recent]);
  expect(messages).toEqual([]);
});
