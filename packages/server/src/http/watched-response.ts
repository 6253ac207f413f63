import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Backlog } from './backlog.ts';

/**
 * A response class that notices when its caller does not take an answer immediately. That is rare, and all other answers pay
 * for one comparison. Setting a timeout for every answer would cost about three percent of a page from the cache.
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

/** Holds until Node sets the timeout of idle connections, after the answer. */
function watch(socket: Socket, timeoutMs: number): void {
  if (socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
}

/**
 * Ends connections whose caller has stopped reading. A connection that has nothing to write is left alone, because more of
 * its answer is still being produced. A timeout of another length is Node's own, for an idle connection.
 */
export function closeStalledConnections(server: Server, timeoutMs: number): void {
  server.on('timeout', (socket: Socket) => {
    if (socket.timeout !== timeoutMs) endIfIdle(socket);
    else if (socket.writableLength > 0) socket.destroy();
  });
}

/** After a busy moment, a request may have arrived that is read only now, and would be lost with the connection. */
function endIfIdle(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}
