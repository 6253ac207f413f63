import type { RecordDeps } from './activity.ts';
import { record } from './activity.ts';
import { Failure } from './failure.ts';
import type { Actor, Member } from './member.ts';
import { passwordMatches } from './password.ts';
import { stepOfCode } from './second-factor.ts';
import { type Origin, openSession, type SessionDeps, type SignedIn } from './session.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
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
  /** Marks the time step as used; false when this step or a later one was used before. */
  useStep(memberId: number, step: number): Promise<boolean>;
}

export interface SignInDeps extends SessionDeps, RecordDeps {
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
  const emailFolded = fold(request.email);
  deps.attempts.admit(emailFolded, origin.address, deps.clock.now());

  const credentials = await deps.credentials.byEmail(emailFolded);
  const matches = await deps.turnstile.pass(() => passwordMatches(request.password, credentials?.passwordHash));
  if (!matches || !credentials) return refuse(deps, emailFolded, credentials, origin);
  if (credentials.secondFactorSecret !== null) {
    if (request.code === undefined) return undefined;
    if (!(await isUnusedCode(deps, credentials, request.code))) return refuse(deps, emailFolded, credentials, origin);
  }

  deps.attempts.succeeded(emailFolded);
  return enter(deps, credentials.member, origin);
}

/** Opens a session for a member who has just proved who they are. */
export async function enter(deps: SessionDeps & RecordDeps, member: Member, origin: Origin): Promise<string> {
  const token = await openSession(deps, member, origin);
  await record(deps, actorOf(member, origin), 'sign-in.succeeded', member.email);
  return token;
}

export async function signOut(deps: SignInDeps, session: SignedIn, actor: Actor): Promise<void> {
  await deps.sessions.end(session.accountId, session.memberId, session.id);
  await record(deps, actor, 'sign-in.ended', actor.email);
}

/** Asks for the password again; guessing here is slowed as at the sign-in. */
export async function proveAgain(deps: SignInDeps, session: SignedIn, actor: Actor, password: string): Promise<void> {
  await checkPassword(deps, actor, password);
  await deps.sessions.proved(session.id, deps.clock.now());
}

export async function checkPassword(deps: SignInDeps, actor: Actor, password: string): Promise<Credentials> {
  const emailFolded = fold(actor.email);
  deps.attempts.admit(emailFolded, actor.address, deps.clock.now());
  const credentials = await deps.credentials.byId(actor.accountId, actor.memberId);
  if (credentials && (await deps.turnstile.pass(() => passwordMatches(password, credentials.passwordHash)))) {
    return credentials;
  }
  deps.attempts.failed(emailFolded, actor.address, deps.clock.now());
  await record(deps, actor, 'sign-in.failed', actor.email);
  throw new Failure('bad_parameter', 'password is not right.');
}

export function actorOf(member: Member, { address }: { address: string }): Actor {
  return { accountId: member.accountId, memberId: member.id, email: member.email, role: member.role, address };
}

async function isUnusedCode(deps: SignInDeps, { member, secondFactorSecret }: Credentials, code: string) {
  const step = stepOfCode(secondFactorSecret ?? '', code, deps.clock.now());
  return step !== undefined && deps.credentials.useStep(member.id, step);
}

/** One answer for an unknown email, a wrong password and a wrong code. */
async function refuse(
  deps: SignInDeps,
  emailFolded: string,
  credentials: Credentials | undefined,
  origin: Origin,
): Promise<never> {
  deps.attempts.failed(emailFolded, origin.address, deps.clock.now());
  if (credentials) {
    await record(deps, actorOf(credentials.member, origin), 'sign-in.failed', credentials.member.email);
  }
  throw new Failure('not_signed_in', 'The email, the password or the code is not right.');
}
