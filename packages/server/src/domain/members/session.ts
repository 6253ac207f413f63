import { randomBytes } from 'node:crypto';
import { type RecordDeps, record } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure, isFailure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import type { AccountSettings } from './account.ts';
import { type ActingMember, isAtLeast, type Member, type Role } from './member.ts';
import type { OneTimeLinks } from './one-time-link.ts';
import type { Passkeys } from './passkey.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

const HOUR_MS = 3_600_000;

/** A session expires this long after its last use, and at the latest this long after the sign-in. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MAX_MS = 14 * 24 * HOUR_MS;

/** How long an entered password or code proves that the person at the keyboard is the member. */
export const RECENT_PROOF_MS = HOUR_MS / 6;

/** Storing the time of every request would turn every read into a write. */
const SEEN_INTERVAL_MS = 60_000;

const AGENT_MAX_LENGTH = 300;

/** A browser that is signed in. Its token is only in the cookie; the store has the hash. */
export interface Session {
  id: string;
  accountId: number;
  memberId: number;
  createdAt: number;
  provedAt: number;
  seenAt: number;
  address: string;
  agent: string;
}

/** A session with the current data of its member, so that a changed role applies immediately. */
export interface SignedInSession extends Session {
  email: string;
  role: Role;
  accountName: string;
  hasSecondFactor: boolean;
  hasPasskey: boolean;
  settings: AccountSettings;
  /** The hash of the token in the cookie. */
  tokenHash: string;
}

/** Changes to sessions within a change to an account. */
export interface SessionChanges {
  open(session: Session, hash: string): Promise<void>;
  isOpen(memberId: number, sessionId: string): Promise<boolean>;
  /**
   * Notes that the member is at the keyboard, and replaces the hash of the token. Returns false if another request has
   * replaced it before, whose token then stays.
   */
  prove(memberId: number, session: { id: string; tokenHash: string }, newHash: string): Promise<boolean>;
  /** Ends one session of the member. Returns false if it does not exist. */
  end(memberId: number, sessionId: string): Promise<boolean>;
  endAll(memberId: number): Promise<void>;
  /** Ends all sessions of the member except one. */
  endOthers(memberId: number, keptId: string): Promise<void>;
}

export interface Sessions {
  find(hash: string): Promise<SignedInSession | undefined>;
  list(accountId: number, memberId: number): Promise<Session[]>;
  seen(sessionId: string, at: number): Promise<void>;
  /** Deletes expired sessions. */
  removeExpired(idleSince: number, createdBefore: number): Promise<void>;
}

export interface SessionDeps {
  sessions: Sessions;
  clock: Clock;
}

/** Where a request comes from. */
export interface Origin {
  address: string;
  agent: string;
  requestId?: string | undefined;
  /** What the browser keeps to show that it has signed in before. */
  deviceNote?: string | undefined;
}

/** A new session, and the token for its cookie. Signing in counts as a proof, unless it was done with less than the strongest factor. */
export function newSession(
  member: Member,
  { address, agent }: Origin,
  at: number,
  { isProof = true } = {},
): { session: Session; token: string } {
  const session: Session = {
    id: randomBytes(9).toString('base64url'),
    accountId: member.accountId,
    memberId: member.id,
    createdAt: at,
    provedAt: isProof ? at : 0,
    seenAt: at,
    address,
    agent: agent.slice(0, AGENT_MAX_LENGTH),
  };
  return { session, token: newSessionToken() };
}

export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

export async function findSession(deps: SessionDeps, token: string | undefined): Promise<SignedInSession> {
  const session = token === undefined ? undefined : await deps.sessions.find(hashSecret(token));
  const now = deps.clock.now();
  if (!session || !isAlive(session, now)) throw new Failure('not_signed_in', 'You are not signed in.');
  if (now - session.seenAt > SEEN_INTERVAL_MS) await deps.sessions.seen(session.id, now);
  return session;
}

export async function listSessions(
  deps: SessionDeps,
  { accountId, memberId }: { accountId: number; memberId: number },
): Promise<Session[]> {
  const sessions = await deps.sessions.list(accountId, memberId);
  return sessions.filter((session) => isAlive(session, deps.clock.now()));
}

