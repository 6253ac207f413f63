import type { Environment } from './environment.ts';

/** Everything that is put on record. The first word is what the activity page filters by. */
export const ACTIONS = [
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-in.ended',
  'denial.role',
  'key.created',
  'key.revoked',
  'member.set-up',
  'member.invited',
  'member.invitation-withdrawn',
  'member.joined',
  'member.role-changed',
  'member.removed',
  'member.reset-offered',
  'profile.password-changed',
  'profile.password-reset',
  'profile.second-factor-added',
  'profile.second-factor-removed',
  'profile.session-revoked',
  'workspace.index-rebuilt',
  'client.added',
  'client.changed',
  'client.erased',
  'client.imported',
  'client.exported',
  'group.created',
  'group.renamed',
] as const;
export type Action = (typeof ACTIONS)[number];

export const ACTION_KINDS = ['sign-in', 'denial', 'key', 'member', 'profile', 'client', 'group', 'workspace'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

export interface ActivityEntry {
  at: number;
  /** The email of the member who did it, kept as it was then, or `operator`. */
  member: string;
  action: Action;
  /** What it was done to, in words: a key's name, a member's email, a count. Never a secret. */
  subject: string;
  environment: Environment | null;
  address: string;
  /** How many clients it was about, when it was not one that the subject names. */
  clients: number | null;
}

export interface ActivityFilter {
  kind?: ActionKind | undefined;
  member?: string | undefined;
}

export interface ActivityLog {
  /** Newest first. */
  read(
    accountId: number,
    filter: ActivityFilter,
    window: { offset: number; limit: number },
  ): Promise<{ totalCount: number; entries: ActivityEntry[] }>;
}
