import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Backlog } from './backlog.ts';

/** How much of each turn of the event loop pipelined requests get. */
const TURN_MS = 2;

/**
 * Answers the requests of each connection one at a time. A caller may send its next requests before it has read the last
 * answer (pipelining), and Node passes all of them on at once. Here they wait, and nothing more is read from the
 * connection, until the kernel has taken the last byte of the previous answer.
 *
 * The queue itself is Node's: a response has no socket until it is its turn, and Node gives it one when the previous
 * answer has been taken. So a caller that does not pipeline costs one comparison.
 */
export class ConnectionQueue {
  readonly #backlog: Backlog;
  readonly #paused = new WeakMap<Socket, PausedConnection>();
  /** Calls of requests whose turn has come. */
  #ready: (() => void)[] = [];

  constructor(backlog: Backlog) {
    this.#backlog = backlog;
  }

  oneAtATime(handle: RequestListener): RequestListener {
    return (request, response) => {
      if (response.socket) handle(request, response);
      else this.#wait(request, response, handle);
    };
  }

  #wait(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    const { socket } = request;
    if (socket.destroyed) return;
    // Requests are answered in order, so this one cannot be refused before the others.
    if (!this.#backlog.hold(socket)) {
      socket.destroy();
      return;
    }
    const connection = this.#paused.get(socket) ?? new PausedConnection(socket, this.#backlog);
    this.#paused.set(socket, connection);
    connection.pause();
    response.once('socket', () => {
      connection.release(request, response);
      this.#handleSoon(() => !socket.destroyed && handle(request, response));
    });
  }

  /** After what others have sent in the meantime: a caller that pipelines gets at most one answer per turn of the event loop. */
  #handleSoon(call: () => void): void {
    if (this.#ready.push(call) === 1) setImmediate(() => this.#handleReady());
  }

  /** Only for a short time in each turn, because Node accepts few new connections in one. */
  #handleReady(): void {
    const calls = this.#ready;
    this.#ready = [];
    const until = performance.now() + TURN_MS;
    let next = 0;
    while (next < calls.length && performance.now() < until) calls[next++]?.();
    for (const call of calls.slice(next)) this.#handleSoon(call);
  }
}

/** A connection with requests that wait. Until the last of them is answered, nothing more is read from it. */
class PausedConnection {
  readonly #socket: Socket;
  readonly #backlog: Backlog;
  #isPaused = false;

  constructor(socket: Socket, backlog: Backlog) {
    this.#socket = socket;
    this.#backlog = backlog;
    // Node resumes a connection whenever one of its requests has been answered.
    socket.on('resume', () => this.#isPaused && socket.pause());
    socket.once('close', () => backlog.forget(socket));
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  /** Called when it is the request's turn. */
  release(request: IncomingMessage, response: ServerResponse): void {
    this.#backlog.release(this.#socket);
    if (this.#backlog.isHolding(this.#socket)) return;
    // The rest of an incomplete request must be read now. Otherwise reading waits for the answer: Node would take a caller
    // that has sent everything and closed its end for one that has left.
    if (!request.complete) this.#resume();
    else response.once('close', () => this.#resume());
  }

  #resume(): void {
    this.#isPaused = false;
    this.#socket.resume();
  }
}
