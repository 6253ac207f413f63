import { type ChangeAccount, type RecordDeps, record } from '../change.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { Failure, isFailure } from '../failure.ts';
import type { InstallationSecrets } from '../installation-secrets.ts';
import { callerNetwork } from '../network-address.ts';
import { hashSecret } from '../secret.ts';
import { fold } from '../text.ts';
import type { KnownDevices } from './known-devices.ts';
import type { ActingMember, Member } from './member.ts';
import { passwordMatches } from './password.ts';
import { openSecondFactor, stepOfCode } from './second-factor.ts';
import { newSession, type Origin, type SessionChanges, type SessionDeps, type SignedInSession } from './session.ts';
import {
  type Attempt,
  type AttemptSource,
  type SignInAttempts,
  sourcesOfDevice,
  sourcesOfMember,
  sourcesOfVisitor,
} from './sign-in-attempts.ts';

/** What is needed to check a sign-in. It never leaves the server. */
export interface Credentials {
  member: Member;
  passwordHash: string;
  /** Null until a second factor has been added and confirmed. */
  secondFactor: { sealedSecret: string; addedAt: number } | null;
}

export interface MemberCredentials {
  byEmail(emailFolded: string): Promise<Credentials | undefined>;
  byId(accountId: number, memberId: number): Promise<Credentials | undefined>;
}

/** Changes to second factors at sign-in, within a change to an account. */
export interface CodeChanges {
  /** Marks the time step as used. Returns false if this step or a later one was used before. */
  useStep(memberId: number, step: number): Promise<boolean>;
}

/** The credentials of a member, read under the lock. */
export interface LockedCredentials {
  byId(memberId: number): Promise<Credentials | undefined>;
}

export interface StartSessionDeps extends SessionDeps, RecordDeps {
  changeAccount: ChangeAccount<{ sessions: SessionChanges; codes: CodeChanges; credentials: LockedCredentials }>;
}

export interface SignInDeps extends StartSessionDeps {
  credentials: MemberCredentials;
  secrets: InstallationSecrets;
  attempts: SignInAttempts;
  knownDevices: KnownDevices;
  concurrencyLimit: ConcurrencyLimit;
}

export interface SignInRequest {
  email: string;
  password: string;
  code?: string | undefined;
}

/** Returns the token of a new session, or `undefined` if the password is right and a one-time code is needed. */
export async function signIn(deps: SignInDeps, request: SignInRequest, origin: Origin): Promise<string | undefined> {
  const emailFolded = fold(request.email);
  const deviceId = await deps.knownDevices.find(origin.deviceNote, emailFolded);
  const { credentials, attempt } = await checkSecret(deps, {
    find: () => deps.credentials.byEmail(emailFolded),
    password: request.password,
    sources:
      deviceId === undefined ? sourcesOfVisitor(emailFolded, origin.address) : sourcesOfDevice(emailFolded, deviceId),
    address: origin.address,
    isEnough: ({ secondFactor }) => secondFactor === null,
  });
  if (!credentials) throw invalidSignIn({ withCode: request.code !== undefined });
  const { member, secondFactor } = credentials;
  if (secondFactor === null) return startSession(deps, member, origin, { checked: credentials });
  if (request.code === undefined) {
    await attempt.forgiven();
    return undefined;
  }
  try {
    const token = await startSessionWithCode(deps, credentials, secondFactor.sealedSecret, request.code, origin);
    await attempt.succeeded();
    return token;
  } catch (error) {
    // Only wrong credentials count as a failed attempt, not an unavailable store.
    if (!isFailure(error, 'not_signed_in')) await attempt.forgiven();
    throw error;
  }
}

async function startSessionWithCode(
  deps: SignInDeps,
  checked: Credentials,
  sealedSecret: string,
  code: string,
  origin: Origin,
): Promise<string> {
  const { member } = checked;
  const step = stepOfCode(openSecondFactor(deps.secrets, member.id, sealedSecret), code, deps.clock.now());
  const token = step === undefined ? undefined : await startSession(deps, member, origin, { checked, step });
  if (token !== undefined) return token;
  await recordFailure(deps, member, origin.address);
  throw invalidSignIn({ withCode: true });
}

/**
 * Starts a session for a member whose credentials have been checked, and returns its token. Returns `undefined` if the
 * one-time code was used before. The credentials are compared again under the lock, because the password may have been
 * changed since.
 */
