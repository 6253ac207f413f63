import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Sends bytes as they are, for requests that no HTTP library would send. */
export function rawRequest(address: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const answer = complete(Buffer.concat(chunks).toString());
      if (answer) {
        resolve(answer);
        socket.destroy();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${Buffer.concat(chunks).length} bytes`)));
  });
}

function complete(text: string): RawAnswer | undefined {
  const [head, body = ''] = text.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head ?? '')?.[1];
  if (head === undefined || length === undefined || Buffer.byteLength(body) < Number(length)) return undefined;
  return { status: Number(head.split(' ')[1]), head, body };
}
