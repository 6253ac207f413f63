import {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
} from '../errors.ts';
import { UsageError } from './usage-error.ts';

export const SUCCESS = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const NOT_ALLOWED = 3;
export const TRY_LATER = 4;

/** Chosen by what a script can do about the error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof InvalidRequestError) return WRONG_USAGE;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return NOT_ALLOWED;
  const temporary = [RateLimitError, ServiceUnavailableError, ConnectionError, TimeoutError];
  return temporary.some((type) => error instanceof type) ? TRY_LATER : FAILED;
}
