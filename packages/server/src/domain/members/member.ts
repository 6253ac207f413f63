import type { Actor } from '../change.ts';

/** Each role includes the rights of the roles after it. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** A person who can sign in to the dashboard of an account. */
export interface Member {
  id: number;
  accountId: number;
  email: string;
  role: Role;
  hasSecondFactor: boolean;
  createdAt: number;
}

/** A member who makes a request. */
export interface ActingMember extends Actor {
  accountId: number;
  memberId: number;
  /** Whoever has a lesser role when the change is made may not make it any more. */
  role: Role;
  /** The session of the request. If it has ended in the meantime, the change is refused. */
  sessionId?: string;
}

export function isActingMember(actor: Actor): actor is ActingMember {
  return 'memberId' in actor;
}

/** The member as a job acts for them: also when they have signed out, and as long as they have the role that it needs. */
export function inBackground({ sessionId: _, ...member }: ActingMember, needed: Role): ActingMember {
  return { ...member, role: needed };
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}
