import { PROOF_REQUIRED, SIGNED_OUT } from '../api.ts';

/** Why a member is asked who they are: the session has ended, or what they want to do needs a proof that is recent. */
export type ProofRequest = { hasEnded: true } | { hasEnded: false; why: string };

/** What the console asks for with a refusal, or undefined if a proof would not help. */
export function proofRequestOf({ status, message }: { status: number; message: string }): ProofRequest | undefined {
  if (status === SIGNED_OUT) return { hasEnded: true };
  return status === PROOF_REQUIRED ? { hasEnded: false, why: message } : undefined;
}

export function proofRequestText(request: ProofRequest, email: string | undefined): string {
  if (!request.hasEnded) return `You signed in a while ago. ${request.why}`;
  return `Your session has ended. Sign in again as ${email ?? 'the same member'} to continue; nothing is lost.`;
}
