import { CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import type { ClientEvent } from '../../domain/clients/client-event.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { CountedGroup } from '../../domain/clients/group.ts';
import type { ListOrder } from '../../domain/clients/list-orders.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import type { PeriodTimes } from '../../domain/clients/review-times.ts';
import type { ClientSummary } from '../../domain/clients/summarise-clients.ts';
import type { AccountSettings } from '../../domain/members/account.ts';
import type { ActionKind, ActivityEntry } from '../../domain/members/activity.ts';
import type { Member } from '../../domain/members/member.ts';

// Everything that can be read from an installation, as plain values. The product reads a view, and the model computes the
// expected one.

/** What a view should contain. */
export interface ViewQuery {
  at: number;
  accountIds: number[];
  activityKind: ActionKind;
  workspaces: WorkspaceQuery[];
}

export interface WorkspaceQuery {
  workspaceId: number;
  /** Whether to read every list, history and export, or only the totals. */
  thorough: boolean;
  groupNames: string[];
  /** Names that no group of the workspace has. */
  unknownGroupNames: string[];
  emails: string[];
  /** The references of erased clients, whose histories still exist. */
  erased: string[];
  /** The secrets of the API keys, which only the callers know. */
  secrets: string[];
  pageLimit: number;
  walk: 'by number' | 'by cursor';
}

export interface View {
  accounts: ListedAccount[];
  signingKeys: { kid: string; createdAt: number; signsFrom: number | null }[];
  accountDetails: AccountView[];
  workspaces: WorkspaceView[];
}

export interface ListedAccount {
  id: number;
  name: string;
  ownerEmail: string;
  createdAt: number;
  settings: AccountSettings;
  workspaceIds: number[];
}

export interface AccountView {
  name: string;
  members: (Omit<Member, 'accountId'> & { recoveryCodesLeft: number })[];
  /** By the email of the member. */
  sessions: Record<string, SessionView[]>;
  invitations: InvitationView[];
  /** Newest first. */
  activity: Omit<ActivityEntry, 'number'>[];
  /** The number of entries of the requested kind. */
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
  /** The epoch of the database and the version of the workspace. */
  stamp: string;
  /** The stamp that is returned with a page. */
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
  /** All pages for every combination of filters. */
  lists: Record<string, Page[]>;
  /** By the labels of some of the filters. */
  summaries: Record<string, Omit<ClientSummary, 'stamp'>>;
  /** The time of the last change of each client. */
  updated: Record<string, number>;
  byEmail: Record<string, Page>;
  found: string[];
  export: Client[];
  /** The export of the first group. Only read when walking by number, because an export needs its own connection. */
  exportOfGroup: string[];
  histories: Record<string, ClientEvent[]>;
  /** Those that wait for a review, oldest first, and those of them that nobody reviews. */
  waiting: { referenceId: string; since: number; assignee: string | null }[];
  unassigned: string[];
  /** All that have ever been measured. */
  times: PeriodTimes;
  createdBetween: number[];
  keys: KeyView[];
}

export interface KeyView {
  id: string;
  name: string;
  note: string;
  scopes: readonly string[];
  allowedNetworks: readonly string[];
  rateLimit: string | null;
  createdAt: number;
  createdBy: string | null;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  lastUsedFrom: string | null;
  version: number;
  recentCalls: number;
  isIdle: boolean;
  /** The hours with calls, counted back from the current one. */
  callsByHour: Record<number, number>;
  /** The limit that the process in which the view was read would apply. */
  limitInMemory: { perSecond: number; burst: number } | null | undefined;
  secrets: SecretView[];
}

export interface SecretView {
  number: number;
  preview: string;
  createdAt: number;
  endsAt: number | null;
  endedAt: number | null;
  /** Whether the secret can be exchanged, and an access token that was made from it is accepted, from each address. */
  works: Record<string, boolean>;
}

/** The addresses of callers: only the first is in the networks that keys are restricted to. */
export const CALLERS = ['10.1.2.3', '192.0.2.7'];

/** The beginning of a word of some clients. */
export const WORD = 'ad';

/** Some external ids that clients may have, and one that none has. */
const EXTERNAL_IDS_TO_LOOK_FOR = ['E1', 'E2', '=É4', 'E9'];

/** New clients are counted between each of these times and the next, and then until now. */
export const CREATION_TIMES = ['1970-01-01', '2025-03-01', '2025-04-01', '2026-01-01'].map((day) => Date.parse(day));

export interface OrderedFilter extends ClientFilter {
  order?: ListOrder;
}

/** Every combination of the filters that have few values, and some that need several lists, each with a label. */
export function filtersOf({
  groupNames,
  unknownGroupNames,
}: WorkspaceQuery): { label: string; filter: OrderedFilter }[] {
  const filters: OrderedFilter[] = [undefined, ...groupNames].flatMap((groupName) =>
    [undefined, ...REQUEST_STATUSES.map((each) => [each])].flatMap((requestStatuses) =>
      [undefined, ...CLIENT_TYPES].map((clientType) => ({ groupName, requestStatuses, clientType })),
    ),
  );
  for (const groupName of unknownGroupNames) filters.push({ groupName });
  const [, createdFrom, createdUntil] = CREATION_TIMES;
  filters.push(
    { requestStatuses: ['pending', 'completed', 'requested'] },
    { requestStatuses: ['declined', 'accepted'], createdFrom, createdUntil, order: 'oldest' },
    { groupName: groupNames[0], requestStatuses: ['pending', 'declined'], clientType: 'individual', createdFrom },
    { createdUntil, order: 'oldest' },
    { clientStatus: 'active' },
    { clientStatus: 'inactive', order: 'oldest' },
    { clientStatus: 'active', requestStatuses: ['pending', 'requested'], createdFrom },
    { clientStatus: 'inactive', groupName: groupNames[0], clientType: 'company', createdUntil },
    { externalIds: EXTERNAL_IDS_TO_LOOK_FOR },
    { externalIds: EXTERNAL_IDS_TO_LOOK_FOR, clientStatus: 'active', order: 'oldest' },
  );
  return filters.map((filter) => ({ label: JSON.stringify(filter), filter }));
}

/** The filters for which a summary is compared: those that need the most different lists. */
export function summaryFiltersOf(query: WorkspaceQuery): { label: string; filter: OrderedFilter }[] {
  const filters = filtersOf(query);
  return [...filters.slice(0, 4), ...filters.slice(-14)];
}

export const SUMMARY_GROUPS_SHOWN = 3;
