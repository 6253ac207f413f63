import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Backlog } from './backlog.ts';

/**
 * Responses that notice when their caller does not take them at once, which is rare: all others pay for a comparison.
 * A timeout that is set for every answer would cost some three percent of a page from the cache.
 */
export function watchedResponse(backlog: Backlog, timeoutMs: number): typeof ServerResponse<IncomingMessage> {
  return class WatchedResponse extends ServerResponse<IncomingMessage> {
    override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
      const isTaken = super.write(chunk, encoding as BufferEncoding, callback as () => void);
      if (!isTaken) watch(this.req.socket, timeoutMs);
      return isTaken;
    }

    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      super.end(chunk, encoding as BufferEncoding, callback as () => void);
      if (this.writableLength > 0 && !this.destroyed) {
        backlog.addUnsent(this);
        watch(this.req.socket, timeoutMs);
      }
      return this;
    }
  };
}

/** Until Node sets the time for idle connections, after the answer. */
function watch(socket: Socket, timeoutMs: number): void {
  if (socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
}

/**
 * Ends connections whose caller has stopped reading. Nothing to write means that more is still being made. With another
 * time, Node tells us of an idle connection.
 */
export function hangUpOnStalled(server: Server, timeoutMs: number): void {
  server.on('timeout', (socket: Socket) => {
    if (socket.timeout !== timeoutMs || socket.writableLength > 0) socket.destroy();
  });
}
