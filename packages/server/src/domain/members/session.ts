import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import type { ActingMember, Member, Role } from './member.ts';

const HOUR_MS = 3_600_000;

/** A session ends this long after it was last used, and at the latest this long after the sign-in. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MAX_MS = 14 * 24 * HOUR_MS;

/** How long a typed password counts as proof that the person at the keyboard is still the member. */
export const PROOF_MS = HOUR_MS / 6;

/** Noting every request would turn reading into writing. */
const SEEN_INTERVAL_MS = 60_000;

const AGENT_MAX_LENGTH = 300;

/** One browser that is signed in. Its token is in the cookie and nowhere else. */
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

/** A session together with whom it signs in, as of now: a changed role counts at once. */
export interface SignedIn extends Session {
  email: string;
  role: Role;
  accountName: string;
}

/** What a change of an account may do to its sessions. */
export interface SessionChanges {
  open(session: Session, hash: string): Promise<void>;
  isOpen(memberId: number, sessionId: string): Promise<boolean>;
  /** Ends one session of the member; false when there is none. */
  end(memberId: number, sessionId: string): Promise<boolean>;
  endAll(memberId: number): Promise<void>;
  /** Ends all sessions of the member but one. */
  endOthers(memberId: number, keptId: string): Promise<void>;
}

export interface Sessions {
  find(hash: string): Promise<SignedIn | undefined>;
  list(accountId: number, memberId: number): Promise<Session[]>;
  seen(sessionId: string, at: number): Promise<void>;
  proved(sessionId: string, at: number): Promise<void>;
  /** Forgets those that have run out. */
  sweep(idleSince: number, createdBefore: number): Promise<void>;
}

export interface SessionDeps {
  sessions: Sessions;
  clock: Clock;
}

/** Where a request comes from. */
export interface Origin {
  address: string;
  agent: string;
}

/** A session that begins now, and the token that its cookie will carry. */
export function newSession(
  member: Member,
  { address, agent }: Origin,
  at: number,
): { session: Session; token: string } {
  const session: Session = {
    id: randomBytes(9).toString('base64url'),
    accountId: member.accountId,
    memberId: member.id,
    createdAt: at,
    provedAt: at,
    seenAt: at,
    address,
    agent: agent.slice(0, AGENT_MAX_LENGTH),
  };
  return { session, token: randomBytes(32).toString('base64url') };
}

export async function findSession(deps: SessionDeps, token: string | undefined): Promise<SignedIn> {
  const session = token === undefined ? undefined : await deps.sessions.find(hashSecret(token));
  const now = deps.clock.now();
  if (!session || !isAlive(session, now)) throw new Failure('not_signed_in', 'You are not signed in.');
  if (now - session.seenAt > SEEN_INTERVAL_MS) await deps.sessions.seen(session.id, now);
  return session;
}

export async function listSessions(deps: SessionDeps, actor: ActingMember): Promise<Session[]> {
  const sessions = await deps.sessions.list(actor.accountId, actor.memberId);
  return sessions.filter((session) => isAlive(session, deps.clock.now()));
}

/** Before keys change, the person at the keyboard proves again who they are. */
export function requireProof(session: SignedIn, now: number): void {
  if (now - session.provedAt <= PROOF_MS) return;
  throw new Failure('proof_required', 'Type your password again to go on.');
}

function isAlive(session: Session, now: number): boolean {
  return now - session.seenAt < SESSION_IDLE_MS && now - session.createdAt < SESSION_MAX_MS;
}
