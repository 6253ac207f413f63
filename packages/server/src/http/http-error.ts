import { Failure, type FailureCode } from '../domain/failure.ts';
import type { HeaderList } from './header-list.ts';

/** What an error becomes as an answer. */
export interface ErrorAnswer {
  status: number;
  message: string;
  headers: HeaderList;
  /** Whether the connection ends with the answer, because the rest of the request will not be read. */
  close: boolean;
}

/** Thrown for a request that is refused because of how it was sent, before the domain has seen it. */
export class HttpError extends Error implements ErrorAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly close: boolean;

  constructor(status: number, message: string, { headers = [], close = false }: Partial<ErrorAnswer> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.close = close;
  }
}

const STATUS: Record<FailureCode, number> = {
  invalid_api_key: 401,
  no_credentials: 401,
  invalid_access_token: 401,
  not_signed_in: 401,
  proof_required: 428,
  forbidden: 403,
  insufficient_scope: 403,
  bad_parameter: 400,
  not_found: 404,
  conflict: 409,
  changed_meanwhile: 412,
  key_reused: 422,
  rate_limited: 429,
  unavailable: 503,
};

const CHALLENGE = 'Bearer realm="rollcall"';

const CHALLENGES: Partial<Record<FailureCode, string>> = {
  no_credentials: CHALLENGE,
  invalid_access_token: `${CHALLENGE}, error="invalid_token"`,
};

const UNAVAILABLE_RETRY_SECONDS = 1;

/** Every error ends here, wherever it was thrown. Only messages that were written for callers get out. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof HttpError) return error;
  if (error instanceof Failure) {
    return { status: STATUS[error.code], message: error.message, headers: headersOf(error), close: false };
  }
  const status = statusOfFrameworkError(error);
  if (status !== undefined) return { status, message: 'Bad request: it could not be read.', headers: [], close: false };
  return { status: 500, message: 'Internal error.', headers: [], close: false };
}

function headersOf({ code, retryAfterSeconds, scope }: Failure): HeaderList {
  const challenge =
    scope === undefined ? CHALLENGES[code] : `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`;
  const retryAfter = retryAfterSeconds ?? (code === 'unavailable' ? UNAVAILABLE_RETRY_SECONDS : undefined);
  return [
    ...(challenge === undefined ? [] : ['WWW-Authenticate', challenge]),
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
  ];
}

/** True for a defect of ours, which belongs in the log with its cause. */
export function isDefect(error: unknown): boolean {
  const isExpected = error instanceof Failure || error instanceof HttpError;
  return !isExpected && statusOfFrameworkError(error) === undefined;
}

function statusOfFrameworkError(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
