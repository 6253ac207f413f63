import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type AuthenticateDeps, authenticate, type Principal } from '../domain/credentials/index.ts';
import { type Answer, type HeaderList, jsonAnswer, writeAnswer } from '../http/answer.ts';
import type { Backlog } from '../http/backlog.ts';
import { failureBody, isDefect, refusalBy, success } from '../http/envelope.ts';
import { endsAfter, type Lifecycle } from '../http/lifecycle.ts';
import { queryStringOf } from '../http/query.ts';
import { requestIdOf } from '../http/request-id.ts';
import { refusalOf } from '../http/request-limits.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Route } from './route.ts';

export interface EndpointDeps extends AuthenticateDeps {
  logger: Logger;
  requestLog: RequestLog;
  lifecycle: Lifecycle;
  backlog: Backlog;
  calls: CallCount;
  /** What every answer carries. */
  headers: HeaderList;
}

/** Counts every call of a known caller for its key, whatever the answer. In memory: it runs on the hot path. */
export interface CallCount {
  count(principal: Principal): void;
}

/** What is learnt of a request on the way. */
interface Call {
  principal: Principal | null;
}

export type Endpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Numbers start at 1, so a route that needs no token and asks for rows all the same finds none. */
const NO_WORKSPACE = 0;

/** Answers the requests of one route, whatever its handler does. */
export function endpointFor(deps: EndpointDeps, route: Route): Endpoint {
  async function handle(request: IncomingMessage, call: Call): Promise<Answer> {
    const header = (name: string) => headerValues(request.rawHeaders, name);
    if (route.auth === 'bearer') call.principal = await authenticate(deps, header('authorization'));
    const identify = (principal: Principal) => {
      call.principal = principal;
    };
    const workspaceId = call.principal?.workspaceId ?? NO_WORKSPACE;
    return route.handle({ queryString: queryStringOf(request.url ?? ''), header, identify, workspaceId }, succeed);
  }

  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request);
    const call: Call = { principal: null };
    const refusal = refusalOf(request);
    let answer: Answer;
    try {
      answer = refusal ? failed(refusal.status, refusal.message) : await handle(request, call);
    } catch (error) {
      if (isDefect(error)) deps.logger.error({ request_id: requestId, err: error }, 'defect');
      const { status, message, headers } = refusalBy(error);
      answer = failed(status, message, Object.entries(headers).flat());
    }
    const close = endsAfter(request, deps) || refusal?.close === true;
    writeAnswer(response, requestId, answer, { common: deps.headers, close });
    if (call.principal) deps.calls.count(call.principal);
    deps.requestLog.add({
      requestId,
      method: request.method ?? '',
      route: route.path,
      status: answer.status,
      startedAt,
      principal: call.principal,
    });
  };
}

function succeed(data: unknown, headers?: HeaderList): Answer {
  return jsonAnswer(200, JSON.stringify(success(data)), headers);
}

function failed(status: number, message: string, headers?: HeaderList): Answer {
  return jsonAnswer(status, JSON.stringify(failureBody(status, message)), headers);
}

/** Read off the raw list: Node's own view drops or joins what was sent twice. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
