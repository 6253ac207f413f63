import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Requests for many large pages, never one that is cached. */
export function manyRequests(address: string, token: string, count: number): string {
  const { host } = new URL(address);
  const request = (_: unknown, index: number) =>
    `GET /api/v1/clients-list/?page_limit=${1000 - (index % 120)} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return Array.from({ length: count }, request).join('');
}

/** Opens connections that each send such requests and read no response. */
export function flood(address: string, token: string, { connections = 60, requests = 120 } = {}): Socket[] {
  const { hostname, port } = new URL(address);
  const pipeline = manyRequests(address, token, requests);
  return Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(pipeline);
    return socket;
  });
}

/** The resident memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
