import { CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import type { CountCell } from '../../domain/clients/client-counts.ts';
import type { ClientEvent } from '../../domain/clients/client-event.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { CountedGroup } from '../../domain/clients/group.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import type { ActionKind, ActivityEntry } from '../../domain/members/activity.ts';
import type { Member } from '../../domain/members/member.ts';

// Everything that can be read of an installation, as plain values: what a process of the product shows, and what the
// model says it should show.

/** What to look at. */
export interface Look {
  at: number;
  accountIds: number[];
  activityKind: ActionKind;
  workspaces: WorkspaceLook[];
}

export interface WorkspaceLook {
  workspaceId: number;
  /** Every list, history and export, or only the totals. */
  thorough: boolean;
  groupNames: string[];
  /** Names that no group has. */
  strangers: string[];
  emails: string[];
  /** The references of clients that were erased: their histories are still there. */
  erased: string[];
  pageLimit: number;
  walk: 'by number' | 'by cursor';
}

export interface View {
  accounts: ListedAccount[];
  signingKeys: { kid: string; createdAt: number }[];
  insides: AccountView[];
  workspaces: WorkspaceView[];
}

export interface ListedAccount {
  id: number;
  name: string;
  ownerEmail: string;
  createdAt: number;
  workspaceIds: number[];
}

export interface AccountView {
  name: string;
  members: Omit<Member, 'accountId'>[];
  /** By the email of the member. */
  sessions: Record<string, SessionView[]>;
  invitations: InvitationView[];
  /** Newest first; of one moment, the later. */
  activity: ActivityEntry[];
  /** How many of them are of the kind that was asked for. */
  activityOfKind: number;
}

export interface SessionView {
  id: string;
  createdAt: number;
  provedAt: number;
  seenAt: number;
  address: string;
  agent: string;
}

export interface InvitationView {
  id: string;
  email: string;
  role: string;
  createdBy: string;
  expiresAt: number;
}

export interface WorkspaceView {
  /** The epoch of the database and the number of the workspace's last change. */
  stamp: string;
  /** The same, as it comes with a page. */
  stampOfPage: string;
  firstPage: Page;
  groups: CountedGroup[];
  details: WorkspaceDetails | undefined;
}

export interface Page {
  total: number;
  pageNumber: number;
  references: string[];
}

export interface WorkspaceDetails {
  /** All pages of every combination of filters. */
  lists: Record<string, Page[]>;
  byEmail: Record<string, Page>;
  found: string[];
  export: Client[];
  /** Of the first of the groups, where the walk is by number: an export takes a connection of its own. */
  exportOfGroup: string[];
  histories: Record<string, ClientEvent[]>;
  cells: CountCell[];
  arrivals: number[];
  keys: KeyView[];
}

export interface KeyView {
  id: string;
  name: string;
  preview: string;
  createdAt: number;
  createdBy: string | null;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  recentCalls: number;
  /** Whether tokens that were made from it are refused by now. */
  hasEnded: boolean;
}

/** A part of a name that some clients have. */
export const FRAGMENT = 'ad';

/** Between these and now, arrivals are counted. */
export const ARRIVAL_TIMES = ['1970-01-01', '2025-03-01', '2025-04-01', '2026-01-01'].map((day) => Date.parse(day));

/** Every combination of the filters that can be enumerated, with a name for each. */
export function filtersOf({ groupNames, strangers }: WorkspaceLook): { label: string; filter: ClientFilter }[] {
  const filters: ClientFilter[] = [undefined, ...groupNames].flatMap((groupName) =>
    [undefined, ...REQUEST_STATUSES].flatMap((requestStatus) =>
      [undefined, ...CLIENT_TYPES].map((clientType) => ({ groupName, requestStatus, clientType })),
    ),
  );
  for (const groupName of strangers) filters.push({ groupName });
  return filters.map((filter) => ({
    label: [filter.groupName ?? 'any group', filter.requestStatus, filter.clientType].filter(Boolean).join(', '),
    filter,
  }));
}

/** Puts what has no order of its own into one that both sides have. */
export function sorted<T>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
