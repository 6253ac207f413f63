import { type ChangeAccount, type RecordDeps, record } from '../change.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { Failure, isFailure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { fold } from '../text.ts';
import type { ActingMember, Member } from './member.ts';
import { passwordMatches } from './password.ts';
import { stepOfCode } from './second-factor.ts';
import { newSession, type Origin, type SessionChanges, type SessionDeps, type SignedIn } from './session.ts';
import type { Attempt, SignInAttempts } from './sign-in-attempts.ts';

/** What is needed to recognise a member, and never leaves the server. */
export interface Credentials {
  member: Member;
  passwordHash: string;
  /** Null until a second factor has been added and confirmed. */
  secondFactorSecret: string | null;
}

export interface MemberCredentials {
  byEmail(emailFolded: string): Promise<Credentials | undefined>;
  byId(accountId: number, memberId: number): Promise<Credentials | undefined>;
}

/** What a change of an account may do to second factors at a sign-in. */
export interface CodeChanges {
  /** Marks the time step as used; false when this step or a later one was used before. */
  useStep(memberId: number, step: number): Promise<boolean>;
}

/** How a member signs in, as it is under the lock. */
export interface LockedCredentials {
  byId(memberId: number): Promise<Credentials | undefined>;
}

export interface EnterDeps extends SessionDeps, RecordDeps {
  changeAccount: ChangeAccount<{ sessions: SessionChanges; codes: CodeChanges; credentials: LockedCredentials }>;
}

export interface SignInDeps extends EnterDeps {
  credentials: MemberCredentials;
  attempts: SignInAttempts;
  concurrencyLimit: ConcurrencyLimit;
}

export interface SignInRequest {
  email: string;
  password: string;
  code?: string | undefined;
}

/** The token of a new session, or nothing when the password is right and a one-time code is still to come. */
export async function signIn(deps: SignInDeps, request: SignInRequest, origin: Origin): Promise<string | undefined> {
  const { credentials, attempt } = await checkSecret(deps, fold(request.email), origin.address, request.password, () =>
    deps.credentials.byEmail(fold(request.email)),
  );
  if (!credentials) throw notRight();
  try {
    const token = await enterWithCode(deps, credentials, request.code, origin);
    if (token === undefined) attempt.forgiven();
    else attempt.succeeded();
    return token;
  } catch (error) {
    // Only what was wrong is held against anybody, not a store that is away.
    if (!isFailure(error, 'not_signed_in')) attempt.forgiven();
    throw error;
  }
}

async function enterWithCode(
  deps: SignInDeps,
  checked: Credentials,
  code: string | undefined,
  origin: Origin,
): Promise<string | undefined> {
  const { member, secondFactorSecret } = checked;
  if (secondFactorSecret === null) return enter(deps, member, origin, { checked });
  if (code === undefined) return undefined;
  const step = stepOfCode(secondFactorSecret, code, deps.clock.now());
  const token = step === undefined ? undefined : await enter(deps, member, origin, { checked, step });
  if (token !== undefined) return token;
  await recordFailure(deps, member, origin.address);
  throw notRight();
}

/**
 * Opens a session for a member who has just proved who they are; nothing when the time step of their one-time code was used
 * before. What they proved must still be so under the lock: an old password opens nothing once it has been changed.
 */
export async function enter(
  deps: EnterDeps,
  member: Member,
  { address, agent }: Origin,
  proof: { checked?: Credentials; step?: number } = {},
): Promise<string | undefined> {
  const at = deps.clock.now();
  const { accountId, email } = member;
  const { session, token } = newSession(member, { address, agent }, at);
  return deps.changeAccount({ accountId, actor: { name: email, address }, at }, async (change) => {
    if (proof.checked && !isSame(await change.credentials.byId(member.id), proof.checked)) throw notRight();
    if (proof.step !== undefined && !(await change.codes.useStep(member.id, proof.step))) return undefined;
    await change.sessions.open(session, hashSecret(token));
    change.record('sign-in.succeeded', email);
    return token;
  });
}

export async function signOut(deps: EnterDeps, session: SignedIn, actor: ActingMember): Promise<void> {
  const { accountId } = actor;
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    await change.sessions.end(session.memberId, session.id);
    change.record('sign-in.ended', actor.name);
  });
}

/** Asks for the password again; guessing here is slowed as at the sign-in. */
export async function proveAgain(
  deps: SignInDeps,
  session: SignedIn,
  actor: ActingMember,
  password: string,
): Promise<void> {
  await checkPassword(deps, actor, password);
  await deps.sessions.proved(session.id, deps.clock.now());
}

export async function checkPassword(deps: SignInDeps, actor: ActingMember, password: string): Promise<Credentials> {
  const { credentials, attempt } = await checkSecret(deps, fold(actor.name), actor.address, password, () =>
    deps.credentials.byId(actor.accountId, actor.memberId),
  );
  if (!credentials) throw new Failure('bad_parameter', 'password is not right.');
  attempt.succeeded();
  return credentials;
}

export function actorOf(member: Member, { address }: { address: string }): ActingMember {
  return { accountId: member.accountId, memberId: member.id, name: member.email, role: member.role, address };
}

/**
 * Whose password it is, if it is anybody's. One at a time from the count to the answer, so that of many guesses at once
 * none is looked at that would have had to wait.
 */
async function checkSecret(
  deps: SignInDeps,
  emailFolded: string,
  address: string,
  password: string,
  find: () => Promise<Credentials | undefined>,
): Promise<{ credentials: Credentials | undefined; attempt: Attempt }> {
  const found = await find();
  const { attempt, matches } = await deps.concurrencyLimit.run(async () => {
    const attempt = deps.attempts.begin(emailFolded, address, deps.clock.now());
    return { attempt, matches: await passwordMatches(password, found?.passwordHash) };
  });
  if (found && !matches) await recordFailure(deps, found.member, address);
  return { credentials: matches ? found : undefined, attempt };
}

/** By whoever it was: the member need not have had anything to do with it. */
function recordFailure(deps: RecordDeps, { accountId, email }: Member, address: string): Promise<void> {
  return record(deps, { accountId, name: email, address }, 'sign-in.failed', email);
}

/** Whether a member still signs in as they did when it was checked. */
export function isSame(now: Credentials | undefined, checked: Credentials): boolean {
  return now?.passwordHash === checked.passwordHash && now.secondFactorSecret === checked.secondFactorSecret;
}

/** One answer for an unknown email, a wrong password and a wrong code. */
function notRight(): Failure {
  return new Failure('not_signed_in', 'The email, the password or the code is not right.');
}
