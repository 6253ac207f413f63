import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ConsoleSession } from './console-session.ts';
import { childrenOf, freeze, killAtEnd, workersOf } from './processes.ts';
import { BIN, Program } from './program.ts';
import { createTestAccount, OWNER, PASSWORD, withStore } from './test-account.ts';

async function serveWithClients(workers: string) {
  const program = new Program({ ROLLCALL_WORKERS: workers });
  await createTestAccount(program, { clients: 50 });
  const service = await program.serve();
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  const client = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_name: 'Dashboard' };
  expect(await session.send('POST', '/console/production/clients', client)).toMatchObject({ status: 200 });
  return { program, service };
}

const filesOf = ({ folder }: Program) => readdirSync(join(folder, 'data'));

/** The database file alone, copied to another installation, must be complete. */
async function expectComplete({ folder }: Program, clients: number): Promise<void> {
  const elsewhere = new Program({ ROLLCALL_DATABASE_URL: 'sqlite:copy.db' });
  copyFileSync(join(folder, 'data', 'rollcall.db'), join(elsewhere.folder, 'copy.db'));
  const report = await withStore(elsewhere, (store) => store.checkConsistency());
  expect(report).toMatchObject({ problems: [], checked: { clients } });
}

test.each([
  ['1', 'SIGTERM'],
  ['1', 'SIGINT'],
  ['2', 'SIGTERM'],
  ['2', 'SIGINT'],
] as const)('with %s workers, after %s everything is in the one file', async (workers, signal) => {
  const { program, service } = await serveWithClients(workers);
  expect(await service.stop(signal)).toBe(0);
  expect(filesOf(program)).toEqual(['rollcall.db', 'rollcall.secret']);
  await expectComplete(program, 51);
});

test('a service that `npm start` has started in a shell stops with that shell, and everything is in the one file', async () => {
  const program = new Program({ npm_lifecycle_event: 'start', rollcall: `${process.execPath} ${BIN}` });
  const options = { cwd: program.folder, env: program.environment };
  // Another command after it keeps every shell from becoming the program itself.
  const shell = spawn('sh', ['-c', '$rollcall serve --json; true'], options);
  killAtEnd(shell.pid ?? 0);
  const [output] = await once(shell.stdout, 'data');
  for (const service of childrenOf(shell.pid ?? 0)) killAtEnd(service);
  const { production } = JSON.parse(output);
  const isServing = () =>
    fetch(`${production}/healthz`).then(
      () => true,
      () => false,
    );
  expect(await isServing()).toBe(true);
  shell.kill('SIGTERM');
  await expect.poll(isServing).toBe(false);
  await expect.poll(() => filesOf(program)).toEqual(['rollcall.db', 'rollcall.secret']);
});

test('a worker that does not stop is killed, and everything is still in the one file', async () => {
  const { program, service } = await serveWithClients('2');
  const [frozen = 0] = workersOf(service.process.pid ?? 0);
  freeze(frozen);
  expect(await service.stop()).toBe(1);
  expect(service.log()).toContain(`rollcall: Workers that did not stop in time were killed: ${frozen}.\n`);
  expect(filesOf(program)).toEqual(['rollcall.db', 'rollcall.secret']);
  await expectComplete(program, 51);
});

test('after a second signal, it does not wait for requests in flight, and everything is still in the one file', async () => {
  const { program, service } = await serveWithClients('1');
  await unfinishedRequest(service.dashboard);
  service.process.kill('SIGTERM');
  await sleep(1500);
  expect(await service.stop()).toBe(1);
  expect(service.log()).toContain(
    'rollcall: The service was asked to stop a second time; requests in flight were cut off.\n',
  );
  expect(filesOf(program)).toEqual(['rollcall.db', 'rollcall.secret']);
  await expectComplete(program, 51);
});

test('a signal that arrives while workers start stops the service, and leaves no other files', async () => {
  const program = new Program({ ROLLCALL_WORKERS: '2' });
  const { pid, kill, exited } = program.start(['serve']);
  await expect.poll(() => childrenOf(pid).length, { timeout: 20_000 }).toBeGreaterThan(0);
  kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(filesOf(program)).toEqual(['rollcall.db', 'rollcall.secret']);
});

test('an uncaught error stops the service gracefully and is reported as the reason', () => {
  const script = `
    import { StopRequests } from ${JSON.stringify(new URL('../packages/server/src/cli/serving/stop.ts', import.meta.url).href)};
    const requests = new StopRequests();
    setTimeout(() => { throw new Error('planted'); });
    const service = { addresses: {}, drain: () => {}, stop: async () => console.log('stopped') };
    await requests.serve(service, 0).catch((error) => console.log('failed:', error.message));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(output).toBe('stopped\nfailed: planted\n');
});

/** Resolves once the service has begun to read it. */
async function unfinishedRequest(address: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = `POST /console/session HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${address}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`);
  await once(socket, 'data');
  socket.write('{');
}
