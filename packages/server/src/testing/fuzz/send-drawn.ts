import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface DrawnAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Keeps connections open, so that what one request leaves behind would disturb the next one. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends what `fetch` refuses to send or corrects: a GET with a body, `..` in a path, an address that is encoded wrongly. */
export function sendDrawn(
  address: string,
  path: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: unknown },
): Promise<DrawnAnswer> {
  const { hostname, port } = new URL(address);
  const bytes = body === undefined ? undefined : bytesOf(body);
  const length = bytes && { 'content-length': String(bytes.byteLength) };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, path, method, headers: { ...length, ...headers }, timeout: 60_000 });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: decoded(Buffer.concat(chunks), response.headers['content-encoding']).toString(),
        }),
      );
    });
    sent.end(bytes);
  });
}

const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0 || coding === undefined) return bytes;
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}
