/** Every kind of failure that the caller is told about. The list is closed on purpose. */
export type FailureCode =
  | 'invalid_api_key'
  | 'no_credentials'
  | 'invalid_access_token'
  | 'not_signed_in'
  | 'proof_required'
  | 'forbidden'
  | 'insufficient_scope'
  | 'bad_parameter'
  | 'not_found'
  | 'conflict'
  | 'changed_meanwhile'
  | 'key_reused'
  | 'rate_limited'
  | 'unavailable';

export interface FailureOptions extends ErrorOptions {
  /** After how many seconds the caller should try again, if known. */
  retryAfterSeconds?: number;
  /** What the caller's token would have to allow. */
  scope?: string;
  /** The API key of the caller, if it is known although it is refused, such as one that was revoked. */
  caller?: KeyOfCaller;
}

export interface KeyOfCaller {
  workspaceId: number;
  keyId: string;
}

export class Failure extends Error {
  readonly code: FailureCode;
  readonly retryAfterSeconds: number | undefined;
  readonly scope: string | undefined;
  readonly caller: KeyOfCaller | undefined;

  constructor(code: FailureCode, message: string, options?: FailureOptions) {
    super(message, options);
    this.name = 'Failure';
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.scope = options?.scope;
    this.caller = options?.caller;
  }
}

export function isFailure(error: unknown, code?: FailureCode): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code);
}
