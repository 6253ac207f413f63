import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { asRecord } from './common-headers.ts';
import { parserErrorAnswerer } from './connection-errors.ts';
import { isDefect, sendError, sendFailure } from './envelope.ts';
import { type Front, plainPathOf, withoutSlash } from './front.ts';
import { endsAfter } from './lifecycle.ts';
import { newNodeServer } from './node-server.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { BODY_MAX_BYTES, refusalOf } from './request-limits.ts';
import { addRequestLog } from './request-log.ts';
import type { ServerDeps } from './server-deps.ts';

export type HttpServer = FastifyInstance;

/** A Fastify that answers everything, also what goes wrong before and around a route, in the envelope. */
export function newServer(deps: ServerDeps): HttpServer {
  const { logger, requestLog, headers, front } = deps;
  const common = asRecord(headers);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The few lines we write name their request themselves; a logger of its own for each would cost more than the line.
    childLoggerFactory: (parent) => parent,
    requestIdHeader: false,
    genReqId: requestIdOf,
    serverFactory: (handler) => newNodeServer(handler, deps),
    bodyLimit: BODY_MAX_BYTES,
    forceCloseConnections: 'idle',
    // A request that still arrives on an open connection while we stop is answered as always.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: parserErrorAnswerer(headers),
    frameworkErrors: (error, request, reply) => {
      reply.header(REQUEST_ID_HEADER, request.id).headers(common);
      sendError(error, reply as FastifyReply);
    },
  }) as unknown as FastifyInstance;

  const answerUnrouted = unroutedAnswerer(app, front);
  greetRequests(app, { common, answerUnrouted });
  endConnections(app, deps);
  addRequestLog(app, requestLog);
  answerErrors(app);
  app.setNotFoundHandler(answerUnrouted);
  return app;
}

type AnswerUnrouted = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface Greeting {
  common: Record<string, string>;
  answerUnrouted: AnswerUnrouted;
}

/** What is done first for every request. One hook that waits for nothing: several cost more than a page does. */
function greetRequests(app: FastifyInstance, { common, answerUnrouted }: Greeting): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id).headers(common);
    const refusal = refusalOf(request.raw);
    if (refusal?.close) reply.header('Connection', 'close');
    if (refusal) sendFailure(reply, refusal.status, refusal.message);
    // At once: the framework would read the body first, and refuse a method or a type that nobody asked for.
    else if (request.is404) answerUnrouted(request, reply);
    else done();
  });
}

/** Decided as late as can be: a stop may have begun since the request came. */
function endConnections(app: FastifyInstance, deps: ServerDeps): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (endsAfter(raw, deps)) reply.header('Connection', 'close');
    done(null, payload);
  });
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (isDefect(error)) request.log.error({ request_id: request.id, err: error }, 'defect');
    return sendError(error, reply);
  });
}

/** A known path with another method is 405 (or the answer to OPTIONS); anything else is 404. */
function unroutedAnswerer(app: FastifyInstance, front: Front | undefined): AnswerUnrouted {
  const methodsOf = new Map<string, Set<string>>();
  for (const [path, methods] of front?.methods ?? []) methodsOf.set(path, new Set(['OPTIONS', ...methods]));
  app.addHook('onRoute', ({ path, method }) => {
    const methods = methodsOf.get(withoutSlash(path)) ?? new Set(['OPTIONS']);
    for (const each of [method].flat()) methods.add(each);
    methodsOf.set(withoutSlash(path), methods);
  });

  return (request, reply) => {
    const methods = methodsOf.get(withoutSlash(plainPathOf(request.raw.url ?? '')));
    if (!methods) return sendFailure(reply, 404, 'Not found.');
    const allow = [...methods].sort().join(', ');
    reply.header('Allow', allow);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return sendFailure(reply, 405, `Method not allowed. This address accepts ${allow}.`);
  };
}
