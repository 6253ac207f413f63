import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** Tests with several workers have two. */
const WORKERS = 2;

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** The workers that serve. The standby process is always the youngest child. */
export function workersOf(primary: number): number[] {
  return childrenOf(primary).slice(0, WORKERS);
}

/** Waits until there is a standby process. */
export async function standbyOf(primary: number): Promise<number> {
  await expect.poll(() => childrenOf(primary).length).toBe(WORKERS + 1);
  return childrenOf(primary)[WORKERS] ?? 0;
}

/** Whether a new connection to the service is answered by one of these processes. */
export async function isAnsweredBy(address: string, pids: readonly number[]): Promise<boolean> {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'data', { signal: AbortSignal.timeout(1000) });
    return holderOf(socket.localPort ?? 0, pids) !== undefined;
  } catch {
    // The worker that had accepted the connection was killed, or its replacement is not ready.
    return false;
  } finally {
    socket.destroy();
  }
}

/** Suspends a process, and kills it when the test is over. */
export function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  killAtEnd(pid);
}

export function killAtEnd(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  });
}

/** The process that holds the server's end of a local connection, found by the port of the client's end. */
export function holderOf(clientPort: number, pids: readonly number[]): number | undefined {
  const port = clientPort.toString(16).toUpperCase().padStart(4, '0');
  const connections = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  // Other programs may have connections from the same port to other servers.
  const sockets = connections
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remoteAddress]) => remoteAddress?.endsWith(`:${port}`))
    .map((columns) => `socket:[${columns[9]}]`);
  return pids.find((pid) => openFilesOf(pid).some((each) => sockets.includes(each)));
}

/** The paths of its files, and the numbers of its sockets. */
export function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((each) => {
    try {
      return [readlinkSync(`${folder}/${each}`)];
    } catch {
      // It was closed after the folder was read.
      return [];
    }
  });
}
