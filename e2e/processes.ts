import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { onTestFinished } from 'vitest';

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
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
  return pids.find((pid) => socketsOf(pid).some((each) => sockets.includes(each)));
}

function socketsOf(pid: number): string[] {
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
