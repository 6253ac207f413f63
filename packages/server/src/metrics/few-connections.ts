import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps a server at this number of connections by closing the one that has been idle for the longest, so that whoever holds
 * connections open without using them locks nobody out. A new one is refused only while all others are being answered.
 */
export function keepFewConnections(server: Server, maximum: number): void {
  const open = new Set<Socket>();
  /** Those without a request, the one that was used last at the end. */
  const idle = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= maximum) return;
    const [longestIdle = socket] = idle;
    forget(longestIdle);
    longestIdle.destroy();
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
}
