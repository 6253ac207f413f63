import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { fold } from '../../../domain/text.ts';
import { ORIGIN } from '../requests.ts';
import {
  type AccountView,
  CALLERS,
  CREATION_TIMES,
  filtersOf,
  type KeyView,
  type OrderedFilter,
  type Page,
  SUMMARY_GROUPS_SHOWN,
  summaryFiltersOf,
  type View,
  type ViewQuery,
  WORD,
  type WorkspaceDetails,
  type WorkspaceQuery,
  type WorkspaceView,
} from '../view.ts';
import { memberWith } from './assignments.ts';
import { statusSince, toClient, updatedAt } from './clients.ts';
import { firstUsageHour, hourOf, LIMITS, worksAt } from './keys.ts';
import { isAlive } from './sign-in.ts';
import {
  findAccount,
  findWorkspace,
  type ModelAccount,
  type ModelClient,
  type ModelEntry,
  type ModelGroup,
  type ModelKey,
  type ModelStatusChange,
  type ModelWorkspace,
  type State,
} from './state.ts';

const DAY_MS = 86_400_000;
const IDLE_AFTER_DAYS = 90;
const BEGINS_A_WORD = new RegExp(`(^|[^a-z0-9])${WORD}`, 'i');

/** The view that every process should show. */
export function expectView(state: State, query: ViewQuery): View {
  return {
    accounts: state.accounts.flatMap((account) =>
      account.members
        .filter((member) => member.role === 'owner')
        .map((member) => ({
          id: account.id,
          name: account.name,
          ownerEmail: member.email,
          createdAt: account.createdAt,
          settings: account.settings,
          workspaceIds: account.workspaces.map((workspace) => workspace.id),
        })),
    ),
    signingKeys: state.signingKeys.map((key) => ({ ...key })),
    accountDetails: query.accountIds.map((id) => accountView(findAccount(state, id), query)),
    workspaces: query.workspaces.map((each) =>
      workspaceView(state.epoch, findWorkspace(state, each.workspaceId), each, query.at),
    ),
  };
}

function accountView(account: ModelAccount, { at, activityKind }: ViewQuery): AccountView {
  const activity = account.activity.map(({ partOf, ...entry }) => ({ ...entry, subject: subjectOf(entry) }));
  return {
    name: account.name,
    members: account.members.map(({ id, email, role, secret, recoveryCodes, createdAt }) => ({
      id,
      email,
      role,
      hasSecondFactor: secret !== null,
      recoveryCodesLeft: recoveryCodes.length,
      createdAt,
    })),
    sessions: Object.fromEntries(
      account.members.map((member) => [
        member.email,
        member.sessions
          .filter((session) => isAlive(session, at))
          .map(({ token, ...session }) => ({ ...session, ...ORIGIN }))
          .sort((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? -1 : 1)),
      ]),
    ),
    invitations: account.invitations
      .filter((invitation) => invitation.expiresAt > at)
      .toReversed()
      .sort((a, b) => b.createdAt - a.createdAt)
      .map(({ id, email, role, createdBy, expiresAt }) => ({ id, email, role, createdBy, expiresAt })),
    activity: activity.toReversed().sort((a, b) => b.at - a.at),
    activityOfKind: activity.filter((entry) => entry.action.startsWith(`${activityKind}.`)).length,
  };
}

function subjectOf({ subject }: Pick<ModelEntry, 'subject'>): string {
  if (typeof subject === 'string') return subject;
  return 'client' in subject
    ? subject.client.referenceId
    : `${subject.key} (${subject.secret.preview})${subject.changed}`;
}

interface Found {
  account: ModelAccount;
  workspace: ModelWorkspace;
}

