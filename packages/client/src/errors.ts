/** What is known of a failure beside its message, as far as it is. */
export interface FailureDetails {
  /** The HTTP status. */
  status?: number | undefined;
  /** The `X-Request-Id` of the answer. */
  requestId?: string | undefined;
  /** What `Retry-After` asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** How often the call was tried. */
  attempts?: number | undefined;
  /** The error that this one was made of. */
  cause?: unknown;
}

/** Every failed call ends in one of these, except an aborted one: that ends in its signal's reason. */
export class RollcallError extends Error {
  /** The name of the class, such as `RateLimitError`. */
  override name = 'RollcallError';
  /** The HTTP status, where the service answered; otherwise undefined. */
  readonly status: number | undefined;
  /** Names the request in the service's log, where the service answered; otherwise undefined. */
  readonly requestId: string | undefined;
  /** How long the service asked to wait, in milliseconds, where it did; otherwise undefined. */
  readonly retryAfterMs: number | undefined;
  /** How often the call was tried before it ended in this error: 1 where it was not tried again. */
  readonly attempts: number;

  constructor(message: string, { status, requestId, retryAfterMs, attempts = 1, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.attempts = attempts;
  }
}

/** 401: the API key or the access token is not accepted. Never tried again. */
export class AuthenticationError extends RollcallError {
  override name = 'AuthenticationError';
}

/** 400 and its kin: the same call will fail again until the caller changes it. Never tried again. */
export class InvalidRequestError extends RollcallError {
  override name = 'InvalidRequestError';
}

/** 429, also after the retries. */
export class RateLimitError extends RollcallError {
  override name = 'RateLimitError';
}

/** 5xx, also after the retries of those that pass (502, 503 and 504). */
export class ServiceUnavailableError extends RollcallError {
  override name = 'ServiceUnavailableError';
}

/** The service was not reached, or its answer did not arrive whole, also after the retries. */
export class ConnectionError extends RollcallError {
  override name = 'ConnectionError';
}

/** An attempt took longer than `timeoutMs`, also after the retries. */
export class TimeoutError extends RollcallError {
  override name = 'TimeoutError';
}

/** The error that an answer's status stands for. */
export function errorOf(status: number, message: string, details: FailureDetails): RollcallError {
  if (status === 401) return new AuthenticationError(message, details);
  if (status === 429) return new RateLimitError(message, details);
  if (status >= 500) return new ServiceUnavailableError(message, details);
  if (status >= 400) return new InvalidRequestError(message, details);
  return new RollcallError(message, details);
}

/**
 * The error of a call that was tried so often. Where that was more than once, it is a new one that says so: calls that
 * waited for the same access token have failed with the same error.
 */
export function afterAttempts(error: RollcallError, attempts: number, elapsedMs: number): RollcallError {
  if (attempts === 1) return error;
  const SameClass = error.constructor as typeof RollcallError;
  const { message, status, requestId, retryAfterMs, cause } = error;
  const often = `(tried ${attempts} times within ${Math.ceil(elapsedMs / 1000)} s)`;
  return new SameClass(`${message} ${often}`, { status, requestId, retryAfterMs, attempts, cause });
}
