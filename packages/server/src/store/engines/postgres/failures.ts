import { DatabaseError } from 'pg';
import { Failure } from '../../../domain/failure.ts';
import { Trouble } from '../trouble.ts';

/** What speaks of the server or of load and not of the statement: SQLSTATEs or their beginnings, the longer ones first. */
const REASONS: readonly (readonly [start: string, reason: string])[] = [
  ['53100', 'the disk of the database server is full'],
  ['53200', 'the database server is out of memory'],
  ['53300', 'the database server has too many connections'],
  ['53', 'the database server is short of something that it needs'],
  ['57P01', 'the database server is shutting down'],
  ['57P02', 'the database server has crashed and is starting again'],
  ['57P03', 'the database server is starting or shutting down'],
  ['57', 'the database took too long'],
  ['58030', 'the disk of the database server reports an I/O error'],
  ['58', 'the database server reports an error of its machine'],
  ['28P01', 'the database server refuses the user name or the password'],
  ['28', 'the database server does not let this user in'],
  ['3D', 'the database does not exist'],
  ['25006', 'the database server is read-only'],
  ['55000', 'the database server is a replica and cannot be written to'],
  ['25P03', 'a transaction did nothing for too long'],
  ['40001', 'others were changing the same at the same moment'],
  ['40P01', 'others were changing the same at the same moment'],
  ['55P03', 'others were changing the same at the same moment'],
  ['08', 'the connection to the database server was lost'],
];

/** Of the server's own refusals, those that mean "unavailable" wherever they come from. */
const UNAVAILABLE = REASONS.map(([start]) => start).filter((start) => start !== '55000');

/** After these the connection is of no use, or leads to the wrong server. */
const CONNECTION_ENDS = ['08', '57P', '58', '25006', '25P03'];

const RETRYABLE = ['40001', '40P01'];

/** Others were in the way, or the statement was: the server itself is well. */
const PASSING = [...RETRYABLE, '55P03', '57014', '25P03'];

const UNIQUE_VIOLATION = '23505';

/** What the driver says when it loses, or cannot get, a connection: plain errors without a code of their own. */
const CONNECTION_LOST = /connection terminated|connection error|timeout exceeded|not queryable|client was closed/i;

/** What the driver says when every connection of the pool is in use, and stays so. */
const ALL_IN_USE = /timeout exceeded when trying to connect/i;

const SYSTEM_REASONS: Record<string, string> = {
  ECONNREFUSED: 'the database server refuses connections',
  ECONNRESET: 'the connection to the database server was lost',
  EPIPE: 'the connection to the database server was lost',
  ENOTFOUND: 'the name of the database server is unknown',
  EAI_AGAIN: 'the name of the database server cannot be looked up',
};

/** The one place where errors of the driver become failures. Anything else is a defect and stays what it is. */
export function explained(error: unknown): unknown {
  if (isConnectionError(error) || hasState(error, UNAVAILABLE)) return unavailable(error);
  if (hasState(error, [UNIQUE_VIOLATION])) {
    return new Failure('conflict', 'Somebody else made the same thing at the same moment.', { cause: error });
  }
  return error;
}

export function unavailable(cause: unknown): Trouble {
  const isAllInUse = cause instanceof Error && ALL_IN_USE.test(cause.message);
  return new Trouble(reasonOf(cause), { cause, passing: isAllInUse || hasState(cause, PASSING) });
}

/** Never the message of the error itself, which may hold addresses and names. */
function reasonOf(error: unknown): string {
  const state = stateOf(error);
  if (state !== undefined) {
    return REASONS.find(([start]) => state.startsWith(start))?.[1] ?? 'the database server turns us away';
  }
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'the database server cannot be reached';
  const reason = 'code' in error ? SYSTEM_REASONS[String(error.code)] : undefined;
  if (reason !== undefined) return reason;
  if (ALL_IN_USE.test(error.message)) return 'all connections to the database server are in use';
  if (/timeout/i.test(error.message)) return 'the database server does not answer in time';
  if (/certificate|SSL|TLS/i.test(error.message)) return 'no secure connection to the database server can be made';
  if (CONNECTION_LOST.test(error.message)) return 'the connection to the database server was lost';
  return 'the database server cannot be reached';
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
