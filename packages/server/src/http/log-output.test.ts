import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/test-store.ts';

const OUTPUT = new URL('log-output.ts', import.meta.url).href;

/** Logs a number of lines, and then the lines of its input until that ends. */
const PROGRAM = `
  import { LogOutput } from '${OUTPUT}';
  const output = new LogOutput();
  process.once('exit', () => output.flushNow());
  const say = (name, count) => {
    for (let each = 0; each < count; each++) output.write('{"said":"' + name + '-' + each + '"}\\n');
  };
  process.stdin.on('data', (chunk) => {
    const [name, count] = String(chunk).trim().split(' ');
    if (name === 'fail') throw new Error('planted');
    say(name, Number(count));
    process.stdout.write('said\\n');
  });
  process.stdin.on('end', async () => { await output.close(); });`;

/** A process whose stderr is a pipe that is not being read yet. */
function startUnread() {
  const pipe = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Opened for each: whether a read or a write may wait is shared by all who have the same opening of it.
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  onTestFinished(() => [reader, writer].forEach(closeSync));
  const stdio: ['pipe', 'pipe', number] = ['pipe', 'pipe', writer];
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio });
  if (!child.stdin || !child.stdout) throw new Error('no way to talk to it');
  const { stdin, stdout } = child;
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let text = '';
  const buffer = Buffer.alloc(64 * 1024);
  return {
    say: async (what: string) => {
      stdin.write(`${what}\n`);
      await once(stdout, 'data');
    },
    fail: async () => {
      stdin.write('fail\n');
      return exited;
    },
    end: async () => {
      stdin.end();
      return exited;
    },
    /** Everything that has been read so far, including what can be read now. */
    read: () => {
      try {
        for (let bytes = 1; bytes > 0; text += buffer.toString('utf8', 0, bytes)) bytes = readSync(reader, buffer);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
      return text;
    },
  };
}

test('when the reader has stopped reading, lines beyond the limit are dropped and counted', async () => {
  const { say, end, read } = startUnread();
  const said = 200_000;
  await say(`unread ${said}`);
  await expect.poll(() => read().includes('were dropped')).toBe(true);
  await say('again 2');
  await expect.poll(() => read().includes('again-1')).toBe(true);
  await end();
  const lines = read().trim().split('\n');
  const [notice, ...others] = lines.map((line) => JSON.parse(line)).filter(({ said }) => said === undefined);
  expect(notice).toMatchObject({ level: 40, reason: 'nobody reads it' });
  expect(others).toEqual([]);
  const kept = lines.filter((line) => line.includes('"unread-'));
  expect(kept.length + notice.dropped).toBe(said);
  expect(kept.join('\n').length).toBeLessThan(1.5 * 1024 * 1024);
});

test('the process ends although its log is not being read, and its last lines arrive if it is', async () => {
  const unread = startUnread();
  await unread.say('unread 200000');
  expect(await unread.end()).toEqual([0, null]);

  const readAgain = startUnread();
  await readAgain.say('lost 200000');
  await expect.poll(() => readAgain.read().includes('were dropped')).toBe(true);
  await readAgain.say('caught-up 1');
  await expect.poll(() => readAgain.read().includes('caught-up-0')).toBe(true);
  await readAgain.say('last 1');
  await readAgain.fail();
  expect(readAgain.read().includes('{"said":"last-0"}\n')).toBe(true);
});
