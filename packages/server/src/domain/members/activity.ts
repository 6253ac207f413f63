import type { Action } from '../action.ts';
import type { Environment } from '../environment.ts';

export const ACTION_KINDS = [
  'sign-in',
  'denial',
  'key',
  'member',
  'profile',
  'account',
  'client',
  'group',
  'workspace',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

export interface ActivityEntry {
  at: number;
  /** The email of the member at the time of the action, or `operator`. */
  member: string;
  action: Action;
  /** What the action was applied to, such as the name of a key, the email of a member or a count. Never a secret. */
  subject: string;
  environment: Environment | null;
  address: string;
  /** How many clients were affected, unless it was only the one that the subject names. */
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
