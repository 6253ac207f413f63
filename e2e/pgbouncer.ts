import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';
import type { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { freePort } from './free-port.ts';

/** Starts PgBouncer with these settings and its defaults otherwise. Returns its port. */
export async function startPgBouncer(
  { skip }: TestContext,
  server: PostgresServer,
  settings: Record<string, string>,
): Promise<number> {
  if (spawnSync('pgbouncer', ['--version']).error) skip('PgBouncer is not installed here');
  const { port, username, password } = new URL(server.url());
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-pgbouncer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const listenPort = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users'),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`);
  // PgBouncer refuses to run as root, and only needs to read these two files.
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const bouncer = spawn('pgbouncer', ['-q', ...asNobody, join(folder, 'ini')], { stdio: 'ignore' });
  onTestFinished(() => void bouncer.kill('SIGKILL'));
  await expect.poll(() => canConnect(listenPort), { timeout: 10_000 }).toBe(true);
  return listenPort;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
