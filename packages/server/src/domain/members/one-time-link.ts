import { randomBytes } from 'node:crypto';
import { hashSecret } from '../secret.ts';
import type { Role } from './member.ts';

/** A link that lets one person in, once. Its token stands in the fragment, so that no server log ever sees it. */
export interface OneTimeLink {
  id: string;
  purpose: 'set-up' | 'invitation' | 'reset';
  accountId: number | null;
  email: string | null;
  role: Role | null;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number;
}

/** What a change may do to links. */
export interface LinkChanges {
  add(link: OneTimeLink, hash: string): Promise<void>;
  /** Takes the link out, so that of two attempts one gets it. */
  take(hash: string, now: number): Promise<OneTimeLink | undefined>;
}

/** What a change may do to the links by which a member sets a new password. */
export interface ResetChanges extends LinkChanges {
  /** Ends the links of the member with this email, in the case in which the member has it. */
  endResetsOf(email: string): Promise<void>;
}

export interface OneTimeLinks {
  /** The link with this hash, unless it has expired. */
  find(hash: string, now: number): Promise<OneTimeLink | undefined>;
  invitations(accountId: number, now: number): Promise<OneTimeLink[]>;
  /** Forgets those that have expired. */
  sweep(now: number): Promise<void>;
}

export function makeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashSecret(token) };
}

export function makeLinkId(): string {
  return randomBytes(9).toString('base64url');
}
