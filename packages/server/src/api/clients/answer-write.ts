import { createHash } from 'node:crypto';
import type {
  AnswerChange,
  AnswerContext,
  AnsweredRequest,
  ChangeAnswer,
  KeptAnswer,
  OnceRequest,
} from '../../domain/clients/answer-once.ts';
import type { VersionedClient } from '../../domain/clients/client.ts';
import type { RowChanges } from '../../domain/clients/import-clients.ts';
import type { ImportChanges } from '../../domain/clients/import-job.ts';
import type { ClientChanges } from '../../domain/clients/manage-clients.ts';
import type { GroupChanges } from '../../domain/clients/manage-groups.ts';
import type {
  AnswerAddition,
  CheckedClient,
  WritingChange,
  WrittenClient,
} from '../../domain/clients/write-clients.ts';
import type { Clock } from '../../domain/clock.ts';
import { Failure } from '../../domain/failure.ts';
import { pathOf, withoutTrailingSlash } from '../../http/address.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { failureBody, successBody } from '../../http/envelope.ts';
import { toErrorAnswer } from '../../http/http-error.ts';
import type { ApiContext } from '../define-route.ts';
import { etagOfClient, locationOf, toClientRecord } from './client-record.ts';
import { toContractFailure, withContractMessages } from './contract-messages.ts';
import { findEtag, isEtagList } from './etag.ts';
import type { RunningRequests } from './running-requests.ts';

interface WriteParts {
  clients: ClientChanges & RowChanges;
  groups: GroupChanges;
  imports: ImportChanges;
}

export interface WriteDeps {
  answerChange: AnswerChange<WriteParts>;
  answerAddition: AnswerAddition;
  runningRequests: RunningRequests;
  clock: Clock;
}

/** The request headers of every write. */
export const WRITE_HEADERS = {
  'Idempotency-Key':
    'Makes it safe to repeat the request: the first answer is kept for 24 hours, and repeated with `Idempotency-Replayed: true`. 1 to 255 visible characters, a new one for each new request.',
};
export const IF_NONE_MATCH = {
  'If-None-Match': '`*`: only adds a client. If there is one with this external id, the answer is 412.',
};
export const IF_MATCH = {
  'If-Match': 'The `ETag` of the client as you know it. If it has been changed since, the answer is 412.',
};

/** How a request that changes something can fail. */
export const WRITING_FAILURES = {
  400: 'A field is unknown, missing or invalid. The message begins with its name.',
  401: 'The access token is missing, invalid, expired, revoked or not allowed from this address.',
  403: 'The API key does not have the scope `clients:write`.',
  409: 'The change contradicts what is stored, or the first request with this `Idempotency-Key` is still running. The message says what to do.',
  413: 'The body is larger than a megabyte.',
  415: 'The body is not JSON.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'The API key makes too many calls; try again after `Retry-After` seconds.',
  503: 'The service lacks storage or capacity; try again after `Retry-After` seconds.',
};

/** Visible characters of ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** These depend on the credentials, the moment or the body, so the same or a corrected request may succeed later. */
const NOT_KEPT = new Set([400, 401, 403, 412, 429]);

/** Makes a change and answers it, once for all requests with the same `Idempotency-Key`. */
export function answerWrite(
  deps: WriteDeps,
  context: ApiContext,
  work: (change: WritingChange & WriteParts, now: number) => Promise<ChangeAnswer>,
): Promise<Answer> {
  return answerRequest(deps, context, (request) => deps.answerChange(request, (parts) => work(parts, request.at)));
}

/** The same for a client to add, which is written together with others. */
export function answerAdded(
  deps: WriteDeps,
  context: ApiContext,
  check: (now: number) => CheckedClient,
): Promise<Answer> {
  return answerRequest(deps, context, (request) =>
    deps.answerAddition(request, {
      check: () => check(request.at),
      answer: (written) => clientAnswer(written, 201),
    }),
  );
}

async function answerRequest(
  { runningRequests, clock }: WriteDeps,
  context: ApiContext,
  write: (request: AnswerContext) => Promise<AnsweredRequest>,
): Promise<Answer> {
  const { workspaceId, actor } = context;
  const once = onceRequest(context);
  const request = { workspaceId, actor, at: clock.now(), once };
  const change = () => withContractMessages(() => write(request));
  const { answer, isRepeated } = once
    ? await runningRequests.run(`${workspaceId} ${once.key}`, change)
    : await change();
  const replayed = isRepeated ? ['Idempotency-Replayed', 'true'] : [];
  return jsonAnswer(answer.status, answer.body, [...answer.headers, ...replayed]);
}

/** The answer that shows a client after a change. */
export function clientAnswer({ client, id }: WrittenClient, status: 200 | 201 = 200): ChangeAnswer {
  const location = status === 201 ? ['Location', locationOf(client)] : [];
  const headers = ['ETag', etagOfClient(client), ...location];
  return { answer: successAnswerOf(toClientRecord(client), status, headers), clientId: id };
}

export function successAnswerOf(data: unknown, status = 200, headers: readonly string[] = []): KeptAnswer {
  return { status, headers, body: JSON.stringify(successBody(data, status)) };
}

/** Whether a client is one of those that `If-Match` names, if it is given. */
export function expectedClient(context: ApiContext): ((client: VersionedClient) => boolean) | undefined {
  const tags = context.header('if-match');
  if (tags.length === 0) return undefined;
  if (!tags.every(isEtagList)) {
    throw new Failure('bad_parameter', 'If-Match must be * or an ETag as it was sent, with its quotation marks.');
  }
  return (client) => {
    const etag = etagOfClient(client);
    if (findEtag(tags, etag) !== undefined) return true;
    // The refusal tells the current version.
    context.extraHeaders.push('ETag', etag);
    return false;
  };
}

/** Whether the client must not exist yet. */
export function mustBeNew(context: ApiContext): boolean {
  const tags = context.header('if-none-match');
  if (tags.length === 0) return false;
  if (tags.length === 1 && tags[0]?.trim() === '*') return true;
  throw new Failure('bad_parameter', 'If-None-Match must be *, which only adds a client, or left out.');
}

/** The key of a request that the caller may repeat. Throws if there is one that is not valid. */
export function idempotencyKey(context: ApiContext): string | undefined {
  const [key, ...others] = context.header('idempotency-key');
  if (key === undefined || (others.length === 0 && KEY.test(key))) return key;
  throw new Failure('bad_parameter', 'Idempotency-Key must be given once and have 1 to 255 visible characters.');
}

function onceRequest(context: ApiContext): OnceRequest | undefined {
  const key = idempotencyKey(context);
  if (key === undefined) return undefined;
  return { key, fingerprint: fingerprintOf(context), answerTo: failureToKeep };
}

/** Of everything that the request asks for. */
function fingerprintOf(context: ApiContext): string {
  const path = withoutTrailingSlash(pathOf(context.request.url ?? ''));
  const type = context.header('content-type');
  const parts = [
    context.method,
    path,
    context.queryString,
    context.body ?? null,
    context.header('if-match'),
    context.header('if-none-match'),
    type,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function failureToKeep(error: unknown): KeptAnswer | undefined {
  const { status, message, headers } = toErrorAnswer(toContractFailure(error));
  if (status >= 500 || NOT_KEPT.has(status)) return undefined;
  return { status, headers, body: JSON.stringify(failureBody(status, message)) };
}
