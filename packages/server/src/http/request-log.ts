import type { FastifyInstance } from 'fastify';
import type { Principal } from '../domain/credentials/index.ts';
import type { Lines } from './log.ts';

export interface AnsweredRequest {
  /** Well-formed, as `requestIdOf` makes it. */
  requestId: string;
  method: string;
  /** The route's pattern and never the address: a query string can hold an email. */
  route: string | null;
  status: number;
  /** By `performance.now()`. */
  startedAt: number;
  principal?: Principal | null;
}

/**
 * One line per request, in the form of the log's other lines. Put together by hand, since there are so many of them:
 * the logger takes 6 microseconds for one, this takes 2. Nothing in them needs escaping: identifiers are checked or our
 * own, methods are those that Node knows, routes are patterns.
 */
export class RequestLog {
  readonly #lines: Lines | undefined;
  readonly #listener: string;

  /** Without lines to write to it is silent. */
  constructor(lines: Lines | undefined, listener: string) {
    this.#lines = lines;
    this.#listener = listener;
  }

  add({ requestId, method, route, status, startedAt, principal }: AnsweredRequest): void {
    if (!this.#lines) return;
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
    const where = route === null ? 'null' : `"${route}"`;
    const who = principal ? `,"workspace":${principal.workspaceId},"key":"${principal.keyId}"` : '';
    this.#lines.write(
      `{"level":30,"time":${Date.now()},"listener":"${this.#listener}","request_id":"${requestId}","method":"${method}","route":${where},"status":${status},"ms":${ms}${who},"msg":"request"}\n`,
    );
  }
}

export function addRequestLog(app: FastifyInstance, requestLog: RequestLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    requestLog.add({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      startedAt: performance.now() - reply.elapsedTime,
    });
    done();
  });
}
