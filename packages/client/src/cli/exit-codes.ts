import {
  AuthenticationError,
  ChangedError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
} from '../errors.ts';
import { isTransient } from '../retry.ts';
import { UsageError } from './usage-error.ts';

export const SUCCESS = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const NOT_ALLOWED = 3;
export const TRY_LATER = 4;
export const SOME_REJECTED = 5;
export const CONFLICT = 6;

/** Chosen by what a script can do about the error. */
export function exitCodeOf(error: unknown): number {
  const wrong = [UsageError, InvalidRequestError, NotFoundError];
  if (wrong.some((type) => error instanceof type)) return WRONG_USAGE;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return NOT_ALLOWED;
  const temporary = [RateLimitError, ServiceUnavailableError, ConnectionError, TimeoutError];
  if (isTransient(error) || temporary.some((type) => error instanceof type)) return TRY_LATER;
  return error instanceof ConflictError || error instanceof ChangedError ? CONFLICT : FAILED;
}
