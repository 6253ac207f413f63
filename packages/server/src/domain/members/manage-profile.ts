import type { ChangeAccount, ChangeInstallation } from '../change.ts';
import { Failure } from '../failure.ts';
import type { SealedChanges } from '../installation-secrets.ts';
import { hashSecret } from '../secret.ts';
import { hashChosenPassword } from './choose-password.ts';
import type { LockedCredentials } from './credentials.ts';
import { type CodeChanges, useCode, wrongCode } from './entered-code.ts';
import { type MailChanges, tellByMail } from './mail.ts';
import type { ActingMember } from './member.ts';
import type { ResetChanges } from './one-time-link.ts';
import type { PasskeyChanges } from './passkey.ts';
import { PASSWORD_MIN_LENGTH } from './password-rules.ts';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { makeSecondFactorSecret, openSecondFactor, sealSecondFactor, stepOfCode } from './second-factor.ts';
import {
  newSessionToken,
  noSession,
  requireRecentProof,
  type SessionChanges,
  type SignedInSession,
} from './session.ts';
import { changedMeanwhile, checkPassword, hasSameCredentials, type SignInDeps, withCode } from './sign-in.ts';
import { sourcesOfCode } from './sign-in-attempts.ts';

/** Changes to a member's password and second factor within a change to an account. */
export interface ProfileChanges {
  setPassword(memberId: number, passwordHash: string): Promise<void>;
  /** Requires the offered second factor from now on. Returns false if another secret has been offered since. */
  confirmSecondFactor(memberId: number, sealedSecret: string, step: number): Promise<boolean>;
  /** Removes the authenticator app. */
  removeSecondFactor(memberId: number): Promise<void>;
  /** Replaces all recovery codes of the member. */
  setRecoveryCodes(memberId: number, hashes: readonly string[]): Promise<void>;
}

/** Changes to second factors within a change to the installation, under whose lock every sealed text is written. */
export interface SecondFactorChanges {
  /** Stores a secret that has no effect until it is confirmed with a code. Returns false if a second factor is already confirmed. */
  offer(accountId: number, memberId: number, sealedSecret: string): Promise<boolean>;
  /** Removes all second factors and offers, and returns the members who had a second factor. */
  removeAll(): Promise<{ accountId: number; email: string }[]>;
}

export interface Profiles {
  /** The sealed secret that was offered. */
  offeredSecondFactor(accountId: number, memberId: number): Promise<string | undefined>;
  countRecoveryCodes(accountId: number, memberId: number): Promise<number>;
}

export interface ManageProfileDeps extends SignInDeps {
  profiles: Profiles;
  changeAccount: ChangeAccount<{
    passkeys: PasskeyChanges;
    profiles: ProfileChanges;
    sessions: SessionChanges;
    links: ResetChanges;
    codes: CodeChanges;
    credentials: LockedCredentials;
    mails: MailChanges;
  }>;
  changeInstallation: ChangeInstallation<{ secondFactors: SecondFactorChanges; sealed: SealedChanges }>;
}

/**
 * Also ends the member's other sessions and reset links, so that nobody can use an old way to sign in. Returns a new token for
 * this session, unless another request has just replaced it.
 */
export async function changePassword(
  deps: ManageProfileDeps,
  session: SignedInSession,
  actor: ActingMember,
  request: { password: string; newPassword: string },
): Promise<string | undefined> {
  const { accountId, memberId } = actor;
  const checked = await checkPassword(deps, actor, request.password);
  // The password is not enough for a member with a second factor, and the change would lock them out.
  if (checked.member.hasSecondFactor) requireRecentProof(session, deps.clock.now(), 'change your password');
  const passwordHash = await hashChosenPassword(deps, session, request.newPassword, {
    field: 'new_password',
    withSecondFactor: checked.member.hasSecondFactor,
  });
  const token = newSessionToken();
  return deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    const isOpen = await change.sessions.isOpen(memberId, session.id);
    if (!isOpen || !hasSameCredentials(await change.credentials.byId(memberId), checked)) throw changedMeanwhile();
    await change.profiles.setPassword(memberId, passwordHash);
    await change.sessions.endOthers(memberId, session.id);
    await change.links.endResetsOf(actor.name);
    await tellByMail(deps, change, actor.name, { kind: 'password-changed', address: actor.address });
    change.record('profile.password-changed', actor.name);
    return (await change.sessions.prove(memberId, session, hashSecret(token))) ? token : undefined;
  });
}

export async function revokeSession(deps: ManageProfileDeps, actor: ActingMember, sessionId: string): Promise<void> {
  const { accountId, memberId } = actor;
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    if (!(await change.sessions.end(memberId, sessionId))) throw noSession();
    change.record('profile.session-revoked', actor.name);
  });
}

