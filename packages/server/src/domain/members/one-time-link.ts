import { randomBytes } from 'node:crypto';
import { hashSecret } from '../secret.ts';
import type { Role } from './member.ts';

/** A link that gives access to one person, once. Its token is in the fragment of the URL, so that it appears in no server log. */
export interface OneTimeLink {
  id: string;
  /** `reset` also removes the second factor. The operator makes such links; members ask for `forgotten` ones by mail. */
  purpose: 'set-up' | 'invitation' | 'reset' | 'forgotten';
  accountId: number | null;
  email: string | null;
  role: Role | null;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number;
}

/** Changes to one-time links within a transaction. */
export interface LinkChanges {
  add(link: OneTimeLink, hash: string): Promise<void>;
  /** Deletes and returns the link, so that only one of two simultaneous attempts succeeds. */
  take(hash: string, now: number): Promise<OneTimeLink | undefined>;
}

/** Changes to the links with which members reset their passwords. */
export interface ResetChanges extends LinkChanges {
  /** Ends the links of the member with this email, spelled exactly as the member has it. */
  endResetsOf(email: string): Promise<void>;
  /** Ends only those that were mailed on request. Anybody can ask for one, so it must not end the link of the operator. */
  endForgottenOf(email: string): Promise<void>;
}

export interface OneTimeLinks {
  /** The link with this hash, unless it has expired. */
  find(hash: string, now: number): Promise<OneTimeLink | undefined>;
  invitations(accountId: number, now: number): Promise<OneTimeLink[]>;
  /** Gives a link a second token, for a mail, or the same one again. Returns the link, unless it has ended. */
  mail(accountId: number, linkId: string, hash: string, now: number): Promise<OneTimeLink | undefined>;
  /** Deletes expired links. */
  removeExpired(now: number): Promise<void>;
}

export function makeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashSecret(token) };
}

export function makeLinkId(): string {
  return randomBytes(9).toString('base64url');
}
