import type { Member } from './member.ts';

/** What is needed to check a sign-in. It never leaves the server. */
export interface Credentials {
  member: Member;
  passwordHash: string;
  /** The authenticator app, or null until one has been added and confirmed. */
  secondFactor: { sealedSecret: string; addedAt: number } | null;
  /** How many passkeys the member has. */
  passkeys: number;
}

/** A member of one of the accounts in which an email is known. Each has a password and second factors of its own. */
export interface Membership extends Credentials {
  accountName: string;
}

export interface MemberCredentials {
  byEmail(emailFolded: string): Promise<Membership[]>;
  /** What the salts of passwords are derived from. */
  saltKey(): Promise<string>;
  byId(accountId: number, memberId: number): Promise<Credentials | undefined>;
}

/** The credentials of a member, read under the lock. */
export interface LockedCredentials {
  byId(memberId: number): Promise<Credentials | undefined>;
}
