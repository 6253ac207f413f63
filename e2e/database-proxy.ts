import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface DatabaseProxy {
  port: number;
  /** From now on it leads to another server. All connections are closed. */
  moveTo(url: string): void;
  /** Everything that either side sends arrives this much later. */
  delay(ms: number): void;
  /** Everything that either side sends is dropped, on present and new connections, and nobody is told. */
  cutOff(): void;
  /** New connections work again. Those that were cut off stay silent for ever, as behind a firewall that has forgotten them. */
  restore(): void;
}

/** One direction of a connection. */
interface Line {
  isCut: boolean;
}

/** An address in front of a database server, whose network the test controls. */
export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  let port = portOf(url);
  let delayMs = 0;
  let isCut = false;
  const sockets = new Set<Socket>();
  const lines = new Set<Line>();
  const forward = (from: Socket, to: Socket) => {
    const line: Line = { isCut };
    sockets.add(from);
    lines.add(line);
    const later = (send: () => void) => {
      if (!line.isCut) setTimeout(() => line.isCut || send(), delayMs);
    };
    from.on('data', (chunk) => later(() => to.write(chunk)));
    from.on('error', () => later(() => to.destroy()));
    from.on('close', () => {
      sockets.delete(from);
      later(() => to.destroy());
    });
  };
  const server = createServer((inbound) => {
    if (isCut) {
      sockets.add(inbound.resume().on('error', () => {}));
      return;
    }
    const outbound = connect(port, '127.0.0.1');
    forward(inbound, outbound);
    forward(outbound, inbound);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    moveTo: (target) => {
      port = portOf(target);
      for (const socket of sockets) socket.destroy();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    cutOff: () => {
      isCut = true;
      for (const line of lines) line.isCut = true;
    },
    restore: () => {
      isCut = false;
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
