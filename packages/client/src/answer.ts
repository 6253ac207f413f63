import { ConnectionError, errorOf, type FailureDetails, RollcallError } from './errors.ts';
import type { FetchHeaders, FetchResponse } from './fetch.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface Answer<Data> {
  headers: FetchHeaders;
  /** Not checked yet. Undefined says: nothing has changed since the ETag that was sent. */
  data: Partial<Data> | undefined;
}

export function readAnswer<Data>({ status, headers }: FetchResponse, text: string): Answer<Data> {
  if (status === 304) return { headers, data: undefined };
  const details: FailureDetails = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), timeOf(headers)),
  };
  if (status !== 200) throw errorOf(status, failureMessage(status, headers, text), details);

  if (!headers.get('content-type')?.startsWith('application/json')) throw notRollcall(details);
  const { data } = parseEnvelope(text, details);
  if (typeof data !== 'object' || data === null) throw notRollcall(details);
  return { headers, data };
}

/** By the service's clock, where it says what that shows: ours may be an hour off. */
function timeOf(headers: FetchHeaders): number {
  return Date.parse(headers.get('date') ?? '') || Date.now();
}

function parseEnvelope(text: string, details: FailureDetails): { data?: unknown } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('The answer did not arrive whole: its JSON is cut short.', { ...details, cause });
  }
  return typeof body === 'object' && body !== null ? body : {};
}

/** A gateway in between fails in its own words, which are not ours to repeat. */
function failureMessage(status: number, headers: FetchHeaders, text: string): string {
  if (status < 400) {
    return `Redirected to ${headers.get('location') ?? 'another address'} (HTTP ${status}); set baseUrl to the final one.`;
  }
  try {
    const { message } = JSON.parse(text);
    if (typeof message === 'string') return message;
  } catch {
    // Not an envelope; the status has to do.
  }
  return `The service answered with HTTP ${status}.`;
}

function notRollcall(details: FailureDetails): RollcallError {
  return new RollcallError('The answer is not from a Rollcall API; check baseUrl.', details);
}
