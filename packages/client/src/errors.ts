/** What an answer said beside its message, as far as there was one. */
export interface FailureDetails {
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Every failed call ends in one of these, except an aborted one: that ends in its signal's reason. */
export class RollcallError extends Error {
  override name = 'RollcallError';
  /** The HTTP status, where the service answered. */
  readonly status: number | undefined;
  /** Names the request in the service's log, where the service answered. */
  readonly requestId: string | undefined;
  /** How long the service asked to wait, where it did. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, requestId, retryAfterMs, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 401: the API key or the access token is not accepted. */
export class AuthenticationError extends RollcallError {
  override name = 'AuthenticationError';
}

/** 400 and its kin: the same call will fail again until the caller changes it. */
export class InvalidRequestError extends RollcallError {
  override name = 'InvalidRequestError';
}

/** 429, also after the retries. */
export class RateLimitError extends RollcallError {
  override name = 'RateLimitError';
}

/** 5xx, also after the retries of those that pass. */
export class ServiceUnavailableError extends RollcallError {
  override name = 'ServiceUnavailableError';
}

/** The service was not reached, or its answer did not arrive whole. */
export class ConnectionError extends RollcallError {
  override name = 'ConnectionError';
}

/** An attempt took longer than `timeoutMs`. */
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
