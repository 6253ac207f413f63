// Sends requests to a service from a process of its own, and prints what came back. Started by `load-process.ts`.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  address: string;
  token: string;
  /** Requests per second, sent when they are due, whether earlier ones were answered or not. Without it, every connection sends its next request when it has an answer. */
  perSecond?: number;
  seconds: number;
  connections: number;
  pageLimit: number;
  pages: number;
}

export interface Answered {
  /** Since the beginning, when the request was due. */
  dueMs: number;
  tookMs: number;
  status: number;
}

const options: LoadOptions = JSON.parse(process.argv[2] ?? '');
const { hostname, port, host } = new URL(options.address);
const answers: Answered[] = [];
const free: Connection[] = [];
const due: number[] = [];

/** A connection with at most one request under way. It reads no more of an answer than its status and its length. */
class Connection {
  readonly #socket: Socket;
  #dueMs = 0;
  #head = '';
  #status = 0;
  #bytesLeft = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).on('data', (data: Buffer) => this.#read(data));
    socket.on('error', (error) => {
      throw error;
    });
  }

  send(dueMs: number): void {
    this.#dueMs = dueMs;
    const page = 1 + Math.floor(Math.random() * options.pages);
    this.#socket.write(
      `GET /api/v1/clients-list/?page_limit=${options.pageLimit}&page_no=${page} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${options.token}\r\n\r\n`,
    );
  }

  #read(data: Buffer): void {
    if (this.#status !== 0) {
      this.#bytesLeft -= data.length;
    } else {
      this.#head += data.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.#status = Number(this.#head.slice(9, 12));
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, end))?.[1]);
      this.#bytesLeft = length - (this.#head.length - end - 4);
    }
    if (this.#bytesLeft <= 0) this.#finish();
  }

  #finish(): void {
    answers.push({ dueMs: this.#dueMs, tookMs: elapsedMs() - this.#dueMs, status: this.#status });
    this.#head = '';
    this.#status = 0;
    onFree(this);
  }
}

const sockets = Array.from({ length: options.connections }, () => connect(Number(port), hostname));
await Promise.all(sockets.map((socket) => once(socket, 'connect')));
const startedAt = performance.now();
const elapsedMs = () => performance.now() - startedAt;
const isOver = () => elapsedMs() > options.seconds * 1000;
for (const socket of sockets) onFree(new Connection(socket));
if (options.perSecond !== undefined) sendWhenDue(options.perSecond);
setTimeout(report, options.seconds * 1000 + 3000);

function onFree(connection: Connection): void {
  if (options.perSecond === undefined) {
    if (!isOver()) connection.send(elapsedMs());
    return;
  }
  const next = due.shift();
  if (next === undefined) free.push(connection);
  else connection.send(next);
}

function sendWhenDue(perSecond: number, sent = 0): void {
  if (isOver()) return;
  const until = (elapsedMs() / 1000) * perSecond;
  for (; sent < until; sent++) {
    const dueMs = (sent / perSecond) * 1000;
    const connection = free.pop();
    if (connection) connection.send(dueMs);
    else due.push(dueMs);
  }
  setTimeout(() => sendWhenDue(perSecond, sent), 1);
}

/** Those that are still waiting for a connection were never sent, because the service is slower than the generator may wait. */
function report(): void {
  const text = JSON.stringify({ unsent: due.length, answers });
  process.stdout.write(text, () => process.exit(0));
}
