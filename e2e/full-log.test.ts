import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { smallDisk } from './full-disk.ts';
import { standbyOf, workersOf } from './processes.ts';
import { Program, type Serving } from './program.ts';

/** More lines than fit into a pipe or into the rest of a page. */
const MANY = 600;

/** Sends this many requests. Each is one line of the log. */
async function ask({ production }: Serving, count: number, name: string): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const askRepeatedly = async () => {
    for (let id = ids.pop(); id; id = ids.pop()) {
      const init = { headers: { 'x-request-id': id }, signal: AbortSignal.timeout(20_000) };
      const response = await fetch(`${production}/healthz`, init);
      await response.text();
      expect(response.status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 10 }, askRepeatedly));
}

test('a log that cannot be written at all stops neither the workers nor the process that started them', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const service = await new Program({ ROLLCALL_WORKERS: '2' }).serveLoggingTo(full);
  const { pid = 0 } = service.process;
  await ask(service, MANY, 'full');
  const standby = await standbyOf(pid);
  // The primary process writes a log line about this.
  const [victim = 0] = workersOf(pid);
  process.kill(victim, 'SIGKILL');
  await expect.poll(() => workersOf(pid)).toContain(standby);
  await ask(service, MANY, 'still full');
});

test('log lines that are dropped because the disk is full are counted, and one line says how many', async (context) => {
  const disk = smallDisk(context, 1);
  const file = join(disk.folder, 'log');
  const log = openSync(file, 'a');
  onTestFinished(() => closeSync(log));
  const service = await new Program().serveLoggingTo(log);
  await ask(service, 10, 'before');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('before-0');
  disk.fill();
  await ask(service, MANY, 'full');
  disk.free();
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('lines of the log were dropped');
  await ask(service, 10, 'after');
  expect(await service.stop()).toBe(0);

  const lines = linesOf(readFileSync(file, 'utf8'));
  const drops = lines.filter(({ dropped }) => dropped !== undefined);
  expect(drops).toMatchObject([{ reason: 'ENOSPC', msg: 'lines of the log were dropped' }]);
  const of = (name: string) => lines.filter(({ request_id }) => request_id?.startsWith(`${name}-`)).length;
  expect([of('before'), of('full') + (drops[0]?.dropped ?? 0), of('after')]).toEqual([10, MANY, 10]);
});

interface Line {
  msg: string;
  request_id?: string;
  dropped?: number;
  reason?: string;
}

function linesOf(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      // This line was cut off when the disk was full, and counts as dropped.
      return [];
    }
  });
}

test.each(['1', '2'])(
  'with %s workers, the service works and can be stopped although its log is not read',
  async (workers) => {
    const program = new Program({ ROLLCALL_WORKERS: workers });
    const pipe = join(program.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDWR);
    onTestFinished(() => closeSync(reader));
    const service = await program.serveLoggingTo(reader);
    await ask(service, Number(workers) * MANY, 'unread');
    expect(await service.stop()).toBe(0);
  },
);
