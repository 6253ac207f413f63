import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Failure, type FailureCode } from '../domain/failure.ts';

/** The one shape of every body: the status again, a message, and data that is null on failure. */
export interface Envelope<Data> {
  status_code: number;
  message: string;
  data: Data;
}

export const FailureEnvelope = Type.Object(
  {
    status_code: Type.Integer({ description: 'The HTTP status again.' }),
    message: Type.String({ description: 'What went wrong and what to do about it.' }),
    data: Type.Null(),
  },
  { title: 'Failure', additionalProperties: false },
);

/** What a success with this data looks like. */
export function envelopeOf(data: TSchema): TSchema {
  return Type.Object({ status_code: Type.Integer(), message: Type.String(), data }, { additionalProperties: false });
}

export const JSON_TYPE = 'application/json; charset=utf-8';

const STATUS: Record<FailureCode, number> = {
  invalid_api_key: 401,
  no_credentials: 401,
  invalid_access_token: 401,
  not_signed_in: 401,
  proof_required: 428,
  forbidden: 403,
  bad_parameter: 400,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};

const CHALLENGE = 'Bearer realm="rollcall"';

/** What a code says in headers beside its status. */
const HEADERS: Partial<Record<FailureCode, Record<string, string>>> = {
  no_credentials: { 'WWW-Authenticate': CHALLENGE },
  invalid_access_token: { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
  unavailable: { 'Retry-After': '1' },
};

export function success<Data>(data: Data): Envelope<Data> {
  return { status_code: 200, message: 'Success', data };
}

export function failureBody(status: number, message: string): Envelope<null> {
  return { status_code: status, message, data: null };
}

export function sendFailure(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(failureBody(status, message));
}

/** What an error says to the caller. Every error ends here, whoever threw it; only a Failure's words get out. */
export function refusalBy(error: unknown): { status: number; message: string; headers: Record<string, string> } {
  if (error instanceof Failure) {
    return { status: STATUS[error.code], message: error.message, headers: headersOf(error) };
  }
  const headers = {};
  const status = statusOfFrameworkError(error);
  if (status === 413) return { status, message: 'Request body too large.', headers };
  if (status !== undefined) return { status, message: 'Bad request: it could not be read.', headers };
  return { status: 500, message: 'Internal error.', headers };
}

function headersOf({ code, retryAfterSeconds }: Failure): Record<string, string> {
  return { ...HEADERS[code], ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }) };
}

export function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const { status, message, headers } = refusalBy(error);
  return sendFailure(reply.headers(headers), status, message);
}

/** True for what is our defect and belongs in the log with its cause. */
export function isDefect(error: unknown): boolean {
  return !(error instanceof Failure) && statusOfFrameworkError(error) === undefined;
}

function statusOfFrameworkError(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
