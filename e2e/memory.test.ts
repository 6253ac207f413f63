import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exchange } from './api.ts';
import { childrenOf } from './processes.ts';
import { NO_RATE_LIMITS, Program } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const BIN = fileURLToPath(new URL('../packages/server/bin/rollcall.js', import.meta.url));
const WHERE = ['--account', OWNER, '--environment', 'production'];

/** The default limits in MB: of the whole process, and of Node for old objects. */
const PROCESS_MB = 512;
const HEAP_MB = 256;

/** Loaded by Node before the program. Prints the memory limit and the peak memory when the process exits. */
const REPORT = `--import=data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  import { getHeapStatistics } from 'node:v8';
  process.on('exit', () => {
    const limit = Math.round(getHeapStatistics().heap_size_limit / 2 ** 20);
    const peak = Math.round(/^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1] / 1024);
    process.stderr.write('\\nmemory ' + JSON.stringify({ limit, peak }) + '\\n');
  });`)}`;

function memoryIn(stderr: string): { limit: number; peak: number } {
  return JSON.parse(/^memory (.*)$/m.exec(stderr)?.[1] ?? 'null');
}

async function byItsName(args: string[], environment: Record<string, string>): Promise<string> {
  const child = spawn(BIN, args, { env: { PATH: process.env.PATH ?? '', ...environment } });
  const [stderr] = await Promise.all([text(child.stderr), text(child.stdout)]);
  return stderr;
}

test('Node may use a bounded amount of memory, however the program is started, and NODE_OPTIONS has the last word', async () => {
  const byNode = async (options: string) => (await new Program({ NODE_OPTIONS: options }).run(['--version'])).stderr;
  const byName = (options: string) => byItsName(['--version'], { NODE_OPTIONS: options });
  for (const start of [byNode, byName]) {
    const { limit } = memoryIn(await start(REPORT));
    expect(limit).toBeGreaterThanOrEqual(HEAP_MB);
    expect(limit).toBeLessThan(HEAP_MB + 50);
    const chosen = memoryIn(await start(`${REPORT} --max_old_space_size=600`));
    expect(chosen.limit).toBeGreaterThanOrEqual(600);
    expect(chosen.limit).toBeLessThan(650);
  }
});

/** Makes only the launcher believe that this is Windows, where `process.execve` always throws. */
const ON_WINDOWS = `--import=data:text/javascript,${encodeURIComponent(`
  const { platform } = process;
  const get = () => (new Error().stack.includes('/bin/rollcall.js') ? 'win32' : platform);
  Object.defineProperty(process, 'platform', { get });`)}`;

test('the program also starts where a process cannot be replaced', async () => {
  const { code, stdout, stderr } = await new Program({ NODE_OPTIONS: ON_WINDOWS }).run(['--version']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the memory of workers is limited, too', async () => {
  const service = await new Program({ ROLLCALL_WORKERS: '2' }).serve();
  for (const pid of childrenOf(service.process.pid ?? 0)) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).toContain(`--max-old-space-size=${HEAP_MB}`);
  }
});

test('a page cache that does not fit is refused at the start', async () => {
  const greedy = await new Program({ ROLLCALL_PAGE_CACHE_MB: '500' }).run(['serve']);
  expect(greedy.code).toBe(1);
  expect(greedy.stderr).toMatch(/ROLLCALL_PAGE_CACHE_MB may be at most 1\d\d here/);
  const rich = new Program({ ROLLCALL_PAGE_CACHE_MB: '500', NODE_OPTIONS: '--max-old-space-size=1000' });
  expect(await (await rich.serve()).stop()).toBe(0);
});

/** Not ordered by time, which takes the most memory. */
function shuffledClients(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const n = (index * 61_843) % rows;
    const time = new Date(Date.parse('2024-01-01') + n * 30_000).toISOString();
    return `c${n}@mail.example,Жанна ${n},${n % 3 ? 'individual' : 'company'},Group ${n % 200},pending,${time}`;
  });
  return ['email,client_name,client_type,group_name,request_status,created_at', ...lines].join('\n');
}

test('a hundred thousand clients are imported, exported and served to 64 connections within the default', async () => {
  const program = new Program({ ...NO_RATE_LIMITS, NODE_OPTIONS: REPORT });
  const { api_key } = (await createTestAccount(program)).key;
  const clients = 100_000;
  const file = join(program.folder, 'clients.csv');
  writeFileSync(file, shuffledClients(clients));

  for (const args of [
    ['import', file, ...WHERE],
    ['export', ...WHERE],
  ]) {
    const { code, stdout, stderr } = await program.run(args);
    expect(code, stderr).toBe(0);
    expect(memoryIn(stderr).peak, args[0]).toBeLessThan(PROCESS_MB);
    expect(stdout, args[0]).toContain(args[0] === 'export' ? 'c99999@mail.example' : '100000');
  }

  const service = await program.serve();
  const { data } = await exchange(service.production, api_key);
  const statuses = await askAtOnce(service.production, data.access_token, { connections: 64, pages: 192, of: 100 });
  expect(statuses).toEqual(new Set([200]));
  expect(await service.stop()).toBe(0);
  expect(memoryIn(service.log()).peak).toBeLessThan(PROCESS_MB);
});

/** Requests pages of a thousand clients, one after the other on each connection. */
async function askAtOnce(
  address: string,
  token: string,
  { connections, pages, of }: { connections: number; pages: number; of: number },
): Promise<Set<number | undefined>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = (page: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const path = `/api/v1/clients-list/?page_limit=1000&page_no=${1 + (page % of)}`;
      const headers = { authorization: `Bearer ${token}` };
      get(address + path, { agent, headers }, (response) => {
        response.on('end', () => resolve(response.statusCode)).resume();
      }).on('error', reject);
    });
  const statuses = await Promise.all(Array.from({ length: pages }, (_, page) => ask(page)));
  agent.destroy();
  return new Set(statuses);
}
