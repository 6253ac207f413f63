import { record } from './activity.ts';
import { Failure } from './failure.ts';
import type { Actor } from './member.ts';
import { hashPassword } from './password.ts';
import { PASSWORD_MIN_LENGTH, requirePassword } from './password-rules.ts';
import { makeSecondFactorSecret, secondFactorLink, stepOfCode } from './second-factor.ts';
import type { SignedIn } from './session.ts';
import { checkPassword, type SignInDeps } from './sign-in.ts';

export interface Profiles {
  setPassword(accountId: number, memberId: number, passwordHash: string): Promise<void>;
  /** Keeps a secret that counts only once a code of it has been seen; false when there is a confirmed one already. */
  offerSecondFactor(accountId: number, memberId: number, secret: string): Promise<boolean>;
  offeredSecondFactor(accountId: number, memberId: number): Promise<string | undefined>;
  /** From now on the offered secret is asked for at sign-in; `step` is used up. */
  confirmSecondFactor(accountId: number, memberId: number, step: number, at: number): Promise<void>;
  removeSecondFactor(accountId: number, memberId: number): Promise<void>;
}

export interface ManageProfileDeps extends SignInDeps {
  profiles: Profiles;
}

/** Every other browser of the member is signed out: whoever knew the old password must not stay. */
export async function changePassword(
  deps: ManageProfileDeps,
  session: SignedIn,
  actor: Actor,
  request: { password: string; newPassword: string },
): Promise<void> {
  const { secondFactorSecret } = await checkPassword(deps, actor, request.password);
  const password = requirePassword(request.newPassword, { withSecondFactor: secondFactorSecret !== null });
  await deps.profiles.setPassword(actor.accountId, actor.memberId, await hashPassword(password));
  await deps.sessions.endOthers(actor.accountId, actor.memberId, session.id);
  await record(deps, actor, 'profile.password-changed', actor.email);
}

export async function revokeSession(deps: ManageProfileDeps, actor: Actor, sessionId: string): Promise<void> {
  if (!(await deps.sessions.end(actor.accountId, actor.memberId, sessionId))) {
    throw new Failure('not_found', 'There is no such session.');
  }
  await record(deps, actor, 'profile.session-revoked', actor.email);
}

export async function offerSecondFactor(
  deps: ManageProfileDeps,
  actor: Actor,
): Promise<{ secret: string; link: string }> {
  const secret = makeSecondFactorSecret();
  if (!(await deps.profiles.offerSecondFactor(actor.accountId, actor.memberId, secret))) {
    throw new Failure('conflict', 'There is a second factor already. Remove it first.');
  }
  return { secret, link: secondFactorLink(secret, actor.email) };
}

export async function confirmSecondFactor(deps: ManageProfileDeps, actor: Actor, code: string): Promise<void> {
  const secret = await deps.profiles.offeredSecondFactor(actor.accountId, actor.memberId);
  const now = deps.clock.now();
  const step = secret === undefined ? undefined : stepOfCode(secret, code, now);
  if (step === undefined) throw new Failure('bad_parameter', 'code is not right; type the one shown now.');
  await deps.profiles.confirmSecondFactor(actor.accountId, actor.memberId, step, now);
  await record(deps, actor, 'profile.second-factor-added', actor.email);
}

/** Alone, a password has to be longer; the length of the stored one is known only when it is typed. */
export async function removeSecondFactor(deps: ManageProfileDeps, actor: Actor, password: string): Promise<void> {
  await checkPassword(deps, actor, password);
  if (password.length < PASSWORD_MIN_LENGTH) {
    throw new Failure(
      'conflict',
      `Without a second factor a password needs at least ${PASSWORD_MIN_LENGTH} characters. Change it first.`,
    );
  }
  await deps.profiles.removeSecondFactor(actor.accountId, actor.memberId);
  await record(deps, actor, 'profile.second-factor-removed', actor.email);
}
