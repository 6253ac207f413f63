import { hashSecret } from './api-key.ts';
import type { ChangeAccount, RecordDeps } from './change.ts';
import { record } from './change.ts';
import { Failure } from './failure.ts';
import type { ActingMember, Member } from './member.ts';
import { passwordMatches } from './password.ts';
import { stepOfCode } from './second-factor.ts';
import { newSession, type Origin, type SessionChanges, type SessionDeps, type SignedIn } from './session.ts';
import type { Attempt, SignInAttempts } from './sign-in-attempts.ts';
import { fold } from './text.ts';
import type { Turnstile } from './turnstile.ts';

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

export interface EnterDeps extends SessionDeps, RecordDeps {
  changeAccount: ChangeAccount<{ sessions: SessionChanges; codes: CodeChanges }>;
}

export interface SignInDeps extends EnterDeps {
  credentials: MemberCredentials;
  attempts: SignInAttempts;
  turnstile: Turnstile;
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
  const { member, secondFactorSecret } = credentials;
  if (secondFactorSecret === null) {
    attempt.succeeded();
    return enter(deps, member, origin);
  }
  if (request.code === undefined) {
    attempt.forgiven();
    return undefined;
  }
  const step = stepOfCode(secondFactorSecret, request.code, deps.clock.now());
  const token = step === undefined ? undefined : await enter(deps, member, origin, step);
  if (token === undefined) {
    await record(deps, actorOf(member, origin), 'sign-in.failed', member.email);
    throw notRight();
  }
  attempt.succeeded();
  return token;
}

/**
 * Opens a session for a member who has just proved who they are. With a time step of a one-time code, only if it was not
 * used before.
 */
export async function enter(deps: EnterDeps, member: Member, origin: Origin): Promise<string>;
export async function enter(deps: EnterDeps, member: Member, origin: Origin, step: number): Promise<string | undefined>;
export async function enter(deps: EnterDeps, member: Member, origin: Origin, step?: number) {
  const at = deps.clock.now();
  const { session, token } = newSession(member, origin, at);
  const actor = actorOf(member, origin);
  return deps.changeAccount({ accountId: member.accountId, actor, at }, async (change) => {
    if (step !== undefined && !(await change.codes.useStep(member.id, step))) return undefined;
    await change.sessions.open(session, hashSecret(token));
    change.record('sign-in.succeeded', member.email);
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
  const { attempt, found, matches } = await deps.turnstile.pass(async () => {
    const attempt = deps.attempts.begin(emailFolded, address, deps.clock.now());
    const found = await find();
    return { attempt, found, matches: await passwordMatches(password, found?.passwordHash) };
  });
  if (found && !matches) await record(deps, actorOf(found.member, { address }), 'sign-in.failed', found.member.email);
  return { credentials: matches ? found : undefined, attempt };
}

/** One answer for an unknown email, a wrong password and a wrong code. */
function notRight(): Failure {
  return new Failure('not_signed_in', 'The email, the password or the code is not right.');
}
