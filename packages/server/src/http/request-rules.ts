import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Principal } from '../domain/credentials/index.ts';
import { NetworkList } from '../domain/network-address.ts';
import { pathOf, withoutTrailingSlash } from './address.ts';
import type { Backlog } from './backlog.ts';
import { callerAddress } from './caller-address.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { ForwardingNotice } from './forwarding-notice.ts';
import { type HeaderList, valuesOf } from './header-list.ts';
import { HEALTH_PATHS } from './health.ts';
import { type ErrorAnswer, HttpError, isDefect, toErrorAnswer } from './http-error.ts';
import type { Lifecycle } from './lifecycle.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import type { AnsweredRequest, RequestLog } from './request-log.ts';
import type { RequestQueue } from './request-queue.ts';
import { exceededLimit } from './request-size.ts';
import type { RequestTrace, RequestTracer } from './request-trace.ts';

/** Counts every call of a known caller for its API key, whatever the answer is. In memory, because it is on the hot path. */
export interface CallCounter {
  count(principal: Principal, address: string, status: number): void;
}

/** Counts every request and the time that it took. On the hot path, too. */
export interface RequestMeter {
  add(answered: AnsweredRequest): void;
}

export interface RequestRulesDeps {
  logger: Logger;
  requestLog: RequestLog;
  lifecycle: Lifecycle;
  backlog: Backlog;
  /** If it is not given, requests are answered in the order in which they arrive. */
  requestQueue?: RequestQueue | undefined;
  /** The headers of every answer. */
  headers: HeaderList;
  calls?: CallCounter | undefined;
  /** Only if metrics are on. */
  requestMeter?: RequestMeter | undefined;
  /** Only if traces are on. */
  requestTracer?: RequestTracer | undefined;
  /** Which web pages may call the listener. None if it is not given. */
  crossOrigin?: CrossOrigin | undefined;
  /** The proxies that may say for whom they forward a request. By default there are none. */
  trustedProxies?: NetworkList | undefined;
  /** One for all listeners of a process. */
  forwardingNotice?: ForwardingNotice | undefined;
}

/**
 * The rules for every request of a listener, each written once, here. `pipeline.ts` applies them to routes, and `applyRules` in
 * `server.ts` to what the framework answers (pages, documentation, unknown addresses). A new rule goes into one of these
 * methods, or is called from both places. What the HTTP parser itself refuses (`connection-errors.ts`) carries the common
 * headers only.
 */
export class RequestRules {
  readonly #deps: RequestRulesDeps;
  readonly backlog: Backlog;
  readonly trustedProxies: NetworkList;

  constructor(deps: RequestRulesDeps) {
    this.#deps = deps;
    this.backlog = deps.backlog;
    this.trustedProxies = deps.trustedProxies ?? NetworkList.parse('');
  }

  noticeForwarding(request: IncomingMessage): void {
    this.#deps.forwardingNotice?.check(request, this.trustedProxies);
  }

  beginTrace(request: IncomingMessage, startedAt: number): RequestTrace | undefined {
    return this.#deps.requestTracer?.begin(request, startedAt);
  }

  /** Why the request is refused before it is routed, if it is. */
  refusalOf(request: IncomingMessage, bodyMaxBytes?: number): HttpError | undefined {
    return exceededLimit(request, bodyMaxBytes);
  }

  /** Calls `answer` when it is the request's turn, with the reason if it is refused then. `answer` never rejects. */
  takeTurn(request: IncomingMessage, answer: (refusal?: HttpError) => Promise<void>): void {
    const { requestQueue } = this.#deps;
    if (!requestQueue || isHealthCheck(request)) {
      void answer();
      return;
    }
    requestQueue.add(
      () => callerOf(request, this.trustedProxies),
      request.socket,
      (isRefused) => {
        const answered = answer(isRefused ? overloaded() : undefined);
        // A change waits for others that are written together with it, and a body may take long to arrive. Neither keeps anything busy.
        return request.method === 'GET' ? answered : Promise.resolve();
      },
    );
  }

  headersOf(request: IncomingMessage, requestId: string): string[] {
    const { headers, crossOrigin } = this.#deps;
    if (!crossOrigin) return [REQUEST_ID_HEADER, requestId, ...headers];
    const [origin] = valuesOf(request.rawHeaders, 'origin');
    return [REQUEST_ID_HEADER, requestId, ...headers, ...crossOrigin.headersOf(origin)];
  }

  /** Further headers of the answer to OPTIONS, when a browser asks whether a page may send such a request. */
  preflightHeadersOf(request: IncomingMessage, methods: string): HeaderList {
    const { origin, 'access-control-request-method': method } = request.headers;
    return (method !== undefined && this.#deps.crossOrigin?.preflightHeadersOf(origin, methods)) || [];
  }

  /**
   * While stopping, every answer ends its connection, unless the caller has or may have sent more requests on it. So does an answer
   * to a request whose body has not arrived and will not be read: a caller could go on sending it for half a minute.
   */
  closesConnection(request: IncomingMessage): boolean {
    if (this.#deps.lifecycle.stopping && !this.#deps.backlog.mayHold(request.socket)) return true;
    return isBodyOutstanding(request);
  }

  /** Turns any error into an answer, and logs it when it is a defect. */
  explain(error: unknown, requestId: string): ErrorAnswer {
    if (isDefect(error)) this.#deps.logger.error({ request_id: requestId, err: error }, 'unexpected error');
    return toErrorAnswer(error);
  }

  /** Called once for every request, when its answer has been written. */
  onAnswered(answered: AnsweredRequest): void {
    if (answered.principal) this.#deps.calls?.count(answered.principal, answered.address ?? '', answered.status);
    this.#deps.requestMeter?.add(answered);
    this.#deps.requestLog.add(answered);
    answered.trace?.end(answered);
  }
}

/** A rest of this size is read and thrown away, so that the connection can be used again. */
const SMALL_REST_BYTES = 64 * 1024;

function isBodyOutstanding({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_REST_BYTES;
}

function overloaded(): HttpError {
  const message = 'Service temporarily unavailable: more requests arrive than can be answered.';
  return new HttpError(503, message, { headers: ['Retry-After', '1'] });
}

/** Tells callers apart before it is known who they are. */
function callerOf({ headers, rawHeaders, socket }: IncomingMessage, trustedProxies: NetworkList): string {
  return headers.authorization ?? callerAddress(socket.remoteAddress ?? '', rawHeaders, trustedProxies);
}

/** Health checks are answered however busy the process is, because an orchestrator acts on them. */
function isHealthCheck({ url = '' }: IncomingMessage): boolean {
  return HEALTH_PATHS.has(withoutTrailingSlash(pathOf(url)));
}
