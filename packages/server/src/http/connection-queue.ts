import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Backlog } from './backlog.ts';
import type { Lifecycle } from './lifecycle.ts';

/** How much of each turn of the event loop pipelined requests get. */
const TURN_MS = 2;

/** As much as Node reads at once. When it reads less, there was no more. */
const READ_BYTES = 64 * 1024;

/**
 * Answers the requests of each connection one at a time. A caller may send its next requests before it has read the last
 * answer (pipelining), and Node passes all of them on at once. Here they wait, and nothing more is read from the
 * connection, until the kernel has taken the last byte of the previous answer.
 *
 * The queue itself is Node's: a response has no socket until it is its turn, and Node gives it one when the previous
 * answer has been taken. So a caller that does not pipeline costs one comparison.
 */
export class ConnectionQueue {
  readonly #deps: PausedConnectionDeps;
  readonly #paused = new WeakMap<Socket, PausedConnection>();
  /** Calls of requests whose turn has come. */
  #ready: (() => void)[] = [];
  #readingOn = 0;

  /** `beforeReadingOn` is called before a connection is read to see whether its caller has sent more requests. */
  constructor(backlog: Backlog, lifecycle: Lifecycle, beforeReadingOn: () => void) {
    this.#deps = { backlog, lifecycle, beforeReadingOn, readOn: (socket) => this.#readOn(socket) };
  }

  /** Whether a connection is being read again, and its caller may have sent requests meanwhile. */
  get isReadingOn(): boolean {
    return this.#readingOn > 0;
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
    if (!this.#deps.backlog.hold(socket)) {
      socket.destroy();
      return;
    }
    const connection = this.#paused.get(socket) ?? new PausedConnection(socket, this.#deps);
    this.#paused.set(socket, connection);
    connection.pause();
    response.once('socket', () => {
      const answer = () => this.#handleSoon(() => !socket.destroyed && handle(request, response));
      const readFirst = connection.release(request, response);
      if (readFirst) void readFirst.then(answer);
      else answer();
    });
  }

  /** Resolves when what had arrived on the connection has been read. */
  async #readOn(socket: Socket): Promise<void> {
    this.#readingOn++;
    socket.resume();
    // The first turn may end before anything is read.
    await turnOfTheLoop();
    await turnOfTheLoop();
    this.#readingOn--;
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

interface PausedConnectionDeps {
  backlog: Backlog;
  lifecycle: Lifecycle;
  beforeReadingOn(): void;
  readOn(socket: Socket): Promise<void>;
}

/** A connection with requests that wait. Until the last of them is answered, nothing more is read from it. */
class PausedConnection {
  readonly #socket: Socket;
  readonly #deps: PausedConnectionDeps;
  #isPaused = false;
  /** Whether all requests that had arrived when the stop began have been read. */
  #hasReadAll = false;

  constructor(socket: Socket, deps: PausedConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    // Node resumes a connection whenever one of its requests has been answered.
    socket.on('resume', () => this.#isPaused && socket.pause());
    socket.once('close', () => deps.backlog.forget(socket));
  }

  pause(): void {
    this.#isPaused = true;
    this.#deps.backlog.setUnread(this.#socket, !this.#hasReadAll);
    this.#socket.pause();
  }

  /** Called when it is the request's turn. If it returns a promise, the request is answered when that resolves. */
  release(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const { backlog, lifecycle } = this.#deps;
    backlog.release(this.#socket);
    if (backlog.isHolding(this.#socket)) return undefined;
    // The rest of an incomplete request must be read now. Otherwise reading waits for the answer: Node would take a caller
    // that has sent everything and closed its end for one that has left.
    if (!request.complete) void this.#resume();
    else if (lifecycle.stopping && !this.#hasReadAll) return this.#readAll(response);
    else response.once('close', () => void this.#resume());
    return undefined;
  }

  /**
   * Reads what the caller has sent before the stop, which an answer that ends the connection would lose. Requests that arrive
   * later are not waited for: a caller that always has some under way would never leave.
   */
  async #readAll(response: ServerResponse): Promise<void> {
    const { backlog, lifecycle, beforeReadingOn } = this.#deps;
    await lifecycle.closing;
    beforeReadingOn();
    const before = this.#socket.bytesRead;
    await this.#resume();
    this.#hasReadAll = this.#socket.bytesRead - before < READ_BYTES;
    if (this.#socket.destroyed) return;
    this.pause();
    if (backlog.isHolding(this.#socket)) return;
    response.once('close', () => void this.#resume());
  }

  #resume(): Promise<void> {
    this.#isPaused = false;
    this.#deps.backlog.setUnread(this.#socket, false);
    return this.#deps.readOn(this.#socket);
  }
}
