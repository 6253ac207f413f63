import type { Action } from '../action.ts';
import type { Environment } from '../environment.ts';

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
