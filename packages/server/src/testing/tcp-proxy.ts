import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A URL of the same database through a proxy, which passes on what the two sockets send. `inbound` is the socket of the caller;
 * `open` connects to the database.
 */
export async function throughProxy(
  url: string,
  passOn: (inbound: Socket, open: (onConnect?: () => void) => Socket) => void,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((inbound) => {
    inbound.on('error', () => {});
    sockets.push(inbound);
    passOn(inbound, (onConnect) => {
      const outbound = connect(Number(port), hostname, onConnect);
      outbound.on('error', () => inbound.destroy());
      sockets.push(outbound);
      return outbound;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  const address = server.address();
  through.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return through.href;
}
