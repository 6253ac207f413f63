import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Failure } from './domain/failure.ts';

/** A process that is asked to stop removes what it has begun. */
const STOP_TIMEOUT_MS = 5000;

/** What `rollcall backup --json` prints. */
interface PrintedBackup {
  bytes: number;
}

export interface ProcessOptions {
  databaseUrl: string;
  signal: AbortSignal;
  timeoutMs: number;
}

/** Runs `rollcall backup` as a process of its own, which has a lower priority, and cannot take memory from the service. */
export async function runBackup(file: string, options: ProcessOptions): Promise<PrintedBackup> {
  return JSON.parse(await runProgram(['backup', file, '--json'], options));
}

/** Removes what killed backups have left in a folder. In a process, too: the disk may not answer, and locks cannot be tried otherwise. */
export async function removeLeftovers(folder: string, options: ProcessOptions): Promise<void> {
  await runProgram(['backup', join(folder, 'none'), '--remove-leftovers'], options);
}

/** Returns what the program has printed. */
async function runProgram(args: string[], { databaseUrl, signal, timeoutMs }: ProcessOptions): Promise<string> {
  const [, program = ''] = process.argv;
  // With a channel, it notices when this process ends.
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // It reads `.env` again, which may name another database by now.
    // biome-ignore lint/style/noProcessEnv: the process gets all variables of this one
    env: { ...process.env, ROLLCALL_DATABASE_URL: databaseUrl },
  });
  const stop = () => stopWithin(child, STOP_TIMEOUT_MS);
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop);
  try {
    const [code, stdout, stderr] = await Promise.all([exitOf(child), textOf(child.stdout), textOf(child.stderr)]);
    if (code === 0) return stdout;
    const reason = stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^rollcall: /, '');
    throw new Failure('unavailable', reason || `The process that makes the backup has exited with ${code}.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The exit code, or the signal that ended it. */
function exitOf(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream ? text(stream) : '';
}

function stopWithin(child: ChildProcess, timeoutMs: number): void {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  child.once('exit', () => clearTimeout(timer));
}
