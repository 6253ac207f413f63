import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { TEST_SECRET_TEXT } from '../../packages/server/src/testing/test-secret.ts';
import { startNode, stop } from '../child-processes.ts';
import { USAGE_FILE, type Usage } from '../measure/report-usage.ts';
import { SCRATCH } from '../paths.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/rollcall.js', import.meta.url));
const REPORT_USAGE = new URL('../measure/report-usage.ts', import.meta.url).href;

export const ACCOUNT = 'owner@bench.example';
export const WORKSPACE = ['--account', ACCOUNT, '--environment', 'production'];

export interface CommandResult extends Usage {
  stdout: string;
  seconds: number;
}

/** Runs a command of the real program on this database. Its output goes to the descriptor `output`, or is returned. */
export async function rollcall(
  databaseUrl: string,
  args: string[],
  { output }: { output?: number } = {},
): Promise<CommandResult> {
  mkdirSync(SCRATCH, { recursive: true });
  const usageFile = join(SCRATCH, `usage-${randomUUID()}.json`);
  const start = performance.now();
  const child = startNode(['--import', REPORT_USAGE, BIN, ...args], {
    env: { ...environment(databaseUrl), [USAGE_FILE]: usageFile },
    stdio: ['ignore', output ?? 'pipe', 'pipe'],
  });
  const [stdout, stderr, code] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    text(child.stderr as Readable),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  if (code !== 0) throw new Error(`rollcall ${args[0]} exited with ${code}: ${stderr.trim()}`);
  const seconds = (performance.now() - start) / 1000;
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  rmSync(usageFile);
  return { stdout, seconds, ...usage };
}

export interface Credentials {
  /** A production API key. */
  apiKey: string;
  /** The password of the owner in the dashboard. */
  password: string;
}

/** Creates an account in a new database, with a key that may read and write. */
export async function createAccount(databaseUrl: string): Promise<Credentials> {
  const account = await rollcall(databaseUrl, ['account', 'create', '--name', 'Bench', '--email', ACCOUNT, '--json']);
  const scopes = ['--scope', 'clients:read,clients:write'];
  const key = await rollcall(databaseUrl, ['key', 'create', ...WORKSPACE, '--name', 'bench', ...scopes, '--json']);
  return {
    apiKey: (JSON.parse(key.stdout) as { api_key: string }).api_key,
    password: (JSON.parse(account.stdout) as { password: string }).password,
  };
}

export interface RunningService {
  address: string;
  /** The address of the dashboard. */
  dashboard: string;
  pid: number;
  /** The log goes to a file, as in production. It is emptied between measurements, so that it does not fill the disk. */
  emptyLog(): void;
  stop(): Promise<void>;
}

/** Starts the real service, without its sandbox, with its default settings, except for `settings`. */
export async function serve(
  name: string,
  databaseUrl: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<RunningService> {
  mkdirSync(SCRATCH, { recursive: true });
  const logFile = join(SCRATCH, `${name}.log`);
  rmSync(logFile, { force: true });
  const log = openSync(logFile, 'a');
  const child = startNode([BIN, 'serve', '--only', 'production,dashboard', '--json'], {
    cwd: SCRATCH,
    env: { ...environment(databaseUrl), ...settings },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  try {
    const { production, dashboard } = await readAddresses(child);
    return {
      address: production,
      dashboard,
      pid: child.pid ?? 0,
      emptyLog: () => truncateSync(logFile),
      stop: () => stop(child),
    };
  } catch {
    await stop(child);
    throw new Error(readFileSync(logFile, 'utf8').trim() || 'rollcall serve did not start.');
  }
}

function readAddresses(child: ChildProcess): Promise<{ production: string; dashboard: string }> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The process exited.')));
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('\n')) resolve(JSON.parse(printed));
    });
  });
}

function environment(databaseUrl: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '',
    ROLLCALL_DATABASE_URL: databaseUrl,
    ROLLCALL_PRODUCTION_PORT: '0',
    ROLLCALL_DASHBOARD_PORT: '0',
    ROLLCALL_DRAIN_SECONDS: '0',
    ROLLCALL_SECRET: TEST_SECRET_TEXT,
    ROLLCALL_TOKEN_TTL_SECONDS: '86400',
    // What is measured is the service, and not how it refuses calls.
    ROLLCALL_RATE_LIMIT_API: '0',
    ROLLCALL_RATE_LIMIT_TOKEN: '0',
    ROLLCALL_OVERLOAD: 'wait',
  };
}
