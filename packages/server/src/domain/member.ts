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

/** Who does something, and from where: what the activity log keeps. */
export interface Actor {
  accountId: number;
  memberId: number;
  email: string;
  role: Role;
  address: string;
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}
