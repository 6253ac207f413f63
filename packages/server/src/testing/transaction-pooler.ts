import { createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

const SSL_REQUEST = 80_877_103;
const TERMINATE = 'X';
const READY = 'Z';
const IDLE = 'I';

/** The minimal answer that lets a client connect: no password needed, ready for queries. */
const WELCOME = Buffer.concat([message('R', [0, 0, 0, 0]), message(READY, [IDLE.charCodeAt(0)])]);

/**
 * Starts a pooler that assigns a few server connections to its clients for one transaction at a time, and returns its URL. It
 * does not reset sessions: prepared statements and `listen` stay on the connection on which they were made.
 */
export async function openTransactionPooler(databaseUrl: string, connections = 2): Promise<string> {
  const servers: ServerLink[] = [];
  for (let each = 0; each < connections; each++) servers.push(await ServerLink.open(databaseUrl));
  const waiting: ((link: ServerLink) => void)[] = [];
  const free = [...servers];
  const release = (link: ServerLink) => {
    const next = waiting.shift();
    if (next) next(link);
    else free.push(link);
  };
  /** Takes the connection that has been free for the longest time, so that a client uses all of them. */
  const take = () => {
    const link = free.shift();
    return link ? Promise.resolve(link) : new Promise<ServerLink>((resolve) => waiting.push(resolve));
  };

  const clients = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    clients.add(socket);
    socket.on('error', () => socket.destroy());
    serveClient(socket, take, release);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of clients) socket.destroy();
    for (const link of servers) link.close();
    server.close();
  });
  const address = new URL(databaseUrl);
  const bound = server.address();
  address.host = `127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
  return address.href;
}

function serveClient(socket: Socket, take: () => Promise<ServerLink>, release: (link: ServerLink) => void): void {
  let isIn = false;
  let link: Promise<ServerLink> | undefined;
  socket.on('data', (chunk: Buffer) => {
    if (!isIn) {
      isIn = chunk.readInt32BE(4) !== SSL_REQUEST;
      socket.write(isIn ? WELCOME : 'N');
      return;
    }
    if (!link && chunk.toString('latin1', 0, 1) === TERMINATE) return;
    link ??= take().then((taken) => {
      taken.serve(socket, () => {
        link = undefined;
        release(taken);
      });
      return taken;
    });
    link.then((taken) => taken.send(chunk));
  });
}

/** A connection to the server that serves one client until the server is ready for another transaction. */
class ServerLink {
  readonly #stream: Socket;
  #received = Buffer.alloc(0);
  #client: Socket | undefined;
  #done: () => void = () => {};

  private constructor(stream: Socket) {
    this.#stream = stream;
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', () => this.close());
  }

  static async open(databaseUrl: string): Promise<ServerLink> {
    const client = new Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    const { connection } = client as unknown as { connection: { stream: Socket } };
    return new ServerLink(connection.stream);
  }

  serve(client: Socket, done: () => void): void {
    this.#client = client;
    this.#done = done;
  }

  send(chunk: Buffer): void {
    this.#stream.write(chunk);
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Messages that arrive while no client is served, such as notifications, are dropped. */
  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 5) {
      const length = 1 + this.#received.readInt32BE(1);
      if (this.#received.length < length) return;
      const whole = this.#received.subarray(0, length);
      this.#received = this.#received.subarray(length);
      this.#client?.write(whole);
      if (whole.toString('latin1', 0, 1) !== READY || whole.toString('latin1', 5, 6) !== IDLE) continue;
      this.#client = undefined;
      this.#done();
    }
  }
}

function message(type: string, body: number[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}
