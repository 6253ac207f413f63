import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HeaderList } from './answer.ts';
import { asRecord } from './common-headers.ts';
import { failureBody, JSON_TYPE } from './envelope.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const PARSER_FAILURES: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large, or the address is too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request body too large: its chunk extensions are too long.'],
  [REQUEST_TIMEOUT]: [408, 'Request timeout: the request did not arrive in time.'],
};

const STALLED_MS = 30_000;

/** For a caller to read why it was refused. */
const LINGER_MS = 1000;

/** Answers in the envelope what Node's HTTP parser refused before there was a request. */
export function parserErrorAnswerer(common: HeaderList): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    const before = answerUnderWay(socket);
    // Its next request is late because we have not read it, or because it can wait until this one is answered.
    if (error.code === REQUEST_TIMEOUT && before?.req.complete) return;
    const isSecond = refused.has(socket);
    // A second error on a connection that was already answered must not write into the first answer.
    if (!socket.writable || (isSecond && !before)) socket.destroy();
    if (socket.destroyed || isSecond) return;
    refused.add(socket);
    const [status, message] = PARSER_FAILURES[error.code ?? ''] ?? [400, 'Bad request: it is not well-formed HTTP.'];
    const refuse = () => answerOnSocket(socket, status, message, common);
    // What is wrong is the body of the request that is being read, or else something behind complete requests.
    if (before && !before.req.complete && !before.headersSent) refuse();
    else afterAnswers(socket, refuse);
  };
}

/** What Node would otherwise answer itself without the envelope. */
export function expectationRefuser(common: HeaderList): RequestListener {
  return (_request, response) => {
    const body = JSON.stringify(failureBody(417, 'Expectation failed: only `Expect: 100-continue` is understood.'));
    response.writeHead(417, [...headersFor(body), ...common]).end(body);
  };
}

/** What Node would otherwise hang up on. `taken` is the connection, or what is left of it when the request has a body. */
export function connectRefuser(common: HeaderList): (request: IncomingMessage, taken: Duplex) => void {
  const headers = ['Allow', 'GET, HEAD, POST, OPTIONS', ...common];
  return ({ socket }, taken) => {
    // Node no longer looks after it: nobody notices that its caller has stopped reading, or has closed its end.
    socket.setTimeout(STALLED_MS, () => socket.destroy());
    afterAnswers(socket, () => {
      answerOnSocket(taken, 405, 'Method not allowed: this is not a proxy.', headers);
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
  };
}

/** By the property that Node's own HTTP server goes by; there is no public one. */
function answerUnderWay(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage } = socket as { _httpMessage?: ServerResponse | null };
  return _httpMessage ?? undefined;
}

/** Answers come in the order of the requests, also when what follows them is no request. */
function afterAnswers(socket: Duplex, refuse: () => void): void {
  const before = answerUnderWay(socket);
  if (before) before.once('close', () => afterAnswers(socket, refuse));
  else if (!socket.destroyed) refuse();
}

function answerOnSocket(socket: Duplex, status: number, message: string, more: HeaderList): void {
  const body = JSON.stringify(failureBody(status, message));
  const headers = asRecord([...headersFor(body), 'Connection', 'close', ...more]);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function headersFor(body: string): string[] {
  const length = String(Buffer.byteLength(body));
  return ['Content-Type', JSON_TYPE, 'Content-Length', length, REQUEST_ID_HEADER, randomUUID()];
}