/** Returns the secret for the authenticator app. */
export async function offerSecondFactor(deps: ManageProfileDeps, actor: ActingMember): Promise<{ secret: string }> {
  const { accountId, memberId } = actor;
  const secret = makeSecondFactorSecret();
  const isOffered = await deps.changeInstallation({ actor, at: deps.clock.now() }, async (change) => {
    const sealed = await sealSecondFactor(deps.secrets, change.sealed, memberId, secret);
    return change.secondFactors.offer(accountId, memberId, sealed);
  });
  if (!isOffered) {
    throw new Failure('conflict', 'You already have a second factor. Remove it first.');
  }
  return { secret };
}

/**
 * Returns recovery codes, if this is the first second factor, and a new token for this session, unless another request has just replaced it. Guessing is slowed
 * down in the same way as at sign-in. The member's other sessions are ended, because they were opened without the second
 * factor.
 */
export async function confirmSecondFactor(
  deps: ManageProfileDeps,
  session: Pick<SignedInSession, 'id' | 'tokenHash'>,
  actor: ActingMember,
  code: string,
): Promise<{ codes: string[]; token: string | undefined }> {
  const { accountId, memberId } = actor;
  const at = deps.clock.now();
  const sealed = await deps.profiles.offeredSecondFactor(accountId, memberId);
  const secret = sealed && openSecondFactor(deps.secrets, memberId, sealed);
  const attempt = await deps.attempts.begin(sourcesOfCode(memberId), at);
  const step = secret === undefined ? undefined : stepOfCode(secret, code, at);
  if (sealed === undefined || step === undefined) throw wrongCode();
  // The code was right, so a failure from here on is not a guess.
  await attempt.succeeded();
  const token = newSessionToken();
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const isFirst = !(await change.credentials.byId(memberId))?.member.hasSecondFactor;
    if (!(await change.profiles.confirmSecondFactor(memberId, sealed, step))) throw wrongCode();
    await change.sessions.endOthers(memberId, session.id);
    await tellByMail(deps, change, actor.name, { kind: 'second-factor-added', address: actor.address });
    change.record('profile.second-factor-added', actor.name);
    const isReplaced = await change.sessions.prove(memberId, session, hashSecret(token));
    const codes = isFirst ? await giveRecoveryCodes(change.profiles, memberId) : [];
    return { codes, token: isReplaced ? token : undefined };
  });
}

/** Replaces all recovery codes, for a member who has used some of them or has lost them. */
export async function renewRecoveryCodes(deps: ManageProfileDeps, actor: ActingMember): Promise<string[]> {
  const { accountId, memberId } = actor;
  return deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    if (!(await change.credentials.byId(memberId))?.member.hasSecondFactor) throw noSecondFactor();
    change.record('profile.recovery-codes-made', actor.name);
    return giveRecoveryCodes(change.profiles, memberId);
  });
}

export async function giveRecoveryCodes(profiles: ProfileChanges, memberId: number): Promise<string[]> {
  const codes = makeRecoveryCodes();
  await profiles.setRecoveryCodes(
    memberId,
    codes.flatMap((code) => hashRecoveryCode(code) ?? []),
  );
  return codes;
}

/**
 * Asks for a code as well, so that somebody who has found out the password cannot do it. Without a second factor, a password
 * must be longer. The length of the stored one is known only when it is entered.
 */
export async function removeSecondFactor(
  deps: ManageProfileDeps,
  actor: ActingMember,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const checked = await checkPassword(deps, actor, password);
  if (checked.secondFactor === null) throw noSecondFactor();
  if (checked.passkeys === 0) requireLongPassword(password);
  const { accountId, memberId, address } = actor;
  await withCode(deps, checked, { code, address, wrong: wrongCode() }, (entered) =>
    deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
      if (!hasSameCredentials(await change.credentials.byId(memberId), checked)) throw changedMeanwhile();
      if (!(await useCode(change, checked.member, entered))) return undefined;
      await change.profiles.removeSecondFactor(memberId);
      if (checked.passkeys === 0) await change.profiles.setRecoveryCodes(memberId, []);
      await tellByMail(deps, change, actor.name, { kind: 'second-factor-removed', address });
      change.record('profile.second-factor-removed', actor.name);
      return true;
    }),
  );
}

export function requireLongPassword(password: string): void {
  if (password.length >= PASSWORD_MIN_LENGTH) return;
  throw new Failure(
    'conflict',
    `Without a second factor, your password must have at least ${PASSWORD_MIN_LENGTH} characters. Change it first.`,
  );
}

function noSecondFactor(): Failure {
  return new Failure('conflict', 'You have no second factor.');
}
