import type { Principal } from '../domain/credentials/index.ts';
import type { LogLines } from './log.ts';
import type { RequestTrace } from './request-trace.ts';

export interface AnsweredRequest {
  /** Well-formed, because `requestIdOf` returns no other. */
  requestId: string;
  method: string;
  /** The pattern of the route, never the address, because a query string can contain an email. Null when no route was found. */
  route: string | null;
  status: number;
  /** As returned by `performance.now()`. */
  startedAt: number;
  principal?: Principal | null;
  /** The address of the caller, for counting calls. It is never logged. */
  address?: string;
  /** The caller did not get the whole answer. */
  aborted?: boolean;
  /** Only if traces are on. */
  trace?: RequestTrace | undefined;
}

/**
 * Writes one line per request, in the form of the log's other lines. The lines are built by hand because there are so many
 * of them: the logger takes 6 microseconds for one, this takes 2. No part needs escaping: identifiers are checked or made
 * here, methods are those that Node knows, and routes are patterns.
 */
export class RequestLog {
  readonly #lines: LogLines | undefined;
  readonly #listener: string;

  /** Without `lines`, nothing is logged. */
  constructor(lines: LogLines | undefined, listener: string) {
    this.#lines = lines;
    this.#listener = listener;
  }

  add({ requestId, method, route, status, startedAt, principal, aborted, trace }: AnsweredRequest): void {
    if (!this.#lines) return;
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
    const where = route === null ? 'null' : `"${route}"`;
    const who = principal ? `,"workspace":${principal.workspaceId},"key":"${principal.keyId}"` : '';
    const how = aborted ? ',"aborted":true' : '';
    const traced = trace ? `,"trace_id":"${trace.traceId}"` : '';
    this.#lines.write(
      `{"level":30,"time":${Date.now()},"listener":"${this.#listener}","request_id":"${requestId}","method":"${method}","route":${where},"status":${status},"ms":${ms}${who}${how}${traced},"msg":"request"}\n`,
    );
  }
}
