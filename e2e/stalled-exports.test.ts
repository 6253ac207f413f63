import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childrenOf } from './processes.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount, OWNER, PASSWORD } from './test-account.ts';

const SOCKETS = 150;
const MB = 1024 * 1024;

async function signIn({ dashboard }: Serving): Promise<string> {
  const answer = await fetch(`${dashboard}/console/session`, {
    method: 'POST',
    headers: { origin: dashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Requests an export of all clients and reads only the head of the response. Returns the status. */
function askAndStall({ dashboard }: Serving, cookie: string): Promise<number> {
  const { hostname, port, host } = new URL(dashboard);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = ['POST /console/sandbox/clients.csv HTTP/1.1', `Host: ${host}`, `Origin: ${dashboard}`];
  socket.write(`${[...head, `Cookie: ${cookie}`, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('data', (chunk) => {
      socket.pause();
      resolve(Number(chunk.toString().split(' ')[1]));
    });
    socket.once('error', reject);
  });
}

function memoryOf(pid: number): number {
  const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  return childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), own);
}

test('150 exports that are not read take little memory, delay no other caller, and leave a short log behind', async () => {
  const program = new Program();
  const where = ['--account', OWNER, '--environment', 'sandbox'];
  await createTestAccount(program, { environment: 'sandbox', clients: 40_000, groups: 3 });
  const service = await program.serve();
  const pid = service.process.pid ?? 0;
  const cookie = await signIn(service);
  const before = memoryOf(pid);

  const statuses = await Promise.all(Array.from({ length: SOCKETS }, () => askAndStall(service, cookie)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 429)).toHaveLength(SOCKETS - 2);
  const grown = memoryOf(pid) - before;
  expect(grown / MB).toBeLessThan(250);
  expect((await fetch(`${service.sandbox}/readyz`)).status).toBe(200);

  // Writes stay in the log as long as a snapshot from before them is open.
  const log = join(program.folder, 'data', 'rollcall.db-wal');
  await program.json(['sample', ...where, '--clients', '10000', '--groups', '3', '--seed', '2']);
  const longest = statSync(log).size;
  expect(longest / MB).toBeGreaterThan(4);
  await expect.poll(() => statSync(log).size / MB, { timeout: 120_000, interval: 500 }).toBeLessThan(4);
  expect((await fetch(`${service.sandbox}/readyz`)).status).toBe(200);
});
