import { ConnectionError, errorForStatus, type FailureDetails, RollcallError } from './errors.ts';
import type { FetchHeaders, FetchResponse } from './fetch.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface ApiResponse<Data> {
  headers: FetchHeaders;
  /**
   * Not validated yet. `null` means that there is nothing to say, and `undefined` that nothing has changed since the ETag
   * that was sent.
   */
  data: Partial<Data> | null | undefined;
}

const SUCCESSES: readonly number[] = [200, 201, 202];

/** Reads an answer in the envelope. */
export function readResponse<Data>(response: FetchResponse, text: string): ApiResponse<Data> {
  const { status, headers } = response;
  if (status === 304) return { headers, data: undefined };
  const details = requireSuccess(response, text, 'application/json');
  const { data } = parseEnvelope(text, details);
  if (typeof data !== 'object') throw notRollcall(details);
  return { headers, data };
}

/** Reads an answer that is a CSV file. */
export function readCsv(response: FetchResponse, text: string): string {
  requireSuccess(response, text, 'text/csv');
  return text;
}

function requireSuccess({ status, headers }: FetchResponse, text: string, type: string): FailureDetails {
  const details: FailureDetails = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), timeOf(headers)),
  };
  if (!SUCCESSES.includes(status)) throw errorForStatus(status, failureMessage(status, headers, text), details);
  if (!headers.get('content-type')?.startsWith(type)) throw notRollcall(details);
  return details;
}

/** The time by the service's clock if it sends one, because the local clock may be wrong. */
function timeOf(headers: FetchHeaders): number {
  return Date.parse(headers.get('date') ?? '') || Date.now();
}

function parseEnvelope(text: string, details: FailureDetails): { data?: unknown } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('The response is incomplete: its JSON is cut off.', { ...details, cause });
  }
  return typeof body === 'object' && body !== null ? body : {};
}

/** The message of the service. The body of a gateway between us is not repeated, because it may be any text. */
function failureMessage(status: number, headers: FetchHeaders, text: string): string {
  if (status < 400) {
    return `Redirected to ${headers.get('location') ?? 'another address'} (HTTP ${status}); set baseUrl to the final address.`;
  }
  try {
    const { message } = JSON.parse(text);
    if (typeof message === 'string') return message;
  } catch {
    // The body is not an envelope, so only the status is reported.
  }
  return `The service responded with HTTP ${status}.`;
}

function notRollcall(details: FailureDetails): RollcallError {
  return new RollcallError('The response is not from a Rollcall API; check baseUrl.', details);
}
