import type { Actor } from '../change.ts';

/** A member may do everything that the roles after theirs may do. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** A person who signs in to an account's dashboard. */
export interface Member {
  id: number;
  accountId: number;
  email: string;
  role: Role;
  hasSecondFactor: boolean;
  createdAt: number;
}

/** A member who does something. */
export interface ActingMember extends Actor {
  accountId: number;
  memberId: number;
  role: Role;
  /** The browser that they do it in; one that has been signed out meanwhile does nothing more. */
  sessionId?: string;
}

export function isActingMember(actor: Actor): actor is ActingMember {
  return 'memberId' in actor;
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}
