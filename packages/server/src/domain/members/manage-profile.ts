import type { ChangeAccount, ChangeInstallation } from '../change.ts';
import { Failure } from '../failure.ts';
import type { SealedChanges } from '../installation-secrets.ts';
import { hashChosenPassword } from './choose-password.ts';
import type { ActingMember } from './member.ts';
import type { ResetChanges } from './one-time-link.ts';
import { PASSWORD_MIN_LENGTH } from './password-rules.ts';
import {
  makeSecondFactorSecret,
  openSecondFactor,
  sealSecondFactor,
  secondFactorLink,
  stepOfCode,
} from './second-factor.ts';
import type { SessionChanges, SignedInSession } from './session.ts';
import {
  type CodeChanges,
  checkPassword,
  hasSameCredentials,
  type LockedCredentials,
  type SignInDeps,
} from './sign-in.ts';
import { sourcesOfMember } from './sign-in-attempts.ts';

/** Changes to a member's password and second factor within a change to an account. */
export interface ProfileChanges {
  setPassword(memberId: number, passwordHash: string): Promise<void>;
  /** Requires the offered second factor from now on. Returns false if another secret has been offered since. */
  confirmSecondFactor(memberId: number, sealedSecret: string, step: number): Promise<boolean>;
  removeSecondFactor(memberId: number): Promise<void>;
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
}

export interface ManageProfileDeps extends SignInDeps {
  profiles: Profiles;
  changeAccount: ChangeAccount<{
    profiles: ProfileChanges;
    sessions: SessionChanges;
    links: ResetChanges;
    codes: CodeChanges;
    credentials: LockedCredentials;
  }>;
  changeInstallation: ChangeInstallation<{ secondFactors: SecondFactorChanges; sealed: SealedChanges }>;
}

/** Also ends the member's other sessions and reset links, so that nobody can use an old way to sign in. */
export async function changePassword(
  deps: ManageProfileDeps,
  session: SignedInSession,
  actor: ActingMember,
  request: { password: string; newPassword: string },
): Promise<void> {
  const { accountId, memberId } = actor;
  const checked = await checkPassword(deps, actor, request.password);
  const passwordHash = await hashChosenPassword(request.newPassword, {
    field: 'new_password',
    withSecondFactor: checked.secondFactor !== null,
    facts: [session.email, session.accountName],
  });
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    const isOpen = await change.sessions.isOpen(memberId, session.id);
    if (!isOpen || !hasSameCredentials(await change.credentials.byId(memberId), checked)) throw changedMeanwhile();
    await change.profiles.setPassword(memberId, passwordHash);
    await change.sessions.endOthers(memberId, session.id);
    await change.links.endResetsOf(actor.name);
    change.record('profile.password-changed', actor.name);
  });
}

export async function revokeSession(deps: ManageProfileDeps, actor: ActingMember, sessionId: string): Promise<void> {
  const { accountId, memberId } = actor;
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    if (!(await change.sessions.end(memberId, sessionId))) {
      throw new Failure('not_found', 'There is no such session.');
    }
    change.record('profile.session-revoked', actor.name);
  });
}

export async function offerSecondFactor(
  deps: ManageProfileDeps,
  actor: ActingMember,
): Promise<{ secret: string; link: string }> {
  const { accountId, memberId } = actor;
  const secret = makeSecondFactorSecret();
  const isOffered = await deps.changeInstallation({ actor, at: deps.clock.now() }, async (change) => {
    const sealed = await sealSecondFactor(deps.secrets, change.sealed, memberId, secret);
    return change.secondFactors.offer(accountId, memberId, sealed);
  });
  if (!isOffered) {
    throw new Failure('conflict', 'You already have a second factor. Remove it first.');
  }
  return { secret, link: secondFactorLink(secret, actor.name) };
}

/** Guessing is slowed down in the same way as at sign-in. */
export async function confirmSecondFactor(deps: ManageProfileDeps, actor: ActingMember, code: string): Promise<void> {
  const { accountId, memberId } = actor;
  const at = deps.clock.now();
  const sealed = await deps.profiles.offeredSecondFactor(accountId, memberId);
  const secret = sealed && openSecondFactor(deps.secrets, memberId, sealed);
  const attempt = await deps.attempts.begin(sourcesOfMember(memberId), at);
  const step = secret === undefined ? undefined : stepOfCode(secret, code, at);
  if (sealed === undefined || step === undefined) throw wrongCode();
  // The code was right, so a failure from here on is not a guess.
  await attempt.succeeded();
  await deps.changeAccount({ accountId, actor, at }, async (change) => {
    if (!(await change.profiles.confirmSecondFactor(memberId, sealed, step))) throw wrongCode();
    change.record('profile.second-factor-added', actor.name);
  });
}

/** Without a second factor, a password must be longer. The length of the stored one is known only when it is entered. */
export async function removeSecondFactor(
  deps: ManageProfileDeps,
  actor: ActingMember,
  password: string,
): Promise<void> {
  const { accountId, memberId } = actor;
  const checked = await checkPassword(deps, actor, password);
  if (password.length < PASSWORD_MIN_LENGTH) {
    throw new Failure(
      'conflict',
      `Without a second factor, your password must have at least ${PASSWORD_MIN_LENGTH} characters. Change it first.`,
    );
  }
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    if (!hasSameCredentials(await change.credentials.byId(memberId), checked)) throw changedMeanwhile();
    await change.profiles.removeSecondFactor(memberId);
    change.record('profile.second-factor-removed', actor.name);
  });
}

function changedMeanwhile(): Failure {
  return new Failure('conflict', 'Your password or second factor has been changed in the meantime. Sign in again.');
}

function wrongCode(): Failure {
  return new Failure('bad_parameter', 'code is not correct; enter the current code.');
}
