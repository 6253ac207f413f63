import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { requireCheckable } from '../domain/check-schema.ts';
import { Failure, isFailure } from '../domain/failure.ts';
import { isStorable } from '../domain/text.ts';
import { type Answer, failureAnswer, type StreamAnswer, writeAnswer, writeStream } from './answer.ts';
import { checkBody } from './check-body.ts';
import { compressAnswer, compressStream } from './content-encoding.ts';
import { type HeaderList, overrideHeaders } from './header-list.ts';
import type { HttpError } from './http-error.ts';
import { readBody, requireType } from './read-body.ts';
import { type PathParameters, RequestContext } from './request-context.ts';
import type { RequestRules } from './request-rules.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Listener, Route } from './route.ts';
import { Router } from './router.ts';

/** Longer than any identifier, so that nothing can be found under it. */
const PARAMETER_MAX_LENGTH = 1000;

/** The route of a request, unless it is refused, and its trace, if there is one. */
interface RunOptions<Access> {
  route: Route<Access> | undefined;
  refusal: HttpError | undefined;
  trace: RequestTrace | undefined;
}

/**
 * Runs the requests of one listener through the steps that all routes share, straight on Node's request and response.
 * First come the rules for every request, then the origin, the caller, the query string, the body, the form and the path,
 * then the handler, and finally the answer, the log line and the count of calls. The order of the steps decides which
 * refusal a request with several faults gets.
 */
export class Pipeline<Access> {
  readonly router: Router<Access>;
  readonly #rules: RequestRules;
  readonly #listener: Listener<Access>;
  readonly #logger: Logger;

  constructor(rules: RequestRules, listener: Listener<Access>, logger: Logger) {
    for (const { path, query, body } of listener.routes) {
      for (const schema of [query, body]) if (schema) requireCheckable(path, schema);
    }
    this.router = new Router(listener.routes);
    this.#rules = rules;
    this.#listener = listener;
    this.#logger = logger;
  }

  /** Answers the request and returns true, or returns false when it is for the framework. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const routed = this.router.find(request);
    const refusal = this.#rules.refusalOf(request, routed?.route.streamedBody?.maxBytes);
    const found = refusal ? undefined : routed;
    if (!refusal && !found) return false;
    this.#rules.noticeForwarding(request);
    const context = new RequestContext(request, response, this.#rules.trustedProxies, found);
    const trace = this.#rules.beginTrace(request, context.startedAt);
    this.#rules.takeTurn(request, async (overload) => {
      const reason = overload ?? refusal;
      const run = () =>
        this.#run(context, response, { route: reason ? undefined : found?.route, refusal: reason, trace });
      try {
        await (trace ? trace.run(run) : run());
      } catch (error) {
        this.#logger.error({ request_id: context.requestId, err: error }, 'unexpected error');
        response.destroy();
      }
    });
    return true;
  }

  async #run(
    context: RequestContext,
    response: ServerResponse,
    { route, refusal, trace }: RunOptions<Access>,
  ): Promise<void> {
    let answer: Answer | StreamAnswer;
    let close = false;
    try {
      if (!route) throw refusal;
      answer = await this.#handle(context, route);
    } catch (error) {
      // Whoever revokes a key wants to see whether something still calls with it.
      if (isFailure(error)) context.principal ??= error.caller ?? null;
      const explained = this.#rules.explain(error, context.requestId);
      answer = failureAnswer(explained);
      close = explained.close;
    }
    let aborted = context.request.socket.destroyed;
    if ('stream' in answer) {
      aborted = !(await this.#writeStream(context, response, answer));
    } else {
      answer = compressAnswer(answer, context.contentEncoding);
      writeAnswer(response, answer, this.#headersOf(context, answer.headers, close));
    }
    this.#rules.onAnswered({
      requestId: context.requestId,
      method: context.method,
      route: route?.path ?? null,
      status: answer.status,
      startedAt: context.startedAt,
      principal: context.principal,
      address: context.principal ? context.address : '',
      aborted,
      trace,
    });
  }

  async #handle(context: RequestContext, route: Route<Access>): Promise<Answer | StreamAnswer> {
    checkParameterLengths(context.parameters);
    this.#listener.checkOrigin?.(context);
    const { bodyTypes, ignoresBodies } = this.#listener;
    Object.assign(context, await this.#listener.authorise(context, route));
    if (!route.parsesOwnQuery) context.checkQuery();
    const { streamedBody } = route;
    if (streamedBody) requireType(context.request, streamedBody.types, streamedBody.codings);
    const takesBody = !streamedBody && (route.body !== undefined || !ignoresBodies);
    const body = takesBody ? await readBody(context.request, this.#rules.backlog, bodyTypes) : undefined;
    if (body && route.body) context.body = checkBody(route.body, body, route.bodyType);
    checkParameterText(context.parameters);
    return route.handle(context);
  }

  #headersOf(context: RequestContext, own: HeaderList, close: boolean): string[] {
    const common = this.#rules.headersOf(context.request, context.requestId);
    const headers = context.extraHeaders.length === 0 ? common : overrideHeaders(common, context.extraHeaders);
    headers.push(...context.callerHeaders, ...own);
    if (close || this.#rules.closesConnection(context.request)) headers.push('Connection', 'close');
    return headers;
  }

  /** Returns whether the answer was written to its end. */
  async #writeStream(context: RequestContext, response: ServerResponse, answer: StreamAnswer): Promise<boolean> {
    const { requestId } = context;
    const { headers, compressor } = compressStream(answer, context.contentEncoding);
    try {
      await writeStream(response, answer, this.#headersOf(context, headers, false), compressor);
      return true;
    } catch (error) {
      // When the headers could not be written, neither of the two has ended by itself.
      answer.stream.on('error', () => {}).destroy();
      compressor?.on('error', () => {}).destroy();
      response.destroy();
      // When the caller has left, the request's own log line is enough.
      if (!hasLeft(error)) this.#logger.warn({ request_id: requestId, err: error }, 'a response was interrupted');
      return false;
    } finally {
      await answer
        .close()
        .catch((error) => this.#logger.warn({ request_id: requestId, err: error }, 'closing a file failed'));
    }
  }
}

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function checkParameterLengths(parameters: PathParameters): void {
  for (const name in parameters) {
    if ((parameters[name] ?? '').length <= PARAMETER_MAX_LENGTH) continue;
    throw new Failure('not_found', 'Not found.');
  }
}

/** Refuses an identifier that no database engine can store. Such an identifier cannot exist in the database. */
function checkParameterText(parameters: PathParameters): void {
  for (const name in parameters) {
    if (!isStorable(parameters[name] ?? '')) throw new Failure('not_found', 'Not found.');
  }
}
