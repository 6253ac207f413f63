import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from './answer.ts';
import { failureBody } from './envelope.ts';
import { asRecord, type HeaderList } from './header-list.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const PARSER_FAILURES: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large, or the address is too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request body too large: its chunk extensions are too long.'],
  [REQUEST_TIMEOUT]: [408, 'Request timeout: the request did not arrive in time.'],
};

const STALLED_MS = 30_000;

/** How long a refused caller has to read the refusal before its connection is closed. */
const LINGER_MS = 1000;

/** Answers, in the envelope, what Node's HTTP parser refused before there was a request. */
export function parserErrorAnswerer(common: HeaderList): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    const current = currentResponse(socket);
    // The next request on the connection is late because we have not read it yet, or it may wait until this one is answered.
    if (error.code === REQUEST_TIMEOUT && current?.req.complete) return;
    const isSecond = refused.has(socket);
    // A second error on a connection that was already answered must not write into the first answer.
    if (!socket.writable || (isSecond && !current)) socket.destroy();
    if (socket.destroyed || isSecond) return;
    refused.add(socket);
    const [status, message] = PARSER_FAILURES[error.code ?? ''] ?? [400, 'Bad request: it is not well-formed HTTP.'];
    afterAnswers(socket, () => answerOnSocket(socket, status, message, common));
  };
}

/** Refuses an `Expect` header other than `100-continue`, which Node itself would answer without the envelope. */
export function expectationRefuser(common: HeaderList): RequestListener {
  return (_request, response) => {
    const body = JSON.stringify(failureBody(417, 'Expectation failed: only `Expect: 100-continue` is understood.'));
    response.writeHead(417, [...headersFor(body), ...common]).end(body);
  };
}

/** Refuses CONNECT, on which Node itself would close the connection. `stream` is the connection, or the rest of it behind a body. */
export function connectRefuser(common: HeaderList): (request: IncomingMessage, stream: Duplex) => void {
  const headers = ['Allow', 'GET, HEAD, POST, OPTIONS', ...common];
  return ({ socket }, stream) => {
    // Node no longer watches this connection, so a caller that has stopped reading or has left must be noticed here. An error of
    // the connection would otherwise end the process.
    socket.setTimeout(STALLED_MS, () => socket.destroy());
    for (const each of new Set([socket, stream])) each.on('error', () => socket.destroy());
    afterAnswers(socket, () => {
      answerOnSocket(stream, 405, 'Method not allowed: this is not a proxy.', headers);
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
  };
}

/** Reads a property that Node's own HTTP server relies on, because there is no public one. */
function currentResponse(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage } = socket as { _httpMessage?: ServerResponse | null };
  return _httpMessage ?? undefined;
}

/**
 * Calls `refuse` when all requests before have been answered, because answers come in the order of the requests. If the body of
 * one is missing or wrong, that is the one to refuse.
 */
function afterAnswers(socket: Duplex, refuse: () => void): void {
  const current = currentResponse(socket);
  if (current && (current.req.complete || current.headersSent))
    current.once('close', () => afterAnswers(socket, refuse));
  else if (!socket.destroyed) refuse();
}

function answerOnSocket(socket: Duplex, status: number, message: string, more: HeaderList): void {
  // The answer before was the last one of this connection, or the caller has left.
  if (!socket.writable) {
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
