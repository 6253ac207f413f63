/** What is known about a failure in addition to its message. */
export interface FailureDetails {
  /** The HTTP status. */
  status?: number | undefined;
  /** The `X-Request-Id` of the response. */
  requestId?: string | undefined;
  /** The wait that `Retry-After` asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** How many times the call was tried. */
  attempts?: number | undefined;
  /** The error that caused this one. */
  cause?: unknown;
}

/** Every failed call throws one of these, except an aborted one, which throws the reason of its signal. */
export class RollcallError extends Error {
  /** The name of the class, such as `RateLimitError`. */
  override name = 'RollcallError';
  /** The HTTP status, or `undefined` if the service did not respond. */
  readonly status: number | undefined;
  /** The id of the request in the log of the service, or `undefined` if the service did not respond. */
  readonly requestId: string | undefined;
  /** How long the service asked to wait, in milliseconds, or `undefined` if it did not. */
  readonly retryAfterMs: number | undefined;
  /** How many times the call was tried before it failed: 1 if it was not retried. */
  readonly attempts: number;

  constructor(message: string, { status, requestId, retryAfterMs, attempts = 1, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.attempts = attempts;
  }
}

/** 401: the API key or the access token is not accepted. Never retried. */
export class AuthenticationError extends RollcallError {
  override name = 'AuthenticationError';
}

/** 403: the API key may not make this call, for example because it lacks a scope. Never retried. */
export class PermissionError extends RollcallError {
  override name = 'PermissionError';
}

/** 404: there is no client or group with this reference or token, or `baseUrl` is wrong. Never retried. */
export class NotFoundError extends RollcallError {
  override name = 'NotFoundError';
}

/**
 * 409: the change contradicts what is stored, and the message says what is in the way. Retried only while an earlier
 * request with the same idempotency key is still running, which has a `retryAfterMs`.
 */
export class ConflictError extends RollcallError {
  override name = 'ConflictError';
}

/** 412: the client is not, or no longer, the version that `ifMatch` names. Never retried: read it again first. */
export class ChangedError extends RollcallError {
  override name = 'ChangedError';
}

/** 400 and other 4xx: the same call will fail again until the caller changes it. Never retried. */
export class InvalidRequestError extends RollcallError {
  override name = 'InvalidRequestError';
}

/** 429 even after the retries: too many requests. */
export class RateLimitError extends RollcallError {
  override name = 'RateLimitError';
}

/** 5xx; for 502, 503 and 504 even after the retries. */
export class ServiceUnavailableError extends RollcallError {
  override name = 'ServiceUnavailableError';
}

/** The service could not be reached, or its response was incomplete, even after the retries. */
export class ConnectionError extends RollcallError {
  override name = 'ConnectionError';
}

/** An attempt took longer than `timeoutMs`, even after the retries. */
export class TimeoutError extends RollcallError {
  override name = 'TimeoutError';
}

/** The error for the status of a response. */
export function errorForStatus(status: number, message: string, details: FailureDetails): RollcallError {
  if (status === 401) return new AuthenticationError(message, details);
  if (status === 403) return new PermissionError(message, details);
  if (status === 404) return new NotFoundError(message, details);
  if (status === 409) return new ConflictError(message, details);
  if (status === 412) return new ChangedError(message, details);
  if (status === 429) return new RateLimitError(message, details);
  if (status >= 500) return new ServiceUnavailableError(message, details);
  if (status >= 400) return new InvalidRequestError(message, details);
  return new RollcallError(message, details);
}

/**
 * Adds the number of attempts to the error of a call. It creates a new error, because calls that waited for the same
 * access token share one.
 */
export function withAttempts(error: RollcallError, attempts: number, elapsedMs: number): RollcallError {
  if (attempts === 1) return error;
  const SameClass = error.constructor as typeof RollcallError;
  const { message, status, requestId, retryAfterMs, cause } = error;
  const tried = `(tried ${attempts} times within ${Math.ceil(elapsedMs / 1000)} s)`;
  return new SameClass(`${message} ${tried}`, { status, requestId, retryAfterMs, attempts, cause });
}
