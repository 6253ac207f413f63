import { Failure } from '../failure.ts';
import { problemWithText } from '../text.ts';
import type { RequestStatus } from './request-status.ts';

export const REASON_MAX_LENGTH = 500;

/** Why a client is changed, as its history keeps it. An empty text means that there is no reason. */
export function requireReason(text: string | undefined): string | undefined {
  const reason = text?.trim();
  if (!reason) return undefined;
  const problem = problemWithText(reason, REASON_MAX_LENGTH);
  if (problem) throw new Failure('bad_parameter', `reason ${problem}.`);
  return reason;
}

/** What an account has decided about reasons, as of the change. */
export interface ReasonRules {
  requiresDeclineReason(): Promise<boolean>;
}

/** Whether a client may not be given this status, because the account requires a reason to decline a client. */
export async function lacksReason(
  rules: ReasonRules,
  requestStatus: RequestStatus | undefined,
  reason: string | undefined,
): Promise<boolean> {
  return requestStatus === 'declined' && reason === undefined && (await rules.requiresDeclineReason());
}

export function reasonMissing(): Failure {
  return new Failure('bad_parameter', 'reason is missing: the account requires one to decline a client.');
}
