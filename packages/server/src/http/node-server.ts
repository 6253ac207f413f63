import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { jsonAnswer, writeAnswer } from './answer.ts';
import { connectRefuser, expectationRefuser } from './connection-errors.ts';
import { failureBody } from './envelope.ts';
import { pathOf, withoutSlash } from './front.ts';
import { HEALTH_PATHS } from './health.ts';
import { endsAfter, type Lifecycle } from './lifecycle.ts';
import { requestIdOf } from './request-id.ts';
import { PARSER_MAX_BYTES } from './request-limits.ts';
import type { ServerDeps } from './server-deps.ts';
import { Turns } from './turns.ts';
import { hangUpOnStalled, watchedResponse } from './watched-response.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 72_000;

/** A caller that takes not a single byte of its answer for so long is gone. It is noticed within twice that time. */
const WRITE_TIMEOUT_MS = 30_000;

/** Node's HTTP server with our timeouts and limits. The front sees every request before the handler, if there is one. */
export function newNodeServer(handler: RequestListener, deps: ServerDeps): Server {
  const { front, lifecycle, backlog, headers, writeTimeoutMs = WRITE_TIMEOUT_MS } = deps;
  const answer: RequestListener = front
    ? (request, response) => void (front.answer(request, response) || handler(request, response))
    : handler;
  const turns = new Turns(backlog);
  const admit: RequestListener = (request, response) => {
    if (lifecycle.closing) void lifecycle.closing.then(() => answer(request, response));
    else if (backlog.isFull && !HEALTH_PATHS.has(withoutSlash(pathOf(request.url ?? ''))))
      turnAway(deps, request, response);
    else answer(request, response);
  };
  const server = createServer(
    {
      ServerResponse: watchedResponse(backlog, writeTimeoutMs),
      maxHeaderSize: PARSER_MAX_BYTES,
      requireHostHeader: false,
      headersTimeout: REQUEST_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
    },
    turns.inTurn(admit),
  );
  server.on('checkExpectation', turns.inTurn(expectationRefuser(headers)));
  server.on('connect', connectRefuser(headers));
  server.on('connection', (socket: Socket) => lifecycle.follow(socket));
  hangUpOnStalled(server, writeTimeoutMs);
  spareReaders(server, lifecycle);
  return server;
}

/**
 * For Node a connection is idle when its answer is complete, though its caller may still be reading it. Whenever Node
 * closes what is idle, as it does when a server is closed, none is closed while there is such a caller; `lifecycle.ts`
 * looks again.
 */
function spareReaders(server: Server, { connections }: Lifecycle): void {
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const { writableLength } of connections) if (writableLength > 0) return;
    closeIdleConnections();
  };
}

/** So many answers wait to be read that another one would only take memory from those. */
function turnAway(deps: ServerDeps, request: IncomingMessage, response: ServerResponse): void {
  const { headers: common, requestLog } = deps;
  const startedAt = performance.now();
  const requestId = requestIdOf(request);
  const message = 'Service temporarily unavailable: too many answers are waiting to be read.';
  const answer = jsonAnswer(503, JSON.stringify(failureBody(503, message)), ['Retry-After', '1']);
  writeAnswer(response, requestId, answer, { common, close: endsAfter(request, deps) });
  requestLog.add({ requestId, method: request.method ?? '', route: null, status: 503, startedAt });
}
