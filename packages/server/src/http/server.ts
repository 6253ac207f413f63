import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { decodedPathOf, withoutTrailingSlash } from './address.ts';
import { JSON_TYPE } from './answer.ts';
import { parserErrorAnswerer } from './connection-errors.ts';
import { COMPRESSED_MIN_BYTES, chooseEncoding, compress } from './content-encoding.ts';
import { failureBody } from './envelope.ts';
import { asRecord, valuesOf } from './header-list.ts';
import type { ErrorAnswer } from './http-error.ts';
import { newNodeServer } from './node-server.ts';
import { Pipeline } from './pipeline.ts';
import { requestIdOf } from './request-id.ts';
import { RequestRules } from './request-rules.ts';
import type { Listener } from './route.ts';
import type { ServerDeps } from './server-deps.ts';

export type HttpServer = FastifyInstance;

/**
 * A server that answers the routes of a listener through the pipeline and everything else (pages, documentation, unknown
 * addresses, wrong methods) through Fastify. Every error is answered in the envelope.
 */
export function newServer<Access>(deps: ServerDeps, listener: Listener<Access> = NO_ROUTES): HttpServer {
  const rules = new RequestRules(deps);
  const pipeline = new Pipeline(rules, listener, deps.logger);
  const app = fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The few lines that are logged name their request themselves; a logger for each request would cost more than a line.
    childLoggerFactory: (parent) => parent,
    requestIdHeader: false,
    genReqId: requestIdOf,
    serverFactory: (framework) => newNodeServer(framework, pipeline, deps),
    forceCloseConnections: 'idle',
    // A request that still arrives on an open connection while the process stops is answered as always.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildValidator: () => neverCompile, buildSerializer: () => neverCompile } },
    clientErrorHandler: parserErrorAnswerer(deps.headers),
    frameworkErrors: (error, request, reply) => answerUnreadable(rules, error, request, reply as FastifyReply),
  }) as unknown as FastifyInstance;

  const answerUnrouted = unroutedAnswerer(app, rules, listener, (url) => pipeline.router.methodsOf(url));
  applyRules(app, rules, answerUnrouted);
  app.setNotFoundHandler(answerUnrouted);
  return app;
}

/** No answer of Fastify has a schema, and its compilers would take a twentieth of the time of a start to load. */
function neverCompile(): never {
  throw new Error('Routes with a schema are answered by the pipeline.');
}

/** Compressing more than this at once would delay other callers. */
const TEXT_MAX = 512 * 1024;

const NO_ROUTES: Listener<never> = {
  routes: [],
  bodyTypes: [],
  ignoresBodies: true,
  authorise: async () => ({}),
};

type AnswerUnrouted = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Hooks that do for the framework's answers what the pipeline does for those of routes. */
function applyRules(app: FastifyInstance, rules: RequestRules, answerUnrouted: AnswerUnrouted): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(asRecord(rules.headersOf(request.raw, request.id)));
    // Answered here, because the framework would read the body first and refuse the request for its method or content type.
    if (request.is404) answerUnrouted(request, reply);
    else done();
  });
  // Decided as late as possible, because a stop may have begun since the request arrived.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (rules.closesConnection(request.raw)) reply.header('Connection', 'close');
    done(null, compressText(request, reply, payload));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const startedAt = performance.now() - reply.elapsedTime;
    rules.onAnswered(answeredRequest(rules, request, reply, startedAt));
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(reply, rules.explain(error, request.id)));
}

/** Compresses what the framework answers as text. Files are compressed when they are built, and very long texts by their routes. */
function compressText(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const isText = typeof payload === 'string' && payload.length >= COMPRESSED_MIN_BYTES && payload.length <= TEXT_MAX;
  const encoding = isText ? chooseEncoding(valuesOf(request.raw.rawHeaders, 'accept-encoding')) : undefined;
  if (!isText || encoding === undefined) return payload;
  const compressed = compress(Buffer.from(payload), encoding);
  reply.header('Content-Encoding', encoding).header('Content-Length', compressed.length);
  return compressed;
}

/** For addresses that the framework cannot even decode, for which it calls no hooks. */
function answerUnreadable(rules: RequestRules, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const startedAt = performance.now();
  reply.headers(asRecord(rules.headersOf(request.raw, request.id)));
  if (rules.closesConnection(request.raw)) reply.header('Connection', 'close');
  sendError(reply, rules.explain(error, request.id));
  rules.onAnswered(answeredRequest(rules, request, reply, startedAt));
}

function answeredRequest(rules: RequestRules, request: FastifyRequest, reply: FastifyReply, startedAt: number) {
  const route = request.routeOptions.url ?? null;
  const trace = rules.beginTrace(request.raw, startedAt);
  return { requestId: request.id, method: request.method, route, status: reply.statusCode, startedAt, trace };
}

function sendError(reply: FastifyReply, { status, message, headers }: Omit<ErrorAnswer, 'close'>): FastifyReply {
  return reply.headers(asRecord(headers)).code(status).type(JSON_TYPE).send(failureBody(status, message));
}

/** Answers 405 (or the question of OPTIONS) for a known path with another method, and 404 for everything else. */
function unroutedAnswerer(
  app: FastifyInstance,
  rules: RequestRules,
  { unknownAddress = 'Not found.' }: Pick<Listener<never>, 'unknownAddress'>,
  methodsOfRoutes: (url: string) => string[],
): AnswerUnrouted {
  const methodsOfPages = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ path, method }) => {
    const methods = methodsOfPages.get(withoutTrailingSlash(path)) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsOfPages.set(withoutTrailingSlash(path), methods);
  });

  return (request, reply) => {
    const { url = '' } = request.raw;
    const methods = [...methodsOfRoutes(url), ...(methodsOfPages.get(withoutTrailingSlash(decodedPathOf(url))) ?? [])];
    if (methods.length === 0) return sendError(reply, { status: 404, message: unknownAddress, headers: [] });
    const allow = [...new Set(['OPTIONS', ...methods])].sort().join(', ');
    reply.header('Allow', allow);
    if (request.method === 'OPTIONS') {
      return reply
        .headers(asRecord(rules.preflightHeadersOf(request.raw, allow)))
        .code(204)
        .send();
    }
    const message = `Method not allowed. This address accepts ${allow}.`;
    return sendError(reply, { status: 405, message, headers: [] });
  };
}
