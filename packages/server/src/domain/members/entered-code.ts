import type { AccountRecorder } from '../change.ts';
import { Failure } from '../failure.ts';
import type { InstallationSecrets } from '../installation-secrets.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { openSecondFactor, stepOfCode } from './second-factor.ts';

/** The current code of an authenticator app, known by its time step, or a recovery code. */
export type EnteredCode = { step: number } | { recoveryHash: string };

/** Changes to the codes of members, within a change to an account. */
export interface CodeChanges {
  /** Marks the time step as used. Returns false if this step or a later one was used before. */
  useStep(memberId: number, step: number): Promise<boolean>;
  /** Removes the recovery code. Returns false if the member does not have it. */
  useRecoveryCode(memberId: number, hash: string): Promise<boolean>;
}

/** Returns `undefined` if the code cannot be right. */
export function readCode(
  secrets: InstallationSecrets,
  { memberId, sealedSecret }: { memberId: number; sealedSecret: string | undefined },
  code: string,
  now: number,
): EnteredCode | undefined {
  const recoveryHash = hashRecoveryCode(code);
  if (recoveryHash !== undefined) return { recoveryHash };
  if (sealedSecret === undefined) return undefined;
  const step = stepOfCode(openSecondFactor(secrets, memberId, sealedSecret), code, now);
  return step === undefined ? undefined : { step };
}

/** Uses up the code. Returns false if it was used before, or is not a code of this member. */
export async function useCode(
  { codes, record }: AccountRecorder & { codes: CodeChanges },
  member: { id: number; email: string },
  entered: EnteredCode,
): Promise<boolean> {
  if ('step' in entered) return codes.useStep(member.id, entered.step);
  const isUsed = await codes.useRecoveryCode(member.id, entered.recoveryHash);
  if (isUsed) record('profile.recovery-code-used', member.email);
  return isUsed;
}

export function wrongCode(): Failure {
  return new Failure('bad_parameter', 'code is not correct, or was used before; enter a current one.');
}