/** More are not told apart within a minute. */
const DENIALS_MAX = 10_000;

/** What members were refused in the current minute. A refusal that is repeated is recorded once, so that nobody can fill the log. */
export class RecentDenials {
  #minute = 0;
  readonly #denials = new Set<string>();

  isFirst({ accountId, memberId }: ActingMember, request: string, now: number): boolean {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute) this.#denials.clear();
    this.#minute = minute;
    const denial = `${accountId} ${memberId} ${request}`;
    if (this.#denials.has(denial) || this.#denials.size >= DENIALS_MAX) return false;
    this.#denials.add(denial);
    return true;
  }
}

export interface DenialDeps extends RecordDeps {
  denials: RecentDenials;
}

/** Records that a member has asked for something that they may not do. */
export async function recordDenial(deps: DenialDeps, actor: ActingMember, request: string): Promise<void> {
  if (!deps.denials.isFirst(actor, request, deps.clock.now())) return;
  try {
    await record(deps, actor, 'denial.role', request);
  } catch (error) {
    // Somebody who was removed or signed out meanwhile is refused for that reason, and records nothing any more.
    if (!isFailure(error, 'forbidden')) throw error;
  }
}

/** Refuses what the role of the member does not allow, and records that they asked for it. */
export async function requireRole(deps: DenialDeps, actor: ActingMember, needed: Role, request: string): Promise<void> {
  if (isAtLeast(actor.role, needed)) return;
  await recordDenial(deps, actor, request);
  throw new Failure('forbidden', `Your role (${actor.role}) does not allow this.`);
}

/** Members take files with clients away, and viewers only if an owner allows it. */
export function mayExport({ role, settings }: SignedInSession): boolean {
  return settings.viewersMayExport || isAtLeast(role, 'admin');
}

export async function requireMayExport(
  deps: DenialDeps,
  session: SignedInSession,
  actor: ActingMember,
  request: string,
): Promise<void> {
  if (mayExport(session)) return;
  await recordDenial(deps, actor, request);
  throw new Failure('forbidden', 'Viewers may not export clients. An owner can allow it under Members.');
}

/** Whether the account requires a second factor that the member does not have yet. */
export function lacksSecondFactor({ settings, hasSecondFactor }: SignedInSession): boolean {
  return settings.requiresSecondFactor && !hasSecondFactor;
}

export function requireSecondFactor(session: SignedInSession): void {
  if (!lacksSecondFactor(session)) return;
  throw new Failure('forbidden', 'Your account requires a second factor. Add one under Profile to continue.');
}

/** Before this is done, such as `export clients`, the member must have entered the password or a code recently. */
export function requireRecentProof(session: SignedInSession, now: number, deed: string): void {
  if (now - session.provedAt <= RECENT_PROOF_MS) return;
  throw new Failure('proof_required', `${proofText(session)} to ${deed}.`);
}

function proofText({ hasPasskey, hasSecondFactor }: SignedInSession): string {
  if (hasPasskey) return 'Use a passkey or a recovery code';
  return hasSecondFactor ? 'Enter a code from your authenticator app' : 'Enter your password again';
}

export function noSession(): Failure {
  return new Failure('not_found', 'There is no such session.');
}

function isAlive(session: Session, now: number): boolean {
  return now - session.seenAt < SESSION_IDLE_MS && now - session.createdAt < SESSION_MAX_MS;
}

/** Deletes expired sessions, one-time links and challenges, and forgets old attempts to sign in. */
export async function removeExpired(
  deps: SessionDeps & { links: OneTimeLinks; attempts: SignInAttempts; passkeys: Passkeys },
): Promise<void> {
  const now = deps.clock.now();
  await deps.sessions.removeExpired(now - SESSION_IDLE_MS, now - SESSION_MAX_MS);
  await deps.links.removeExpired(now);
  await deps.attempts.removeOld(now);
  await deps.passkeys.removeExpiredChallenges(now);
}
