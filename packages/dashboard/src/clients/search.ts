import type { CountedGroup } from '#contract/clients/groups.ts';
import type { ClientStatus, ClientType, RequestStatus } from '#contract/clients/index.ts';
import type { Assigned } from '#contract/clients/review.ts';
import { DAYS_MAX } from '#contract/clients/views.ts';
import type { Environment } from '#contract/environments.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, REQUEST_STATUS_LABELS } from '../labels.ts';
import { dayParam, listParam, oneOfParam, pageParam, textParam } from '../search-params.ts';

/** What the list of clients shows, as it is kept in the address. */
export interface ClientsSearch {
  page?: number | undefined;
  size?: number | undefined;
  search?: string | undefined;
  /** One or several, separated by commas. */
  status?: string | undefined;
  type?: ClientType | undefined;
  /** Active or inactive. */
  active?: ClientStatus | undefined;
  /** The name of one group, as links have it. */
  group?: string | undefined;
  /** The tokens of one or several groups, separated by commas. */
  groups?: string | undefined;
  from?: string | undefined;
  /** The day after the last one. */
  until?: string | undefined;
  /** Instead of these two: this many days, of which today is the last. */
  days?: number | undefined;
  /** Newest first unless it is given. */
  order?: 'oldest' | undefined;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

export function parseClientsSearch(search: Record<string, unknown>): ClientsSearch {
  const days = daysParam(search.days);
  return {
    page: pageParam(search.page),
    size: PAGE_SIZES.find((size) => size === Number(search.size)),
    search: textParam(search.search),
    status: statusParam(listParam(search.status)),
    type: oneOfParam(CLIENT_TYPE_LABELS, search.type),
    active: oneOfParam(CLIENT_STATUS_LABELS, search.active),
    group: textParam(search.group),
    groups: listParam(search.groups).filter(isToken).join() || undefined,
    from: days === undefined ? dayParam(search.from) : undefined,
    until: days === undefined ? dayParam(search.until) : undefined,
    days,
    order: search.order === 'oldest' ? 'oldest' : undefined,
  };
}

/** What an address has that is not understood and therefore left out, such as `status=bogus`. */
export function notUnderstood(search: Record<string, unknown>): string[] {
  const understood: Record<string, unknown> = { ...parseClientsSearch(search) };
  const isKnown = (name: string, value: string): boolean => {
    if (name === 'status') return Object.hasOwn(REQUEST_STATUS_LABELS, value);
    if (name === 'groups') return isToken(value);
    if (name === 'order') return value === 'oldest' || value === 'newest';
    // Which page is shown is no filter, and last days count instead of others.
    if (name === 'page' || name === 'size') return true;
    if ((name === 'from' || name === 'until') && understood.days !== undefined) return true;
    return understood[name] !== undefined;
  };
  return Object.entries(search).flatMap(([name, value]) => {
    const values = name === 'status' || name === 'groups' ? listParam(value) : [String(value ?? '')];
    return values.filter((each) => each !== '' && !isKnown(name, each)).map((each) => `${name}=${each}`);
  });
}

/** In the order in which they are listed. All of them are the same as none. */
export function statusParam(statuses: readonly string[]): string | undefined {
  const known = (Object.keys(REQUEST_STATUS_LABELS) as RequestStatus[]).filter((status) => statuses.includes(status));
  return known.length === Object.keys(REQUEST_STATUS_LABELS).length ? undefined : known.join() || undefined;
}

/** The tokens of groups are UUIDs. */
function isToken(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

function daysParam(value: unknown): number | undefined {
  const days = Number(value);
  return Number.isInteger(days) && days >= 1 && days <= DAYS_MAX ? days : undefined;
}

export function statusesOf({ status }: ClientsSearch): RequestStatus[] {
  return listParam(status) as RequestStatus[];
}

export function groupsOf({ groups }: ClientsSearch): string[] {
  return listParam(groups);
}

/** The group that a link names, if it is known. */
export function namedGroup({ group }: ClientsSearch, groups: readonly CountedGroup[]): CountedGroup | undefined {
  return groups.find(({ group_name }) => group_name.toLowerCase() === group?.toLowerCase());
}

/** The tokens of the groups that are selected, among them the one that a link names. */
export function selectedGroups(search: ClientsSearch, groups: readonly CountedGroup[]): string[] {
  const named = namedGroup(search, groups);
  return [...new Set([...(named ? [named.group_token] : []), ...groupsOf(search)])];
}

export function hasFilters({ page, size, order, ...filters }: ClientsSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

let leftOut: string[] = [];

/** Reads the address of the list, and remembers what is not understood, because the router takes it out of the address. */
export function readClientsAddress(search: Record<string, unknown>): ClientsSearch {
  const unknown = notUnderstood(search);
  if (unknown.length > 0) leftOut = unknown;
  return parseClientsSearch(search);
}

/** What was not understood of the address with which the list was opened. It is said once. */
export function takeLeftOut(): string[] {
  const taken = leftOut;
  leftOut = [];
  return taken;
}

/** The filters with which the list of each environment was shown last, for the ways back to it. */
const lastSearches = new Map<Environment, ClientsSearch>();

export function rememberClientsSearch(environment: Environment, search: ClientsSearch): void {
  lastSearches.set(environment, search);
}

export function lastClientsSearch(environment: Environment): ClientsSearch {
  return lastSearches.get(environment) ?? {};
}

export interface ImportsSearch {
  page?: number | undefined;
}

/** Also for the clients of one import. */
export function parseImportsSearch(search: Record<string, unknown>): ImportsSearch {
  return { page: pageParam(search.page) };
}

export interface GroupsSearch {
  page?: number | undefined;
  /** A part of the name. */
  search?: string | undefined;
  /** By name unless it is given. */
  order?: GroupOrder | undefined;
}

export const GROUP_ORDER_LABELS = { clients: 'Most clients first', newest: 'Newest first' };
export type GroupOrder = keyof typeof GROUP_ORDER_LABELS;

export function parseGroupsSearch(search: Record<string, unknown>): GroupsSearch {
  return {
    page: pageParam(search.page),
    search: textParam(search.search),
    order: oneOfParam(GROUP_ORDER_LABELS, search.order),
  };
}

/** The list from which a client was opened: one of the review, by its name, or the list of clients. */
export interface ClientSearch extends ClientsSearch {
  queue?: QueueName | undefined;
}

export type QueueName = Assigned | 'everyone';

export function queueOf(assigned: Assigned | undefined): QueueName {
  return assigned ?? 'everyone';
}

export function assignedIn(queue: QueueName): Assigned | undefined {
  return queue === 'everyone' ? undefined : queue;
}

export function parseClientSearch(search: Record<string, unknown>): ClientSearch {
  const queue = oneOfParam({ everyone: '', ...ASSIGNED_LABELS }, search.queue);
  return queue ? { queue } : parseClientsSearch(search);
}

export interface ReviewSearch {
  /** To whom the clients are assigned. Everybody's are shown unless it is given. */
  assigned?: Assigned | undefined;
}

export const ASSIGNED_LABELS: Record<Assigned, string> = { me: 'Mine', nobody: 'Unassigned' };

export function parseReviewSearch(search: Record<string, unknown>): ReviewSearch {
  return { assigned: oneOfParam(ASSIGNED_LABELS, search.assigned) };
}

/** Whether the last day is before the first, so that nobody is found. */
export function isReversed({ from, until }: ClientsSearch): boolean {
  return from !== undefined && until !== undefined && until <= from;
}
