import { ACCOUNT_HEADER } from '#contract/members/index.ts';
import { withFieldLabel } from './field-label.ts';
import { loadPage } from './load-page.ts';
import { tellAfterLoading } from './tell-after-loading.ts';

/** A call that failed, with a message for people. The status is 0 when the console could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** The console's own words, which may begin with the name of a field. */
  readonly consoleMessage: string;

  constructor(status: number, consoleMessage: string) {
    super(withFieldLabel(consoleMessage));
    this.name = 'ApiError';
    this.status = status;
    this.consoleMessage = consoleMessage;
  }
}

/** Whether the same call may succeed soon: the connection was lost, or the service was restarted or busy for a moment. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

/** Whether the same call may succeed at another time. What is gone, wrong or forbidden stays so. */
export function mayTryAgain(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return isTemporary(error) || error.status === 429 || error.status >= 500;
}

/** Longer than the service needs for any answer. */
const READ_TIMEOUT_MS = 30_000;

export const SIGNED_OUT = 401;
export const NOT_FOUND = 404;
export const CONFLICT = 409;
export const PROOF_REQUIRED = 428;
const OTHER_ACCOUNT = 412;

let account: number | undefined;

/** From now on, every call says that this page is one of this account. */
export function setAccountOfPage(accountId: number): void {
  account ??= accountId;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Calls the console and returns the data of its answer. The session is in a cookie that scripts cannot read. The signal
 * cancels the call, here and on the server, when its answer is no longer needed.
 */
export async function callConsole<Data>(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Data> {
  const response = await send(method, path, body, method === 'GET' ? endOfReading(signal) : signal);
  const envelope = (await response.json().catch(() => null)) as { message: string; data: Data } | null;
  if (response.ok && envelope) return envelope.data;
  if (response.ok) throw unreachable();
  // The member has changed to another account in another tab: what this page shows is not theirs to work on any more.
  if (response.status === OTHER_ACCOUNT) {
    tellAfterLoading('You have changed to another account in another tab. Nothing was changed from this one.');
    loadPage('/');
  }
  throw new ApiError(response.status, envelope?.message ?? `Rollcall answered with ${response.status}.`);
}

/** A change is waited for as long as it takes: whether it was made would be unknown. */
function endOfReading(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function send(method: Method, path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  try {
    const { headers, ...content } = contentOf(body);
    const ofPage = account === undefined ? {} : { [ACCOUNT_HEADER]: String(account) };
    return await fetch(`/console${path}`, {
      method,
      ...(signal && { signal }),
      ...content,
      headers: { ...ofPage, ...headers },
    });
  } catch {
    if (signal?.reason?.name === 'AbortError') throw signal.reason;
    throw unreachable();
  }
}

/** No answer, or one that breaks off. */
function unreachable(): ApiError {
  return new ApiError(
    0,
    'Rollcall cannot be reached. Check your connection and try again; nothing on this page was lost.',
  );
}

/** A file is sent as it is, whatever the browser believes its type to be, and everything else as JSON. */
function contentOf(body: unknown): { body?: BodyInit; headers?: Record<string, string> } {
  if (body === undefined) return {};
  if (body instanceof Blob) return { body, headers: { 'content-type': 'application/octet-stream' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Such as `?a=1&b=2`, with only the values that are set. */
export function queryString(values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