function workspaceView(epoch: string, found: Found, query: WorkspaceQuery, at: number): WorkspaceView {
  const { workspace } = found;
  const stamp = `${epoch}.${workspace.version}`;
  return {
    stamp,
    stampOfPage: stamp,
    firstPage: pagesOf(matching(workspace, {}), query.pageLimit, 'by cursor')[0] as Page,
    groups: workspace.groups
      .map((group) => countedGroup(group, workspace.clients))
      .sort((a, b) => Buffer.compare(Buffer.from(fold(a.name)), Buffer.from(fold(b.name)))),
    details: query.thorough ? detailsOf(found, query, at) : undefined,
  };
}

/** As in the contract: the client has handed everything in and waits for review. */
function isWaiting({ requestStatus }: ModelClient): boolean {
  return requestStatus === 'pending';
}

function countedGroup(group: ModelGroup, everybody: readonly ModelClient[]): WorkspaceView['groups'][number] {
  const own = everybody.filter((client) => client.group === group);
  const byStatus = { pending: 0, declined: 0, completed: 0, accepted: 0, requested: 0 };
  for (const { requestStatus } of own) byStatus[requestStatus]++;
  return { ...group, clients: own.length, byStatus };
}

function detailsOf({ account, workspace }: Found, query: WorkspaceQuery, at: number): WorkspaceDetails {
  const { clients } = workspace;
  const oldestFirst = matching(workspace, {}).reverse();
  return {
    lists: Object.fromEntries(
      filtersOf(query).map(({ label, filter }) => [
        label,
        pagesOf(matching(workspace, filter), query.pageLimit, query.walk),
      ]),
    ),
    summaries: Object.fromEntries(
      summaryFiltersOf(query).map(({ label, filter }) => [label, summaryOf(matching(workspace, filter))]),
    ),
    updated: Object.fromEntries(clients.map((each) => [each.referenceId, updatedAt(each)])),
    byEmail: Object.fromEntries(
      query.emails.map((email) => [email, pagesOf(matching(workspace, { email }), 1000, 'by cursor')[0] as Page]),
    ),
    found: references(matching(workspace, {}).filter(({ email, name }) => BEGINS_A_WORD.test(`${name} ${email}`))),
    export: oldestFirst.map(toClient),
    exportOfGroup:
      query.walk === 'by number' ? references(matching(workspace, { groupName: query.groupNames[0] }).reverse()) : [],
    histories: Object.fromEntries([...clients, ...workspace.erased].map((each) => [each.referenceId, each.history])),
    waiting: oldestFirst.filter(isWaiting).map((client) => ({
      referenceId: client.referenceId,
      since: statusSince(client),
      assignee: memberWith(account, client.assignee)?.email ?? null,
    })),
    unassigned: references(oldestFirst.filter((client) => isWaiting(client) && client.assignee === null)),
    times: timesOf(workspace.statusChanges),
    createdBetween: [...CREATION_TIMES, at]
      .slice(1)
      .map(
        (until, index) =>
          clients.filter(({ createdAt }) => createdAt >= (CREATION_TIMES[index] ?? 0) && createdAt < until).length,
      ),
    keys: workspace.keys.toSorted((a, b) => b.createdAt - a.createdAt).map((key) => keyView(key, at)),
  };
}

function timesOf(changes: readonly ModelStatusChange[]): WorkspaceDetails['times'] {
  const completed = changes.filter(({ to }) => to === 'completed');
  const inStatus = REQUEST_STATUSES.map((status) => {
    const left = changes.filter(({ from }) => from === status);
    return [status, median(left.flatMap(({ at, enteredAt }) => (enteredAt === null ? [] : at - enteredAt)))];
  });
  return {
    completed: completed.length,
    declined: changes.filter(({ to }) => to === 'declined').length,
    completionMs: median(completed.map(({ at, addedAt }) => at - addedAt)),
    inStatusMs: Object.fromEntries(inStatus),
    isSampled: false,
  };
}

function median(times: readonly number[]): number | null {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length / 2) - 1] ?? null;
}

