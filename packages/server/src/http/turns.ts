import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Backlog } from './backlog.ts';

/**
 * Gives every connection one answer at a time. A caller may send its next requests before it has read the last answer
 * (pipelining), and Node hands all of them over at once. Here they wait, and nothing more is read from the connection,
 * until the kernel has taken the last byte of the answer before.
 *
 * The waiting line is Node's own: a response has no socket until it is its turn, and Node gives it one when the answer
 * before it has been taken. So a caller that does not pipeline costs one comparison.
 */
export class Turns {
  readonly #backlog: Backlog;
  readonly #lines = new WeakMap<Socket, Line>();

  constructor(backlog: Backlog) {
    this.#backlog = backlog;
  }

  inTurn(handle: RequestListener): RequestListener {
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
    const line = this.#lines.get(socket) ?? new Line(socket, this.#backlog);
    this.#lines.set(socket, line);
    line.pause();
    response.once('socket', () => {
      line.leave(request, response);
      // After what others have sent meanwhile: a caller that pipelines gets no more than one answer a turn of the event loop.
      setImmediate(() => !socket.destroyed && handle(request, response));
    });
  }
}

/** The requests of one connection that wait. Until the last of them is answered, nothing more is read from it. */
class Line {
  readonly #socket: Socket;
  readonly #backlog: Backlog;
  #isPaused = false;

  constructor(socket: Socket, backlog: Backlog) {
    this.#socket = socket;
    this.#backlog = backlog;
    // Node lets a connection flow again whenever a request has been answered.
    socket.on('resume', () => this.#isPaused && socket.pause());
    socket.once('close', () => backlog.forget(socket));
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  leave(request: IncomingMessage, response: ServerResponse): void {
    this.#backlog.letGo(this.#socket);
    if (this.#backlog.isHolding(this.#socket)) return;
    // The rest of its body is still to be read. Otherwise not even the end is looked for before the answer is written:
    // Node would take a caller that has sent everything for one that is gone.
    if (!request.complete) this.#flow();
    else response.once('close', () => this.#flow());
  }

  #flow(): void {
    this.#isPaused = false;
    this.#socket.resume();
  }
}
