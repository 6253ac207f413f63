import { DatabaseError } from 'pg';
import { Failure } from '../../domain/failure.ts';

/** SQLSTATEs, or their first two characters, that speak of the server or of load and not of the statement. */
const UNAVAILABLE = [
  '08', // connection exceptions
  '53', // too many connections, out of memory, disk full
  '57', // shut down, cancelled, statement timeout, still starting
  '58', // errors of the machine
  '28', // refused credentials
  '3D', // no such database
  '25006', // read-only: this is a replica now
  '25P03', // idle in transaction for too long
  '40001', // could not be serialised, or a replica had to move on
  '40P01', // deadlock
  '55P03', // a lock was not to be had in time
];

/** After these the connection is of no use, or leads to the wrong server. */
const CONNECTION_ENDS = ['08', '57P', '58', '25006', '25P03'];

const RETRYABLE = ['40001', '40P01'];

const UNIQUE_VIOLATION = '23505';

/** What the driver says when it loses, or cannot get, a connection: plain errors without a code of their own. */
const CONNECTION_LOST = /connection terminated|connection error|timeout exceeded|not queryable|client was closed/i;

/** The one place where errors of the driver become failures. Anything else is a defect and stays what it is. */
export function explained(error: unknown): unknown {
  if (isConnectionError(error) || hasState(error, UNAVAILABLE)) return unavailable(error);
  if (hasState(error, [UNIQUE_VIOLATION])) {
    return new Failure('conflict', 'Somebody else made the same thing at the same moment.', { cause: error });
  }
  return error;
}

export function unavailable(cause: unknown): Failure {
  return new Failure('unavailable', 'Service temporarily unavailable.', { cause });
}

export function endsConnection(error: unknown): boolean {
  return isConnectionError(error) || hasState(error, CONNECTION_ENDS);
}

/** Of an explained error: whether the same transaction may well succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Failure && hasState(error.cause, RETRYABLE);
}

/** That a prepared statement is not there, or another one is there already: nothing was run. */
export function isAboutName(error: unknown): boolean {
  return hasState(error, ['26000', '42P05']);
}

/** Of a replica: that it has not yet been told of a table or a column, which the primary has had since the last update. */
export function lacksSchema(error: unknown): boolean {
  return hasState(error, ['42P01', '42703']);
}

/** The SQLSTATE of a refusal by the server. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

function hasState(error: unknown, states: readonly string[]): boolean {
  const state = stateOf(error);
  return state !== undefined && states.some((start) => state.startsWith(start));
}

/** System errors (ECONNREFUSED, ETIMEDOUT, ENOTFOUND, …), also several at once when a name has several addresses. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DatabaseError) return false;
  if (error instanceof AggregateError) return error.errors.every(isConnectionError);
  return ('syscall' in error && 'code' in error) || CONNECTION_LOST.test(error.message);
}