export async function startSession(
  deps: StartSessionDeps,
  member: Member,
  { address, agent }: Origin,
  proof: { checked?: Credentials; step?: number } = {},
): Promise<string | undefined> {
  const at = deps.clock.now();
  const { accountId, email } = member;
  const { session, token } = newSession(member, { address, agent }, at);
  return deps.changeAccount({ accountId, actor: { name: email, address }, at }, async (change) => {
    if (proof.checked && !hasSameCredentials(await change.credentials.byId(member.id), proof.checked))
      throw invalidSignIn({ withCode: proof.step !== undefined });
    if (proof.step !== undefined && !(await change.codes.useStep(member.id, proof.step))) return undefined;
    await change.sessions.open(session, hashSecret(token));
    change.record('sign-in.succeeded', email);
    return token;
  });
}

export async function signOut(deps: StartSessionDeps, session: SignedInSession, actor: ActingMember): Promise<void> {
  const { accountId } = actor;
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    await change.sessions.end(session.memberId, session.id);
    change.record('sign-in.ended', actor.name);
  });
}

/** Checks the password again. Guessing is slowed down in the same way as at sign-in. */
export async function reauthenticate(
  deps: SignInDeps,
  session: SignedInSession,
  actor: ActingMember,
  password: string,
): Promise<void> {
  await checkPassword(deps, actor, password);
  await deps.sessions.proved(session.id, deps.clock.now());
}

export async function checkPassword(deps: SignInDeps, actor: ActingMember, password: string): Promise<Credentials> {
  const { credentials } = await checkSecret(deps, {
    find: () => deps.credentials.byId(actor.accountId, actor.memberId),
    password,
    sources: sourcesOfMember(actor.memberId),
    address: actor.address,
    isEnough: () => true,
  });
  if (!credentials) throw new Failure('bad_parameter', 'password is not correct.');
  return credentials;
}

export function actorOf(member: Member, { address }: { address: string }): ActingMember {
  return { accountId: member.accountId, memberId: member.id, name: member.email, role: member.role, address };
}

interface PasswordCheck {
  find(): Promise<Credentials | undefined>;
  password: string;
  sources: readonly AttemptSource[];
  address: string;
  /** Whether the right password is all that is needed. */
  isEnough(credentials: Credentials): boolean;
}

/**
 * Finds the credentials and checks the password. Counting the attempt and checking the password run as one task of the
 * concurrency limit, so that simultaneous guesses cannot avoid the wait, and many right passwords at the same time do not look
 * like failures. Networks take turns, so that many attempts from one do not keep others from signing in.
 */
async function checkSecret(
  deps: SignInDeps,
  { find, password, sources, address, isEnough }: PasswordCheck,
): Promise<{ credentials: Credentials | undefined; attempt: Attempt }> {
  const found = await find();
  const check = async () => {
    const attempt = await deps.attempts.begin(sources, deps.clock.now());
    const matches = await passwordMatches(password, found?.passwordHash);
    if (matches && found && isEnough(found)) await attempt.succeeded();
    return { attempt, matches };
  };
  const { attempt, matches } = await deps.concurrencyLimit.run(check, callerNetwork(address));
  if (found && !matches) await recordFailure(deps, found.member, address);
  return { credentials: matches ? found : undefined, attempt };
}

/** The entry names the member whose sign-in failed, although somebody else may have tried it. */
function recordFailure(deps: RecordDeps, { accountId, email }: Member, address: string): Promise<void> {
  return record(deps, { accountId, name: email, address }, 'sign-in.failed', email);
}

/**
 * Whether the credentials of a member are still the same as when they were checked. The sealed text is not compared, because
 * it also changes when the secret of the installation is rotated.
 */
export function hasSameCredentials(now: Credentials | undefined, checked: Credentials): boolean {
  return now?.passwordHash === checked.passwordHash && now.secondFactor?.addedAt === checked.secondFactor?.addedAt;
}

/**
 * The same answer for an unknown email, a wrong password and a wrong code. It mentions the code only if one was sent,
 * which the sender knows anyway.
 */
function invalidSignIn({ withCode }: { withCode: boolean }): Failure {
  const fields = withCode ? 'email, password or code' : 'email or password';
  return new Failure('not_signed_in', `The ${fields} is not correct.`);
}
