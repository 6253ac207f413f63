import { DatabaseError } from 'pg';
import { Failure } from '../../../domain/failure.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';

/** SQLSTATEs, or prefixes of them, that are caused by the server or its load and not by the statement. Longer ones come first. */
const REASONS: readonly (readonly [start: string, reason: string])[] = [
  ['53100', 'the disk of the database server is full'],
  ['53200', 'the database server is out of memory'],
  ['53300', 'the database server has too many connections'],
  ['53', 'the database server has insufficient resources'],
  ['57P01', 'the database server is shutting down'],
  ['57P02', 'the database server has crashed and is restarting'],
  ['57P03', 'the database server is starting or shutting down'],
  ['57', 'the database took too long'],
  ['58030', 'the disk of the database server reports an I/O error'],
  ['58', 'the database server reports a system error'],
  ['28P01', 'the database server refuses the user name or the password'],
  ['28', 'the database server does not allow this user to connect'],
  ['3D', 'the database does not exist'],
  ['25006', 'the database server is read-only'],
  ['55000', 'the database server is a replica and cannot be written to'],
  ['25P03', 'a transaction was idle for too long'],
  ['40001', 'another change to the same data was in progress'],
  ['40P01', 'another change to the same data was in progress'],
  ['55P03', 'another change to the same data was in progress'],
  ['08', 'the connection to the database server was lost'],
];

/** These SQLSTATEs always mean that the database is unavailable. */
const UNAVAILABLE = REASONS.map(([start]) => start).filter((start) => start !== '55000');

/** After these errors the connection is unusable, or leads to the wrong server. */
const CONNECTION_ENDS = ['08', '57P', '58', '25006', '25P03'];

const RETRYABLE = ['40001', '40P01'];

/** These errors are caused by other work or by the statement itself; the server works. */
const TRANSIENT = [...RETRYABLE, '55P03', '57014', '25P03'];

const UNIQUE_VIOLATION = '23505';

/** Messages of the driver, which has no error codes, when a connection is lost or cannot be opened. */
const CONNECTION_LOST = /connection terminated|connection error|timeout exceeded|not queryable|client was closed/i;

/** The message of the driver when all connections of the pool stay in use. */
const ALL_IN_USE = /timeout exceeded when trying to connect/i;

const SYSTEM_REASONS: Record<string, string> = {
  ECONNREFUSED: 'the database server refuses connections',
  ECONNRESET: 'the connection to the database server was lost',
  EPIPE: 'the connection to the database server was lost',
  ENOTFOUND: 'the host name of the database server is unknown',
  EAI_AGAIN: 'the host name of the database server cannot be resolved',
};

/** Turns errors of the driver into failures. Any other error is a defect and stays as it is. */
export function mapError(error: unknown): unknown {
  if (isConnectionError(error) || hasState(error, UNAVAILABLE)) return toUnavailable(error);
  if (hasState(error, [UNIQUE_VIOLATION])) {
    return new Failure('conflict', 'Somebody else created the same entry at the same time.', { cause: error });
  }
  return error;
}

export function toUnavailable(cause: unknown): DatabaseUnavailable {
  const isAllInUse = cause instanceof Error && ALL_IN_USE.test(cause.message);
  return new DatabaseUnavailable(reasonOf(cause), { cause, isTransient: isAllInUse || hasState(cause, TRANSIENT) });
}

/** Never returns the message of the error itself, which may contain addresses and names. */
function reasonOf(error: unknown): string {
  const state = sqlStateOf(error);
  if (state !== undefined) {
    return REASONS.find(([start]) => state.startsWith(start))?.[1] ?? 'the database server refuses the request';
  }
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'the database server cannot be reached';
  const reason = 'code' in error ? SYSTEM_REASONS[String(error.code)] : undefined;
  if (reason !== undefined) return reason;
  if (ALL_IN_USE.test(error.message)) return 'all connections to the database server are in use';
  if (/timeout/i.test(error.message)) return 'the database server does not answer in time';
  if (/certificate|SSL|TLS/i.test(error.message))
    return 'a secure connection to the database server cannot be established';
  if (CONNECTION_LOST.test(error.message)) return 'the connection to the database server was lost';
  return 'the database server cannot be reached';
}

export function endsConnection(error: unknown): boolean {
  return isConnectionError(error) || hasState(error, CONNECTION_ENDS);
}

/** Whether a transaction that failed with this mapped error may succeed if it is run again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Failure && hasState(error.cause, RETRYABLE);
}

/** The server has cancelled a statement at its timeout. */
export function tookTooLong(error: unknown): boolean {
  return hasState(error, ['57014']);
}

/** The prepared statement does not exist, or another one has its name; nothing was run. */
export function isPreparedNameError(error: unknown): boolean {
  return hasState(error, ['26000', '42P05']);
}

/** A replica has not received a table or column yet that the primary has since the last migration. */
export function isMissingSchema(error: unknown): boolean {
  return hasState(error, ['42P01', '42703']);
}

/** The SQLSTATE of an error from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

function hasState(error: unknown, states: readonly string[]): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && states.some((start) => state.startsWith(start));
}

/** System errors (ECONNREFUSED, ETIMEDOUT, ENOTFOUND, …), or several of them if a host name has several addresses. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DatabaseError) return false;
  if (error instanceof AggregateError) return error.errors.every(isConnectionError);
  return ('syscall' in error && 'code' in error) || CONNECTION_LOST.test(error.message);
}