/** Newest first; clients with the same time in reverse order of addition. A client must match all given filters. */
function matching(
  workspace: ModelWorkspace,
  { createdFrom = 0, createdUntil = Infinity, order, ...filter }: OrderedFilter,
): ModelClient[] {
  const { email, groupName, requestStatuses, clientType, clientStatus, externalIds } = filter;
  const found = workspace.clients
    .toReversed()
    .sort((a, b) => b.createdAt - a.createdAt)
    .filter((client) => email === undefined || fold(client.email) === fold(email))
    .filter((client) => groupName === undefined || fold(client.group.name) === fold(groupName))
    .filter((client) => requestStatuses?.includes(client.requestStatus) ?? true)
    .filter((client) => clientType === undefined || client.type === clientType)
    .filter((client) => clientStatus === undefined || client.status === clientStatus)
    .filter((client) => externalIds?.includes(client.externalId ?? '') ?? true)
    .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdUntil);
  return order === 'oldest' ? found.reverse() : found;
}

function summaryOf(clients: readonly ModelClient[]): WorkspaceDetails['summaries'][string] {
  const summary: WorkspaceDetails['summaries'][string] = {
    totalCount: clients.length,
    byRequestStatus: { pending: 0, declined: 0, completed: 0, accepted: 0, requested: 0 },
    byClientType: { individual: 0, company: 0 },
    byClientStatus: { active: 0, inactive: 0 },
    largestGroups: [],
    otherGroupsCount: 0,
  };
  const byGroup = new Map<ModelGroup, number>();
  for (const { requestStatus, type, status, group } of clients) {
    summary.byRequestStatus[requestStatus]++;
    summary.byClientType[type]++;
    summary.byClientStatus[status]++;
    byGroup.set(group, (byGroup.get(group) ?? 0) + 1);
  }
  const largest = [...byGroup]
    .map(([{ name, token }, count]) => ({ name, token, clients: count }))
    .sort((a, b) => b.clients - a.clients || Buffer.compare(Buffer.from(fold(a.name)), Buffer.from(fold(b.name))));
  summary.largestGroups = largest.slice(0, SUMMARY_GROUPS_SHOWN);
  summary.otherGroupsCount = Math.max(0, largest.length - SUMMARY_GROUPS_SHOWN);
  return summary;
}

/** By number, including the empty page after the last one; by cursor, forward and back again. */
function pagesOf(clients: ModelClient[], pageLimit: number, walk: WorkspaceQuery['walk']): Page[] {
  const total = clients.length;
  const pages: Page[] = [];
  for (let start = 0; start < Math.max(total, 1); start += pageLimit) {
    const page = clients.slice(start, start + pageLimit);
    pages.push({ total, pageNumber: pages.length + 1, references: references(page) });
  }
  if (walk === 'by cursor') return [...pages, ...pages.slice(0, -1).reverse()];
  return total === 0 ? pages : [...pages, { total, pageNumber: pages.length + 1, references: [] }];
}

function references(clients: ModelClient[]): string[] {
  return clients.map((client) => client.referenceId);
}

function keyView({ calls, secrets, ...key }: ModelKey, at: number): KeyView {
  const first = firstUsageHour(at);
  const recent = calls.filter(({ hour }) => hour >= first);
  const callsByHour: Record<number, number> = {};
  for (const each of recent) {
    const ago = hourOf(at) - each.hour;
    callsByHour[ago] = (callsByHour[ago] ?? 0) + each.calls;
  }
  const isValid = key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at);
  const lastTouched = Math.max(key.createdAt, key.lastUsedAt ?? 0);
  return {
    ...key,
    recentCalls: recent.reduce((sum, each) => sum + each.calls, 0),
    isIdle: isValid && lastTouched < at - IDLE_AFTER_DAYS * DAY_MS,
    callsByHour,
    limitInMemory: key.rateLimit === null ? undefined : (LIMITS[key.rateLimit] ?? null),
    secrets: secrets.map(({ secret, ...each }) => ({
      ...each,
      works: Object.fromEntries(
        CALLERS.map((address) => {
          const isAllowed = key.allowedNetworks.length === 0 || address.startsWith('10.');
          return [address, isValid && isAllowed && worksAt(each, at)];
        }),
      ),
    })),
  };
}
