import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connectRefuser, expectationRefuser } from './connection-errors.ts';
import { ConnectionQueue } from './connection-queue.ts';
import type { Lifecycle } from './lifecycle.ts';
import { PARSER_MAX_BYTES } from './request-size.ts';
import type { ServerDeps } from './server-deps.ts';
import { closeStalledConnections, watchedResponse } from './watched-response.ts';

const HEADERS_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 72_000;

/** How long a caller may take for the rest of a request that has been answered already. */
const REST_TIMEOUT_MS = 30_000;

/** How often Node looks for requests that have not arrived in time. Its default of 30 s would double the timeout. */
const TIMEOUT_CHECK_MS = 5000;

/** A caller that takes not a single byte of its answer for this long is cut off. It is noticed within twice that time. */
const WRITE_TIMEOUT_MS = 30_000;

/** Answers some requests, and returns false for those that are for the framework. */
export interface RequestAnswerer {
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Node's HTTP server with our timeouts and limits. The pipeline sees every request before the framework does. */
export function newNodeServer(framework: RequestListener, pipeline: RequestAnswerer, deps: ServerDeps): Server {
  const { lifecycle, backlog, headers, writeTimeoutMs = WRITE_TIMEOUT_MS } = deps;
  const answer: RequestListener = (request, response) => {
    if (hasBody(request)) endAfterAnswer(request, response);
    if (!pipeline.answer(request, response)) framework(request, response);
  };
  const answerWhenOpen: RequestListener = (request, response) => {
    if (lifecycle.closing) void lifecycle.closing.then(() => answer(request, response));
    else answer(request, response);
  };
  const queue = new ConnectionQueue(backlog, lifecycle, () => answerHalfClosed(server));
  const server = createServer(
    {
      ServerResponse: watchedResponse(backlog, writeTimeoutMs),
      maxHeaderSize: PARSER_MAX_BYTES,
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // A file may take long to arrive. Whoever reads a body has a timeout of its own; `endAfterAnswer` is for what nobody reads.
      requestTimeout: 0,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    queue.oneAtATime(answerWhenOpen),
  );
  server.on('checkExpectation', queue.oneAtATime(expectationRefuser(headers)));
  server.on('connect', connectRefuser(headers));
  server.on('connection', (socket: Socket) => lifecycle.trackConnection(socket));
  closeStalledConnections(server, writeTimeoutMs);
  keepBusyConnectionsOpen(server, lifecycle, queue);
  return server;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Cuts off a caller that has its answer and does not send the rest of its request in time. */
function endAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), REST_TIMEOUT_MS).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

/**
 * Node considers a connection idle when its answer is complete, although its caller may still be reading it, or may have sent
 * more that was not read meanwhile. So idle connections are closed only when neither is the case; while stopping,
 * `lifecycle.ts` tries again and again.
 */
function keepBusyConnectionsOpen(server: Server, { connections }: Lifecycle, queue: ConnectionQueue): void {
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (queue.isReadingOn) return;
    for (const { writableLength } of connections) if (writableLength > 0) return;
    closeIdleConnections();
  };
}

/**
 * From now on, a caller that has sent everything and closed its end is answered. Otherwise Node takes it for one that has left.
 * The property is Node's own, and not documented.
 */
function answerHalfClosed(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}
