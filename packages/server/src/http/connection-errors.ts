import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HeaderList } from './answer.ts';
import { asRecord } from './common-headers.ts';
import { failureBody, JSON_TYPE } from './envelope.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

const PARSER_FAILURES: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large, or the address is too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request body too large: its chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timeout: the request did not arrive in time.'],
};

/** Answers in the envelope what Node's HTTP parser refused before there was a request. */
export function parserErrorAnswerer(common: HeaderList): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    const [status, message] = PARSER_FAILURES[error.code ?? ''] ?? [400, 'Bad request: it is not well-formed HTTP.'];
    answerOnSocket(socket, status, message, common);
  };
}

/** The requests that Node would otherwise answer itself, or hang up on, without the envelope. */
export function answerInEnvelope(server: Server, common: HeaderList): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(failureBody(417, 'Expectation failed: only `Expect: 100-continue` is understood.'));
    response.writeHead(417, [...headersFor(body), ...common]).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const headers = ['Allow', 'GET, HEAD, POST, OPTIONS', ...common];
    answerOnSocket(socket, 405, 'Method not allowed: this is not a proxy.', headers);
  });
}

function answerOnSocket(socket: Duplex, status: number, message: string, more: HeaderList): void {
  // A second error on a connection that was already answered must not write into the first answer.
  if (!socket.writable || socket.writableEnded) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(failureBody(status, message));
  const headers = asRecord([...headersFor(body), 'Connection', 'close', ...more]);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function headersFor(body: string): string[] {
  const length = String(Buffer.byteLength(body));
  return ['Content-Type', JSON_TYPE, 'Content-Length', length, REQUEST_ID_HEADER, randomUUID()];
}
