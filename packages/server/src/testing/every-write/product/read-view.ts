import type { Client } from '../../../domain/clients/client.ts';
import type { ClientEvent } from '../../../domain/clients/client-event.ts';
import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import type { Position } from '../../../domain/clients/cursor.ts';
import { exportClients } from '../../../domain/clients/export-clients.ts';
import { type ClientsPage, listClients } from '../../../domain/clients/list-clients.ts';
import type { WaitingClient } from '../../../domain/clients/review-queue.ts';
import { summariseClients } from '../../../domain/clients/summarise-clients.ts';
import { type ApiKey, previewOf } from '../../../domain/credentials/api-key.ts';
import { listKeys, readKey } from '../../../domain/credentials/describe-keys.ts';
import { proveKey } from '../../../domain/credentials/exchange-key.ts';
import { hasEnded, type KeyDirectory, mayBeUsedFrom } from '../../../domain/credentials/key-directory.ts';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { isFailure } from '../../../domain/failure.ts';
import { listSessions } from '../../../domain/members/session.ts';
import type { Store } from '../../../store/open-store.ts';
import {
  type AccountView,
  CALLERS,
  CREATION_TIMES,
  filtersOf,
  type KeyView,
  type ListedAccount,
  type OrderedFilter,
  type Page,
  type SecretView,
  SUMMARY_GROUPS_SHOWN,
  summaryFiltersOf,
  type View,
  type ViewQuery,
  WORD,
  type WorkspaceDetails,
  type WorkspaceQuery,
  type WorkspaceView,
} from '../view.ts';

const EVERYTHING = 1000;

/** What a process of the product reads from. */
export interface Product {
  store: Store;
  /** The keys in memory, as when access tokens are checked. */
  keyDirectory: KeyDirectory;
}

/** Reads the view with the use cases of the product. */
export async function readView({ store, keyDirectory }: Product, query: ViewQuery): Promise<View> {
  await keyDirectory.load();
  const signingKeys = await store.signingKeys.all();
  return {
    accounts: await listAccounts(store),
    signingKeys: signingKeys.map(({ kid, createdAt, signsFrom }) => ({ kid, createdAt, signsFrom })),
    accountDetails: await inTurn(query.accountIds, (accountId) => readAccount(store, accountId, query)),
    workspaces: await inTurn(query.workspaces, (each) => readWorkspace({ store, keyDirectory }, each, query.at)),
  };
}

export async function listAccounts(store: Store): Promise<ListedAccount[]> {
  const accounts = await store.accounts.list();
  return inTurn(accounts, async (account) => ({
    ...account,
    workspaceIds: await inTurn(ENVIRONMENTS, (each) => store.accounts.workspaceId(account.id, each)),
  }));
}

/** One after the other, because on a busy machine hundreds of parallel reads would time out waiting for a connection. */
async function inTurn<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (const item of items) found.push(await read(item));
  return found;
}

async function readAccount(store: Store, accountId: number, { at, activityKind }: ViewQuery): Promise<AccountView> {
  const clock = { now: () => at };
  const members = await store.members.list(accountId);
  const sessions = await inTurn(members, async ({ id, email, role }) => {
    const actor = { accountId, memberId: id, name: email, role, address: '' };
    const own = await listSessions({ ...store, clock }, actor);
    return [email, own.map(({ accountId, memberId, ...session }) => session)] as const;
  });
  const invitations = await store.links.invitations(accountId, at);
  const whole = { offset: 0, limit: EVERYTHING };
  const { totalCount, entries } = await store.activity.read(accountId, {}, whole);
  if (totalCount !== entries.length) throw new Error(`${totalCount} activity entries, but ${entries.length} shown.`);
  return {
    name: await store.members.accountName(accountId),
    members: await inTurn(members, async ({ accountId, ...member }) => {
      return { ...member, recoveryCodesLeft: await store.profiles.countRecoveryCodes(accountId, member.id) };
    }),
    sessions: Object.fromEntries(sessions),
    invitations: invitations.map(({ id, email, role, createdBy, expiresAt }) => ({
      id,
      email: email ?? '',
      role: role ?? '',
      createdBy: createdBy ?? '',
      expiresAt,
    })),
    activity: entries.map(({ number, ...entry }) => entry),
    activityOfKind: (await store.activity.read(accountId, { kind: activityKind }, whole)).totalCount,
  };
}

async function readWorkspace(product: Product, query: WorkspaceQuery, at: number): Promise<WorkspaceView> {
  const { store } = product;
  const { workspaceId, pageLimit, thorough } = query;
  const stamp = await store.versions.current(workspaceId);
  const page = await listClients(store, workspaceId, { pageNumber: 1, pageLimit });
  return {
    stamp,
    stampOfPage: page.stamp,
    firstPage: toPage(page),
    groups: await store.groups.list(workspaceId),
    details: thorough ? await readDetails(product, query, at) : undefined,
  };
}

async function readDetails(product: Product, query: WorkspaceQuery, at: number): Promise<WorkspaceDetails> {
  const { store } = product;
  const { workspaceId } = query;
  const everybody = await exportOf(store, workspaceId, {});
  const found = await store.searches.find(workspaceId, { words: [WORD] }, { offset: 0, limit: EVERYTHING });
  const byNumber = query.walk === 'by number';
  const inGroup = byNumber ? await exportOf(store, workspaceId, { groupName: query.groupNames[0] }) : [];
  return {
    lists: await readLists(store, query),
    summaries: await readSummaries(store, query),
    updated: await readUpdated(store, query),
    byEmail: await readByEmail(store, query),
    found: references(found.clients),
    export: everybody,
    exportOfGroup: references(inGroup),
    histories: await readHistories(store, workspaceId, [...references(everybody), ...query.erased]),
    waiting: (await readWaiting(store, query)).map(({ client, since, assignee }) => ({
      ...{ referenceId: client.referenceId, since, assignee: assignee?.email ?? null },
    })),
    unassigned: references((await readWaiting(store, query, 'nobody')).map(({ client }) => client)),
    times: await store.reviewTimes.between(workspaceId, 0, at + 1),
    createdBetween: await store.counts.createdBetween(workspaceId, [...CREATION_TIMES, at]),
    keys: await readKeys(product, query, at),
  };
}

async function exportOf(store: Store, workspaceId: number, filter: ClientFilter): Promise<Client[]> {
  return (await Array.fromAsync(exportClients(store, workspaceId, filter))).flat();
}

async function readLists(store: Store, query: WorkspaceQuery): Promise<WorkspaceDetails['lists']> {
  const walk = query.walk === 'by number' ? walkByNumber : walkByCursor;
  const lists = await inTurn(filtersOf(query), async ({ label, filter }) => {
    return [label, await walk(store, query, filter)] as const;
  });
  return Object.fromEntries(lists);
}

async function readSummaries(store: Store, query: WorkspaceQuery): Promise<WorkspaceDetails['summaries']> {
  const summaries = await inTurn(summaryFiltersOf(query), async ({ label, filter: { order, ...filter } }) => {
    const { stamp, ...summary } = await summariseClients(store, query.workspaceId, filter, {
      groupsMax: SUMMARY_GROUPS_SHOWN,
    });
    return [label, summary] as const;
  });
  return Object.fromEntries(summaries);
}

async function readUpdated(store: Store, { workspaceId }: WorkspaceQuery): Promise<WorkspaceDetails['updated']> {
  const request = { pageNumber: 1, pageLimit: EVERYTHING, withUpdatedAt: true };
  const { clients } = await listClients(store, workspaceId, request);
  return Object.fromEntries(clients.map(({ referenceId, updatedAt = 0 }) => [referenceId, updatedAt]));
}

async function readByEmail(store: Store, { workspaceId, emails }: WorkspaceQuery): Promise<Record<string, Page>> {
  const request = { pageNumber: 1, pageLimit: EVERYTHING };
  const pages = await inTurn(emails, async (email) => {
    return [email, toPage(await listClients(store, workspaceId, { ...request, email }))] as const;
  });
  return Object.fromEntries(pages);
}

/** Page by page. */
async function readWaiting(store: Store, { workspaceId, pageLimit: limit }: WorkspaceQuery, assignedTo?: 'nobody') {
  const waiting: WaitingClient[] = [];
  let after: Position | undefined;
  do {
    const page = await store.reviewQueue.read(workspaceId, { assignedTo, after, limit });
    waiting.push(...page.clients);
    after = page.next;
  } while (after);
  return waiting;
}

async function readHistories(store: Store, workspaceId: number, referenceIds: readonly string[]) {
  const histories = await inTurn(referenceIds, async (each): Promise<[string, ClientEvent[]]> => {
    return [each, await store.clients.history(workspaceId, each)];
  });
  return Object.fromEntries(histories);
}

async function readKeys(product: Product, query: WorkspaceQuery, at: number): Promise<KeyView[]> {
  const deps = { ...product.store, clock: { now: () => at } };
  const keys = await listKeys(deps, query.workspaceId);
  return inTurn(keys, async ({ workspaceId, environment, ...key }) => {
    const { callsPerHour } = await readKey(deps, workspaceId, key.id);
    return {
      ...key,
      callsByHour: Object.fromEntries(
        callsPerHour.flatMap((calls, index) => (calls > 0 ? [[callsPerHour.length - 1 - index, calls]] : [])),
      ),
      limitInMemory: product.keyDirectory.limitOf(key.id),
      secrets: await readSecrets(product, { workspaceId, environment, ...key }, query.secrets, at),
    };
  });
}

/** The exchange of a secret and the check of a token that was made from it must agree. */
async function readSecrets(
  { store, keyDirectory }: Product,
  key: ApiKey,
  secrets: readonly string[],
  at: number,
): Promise<SecretView[]> {
  const deps = { ...store, clock: { now: () => at } };
  const known = keyDirectory.get(key.id, 1);
  return inTurn(key.secrets, async (secret) => {
    const works = await inTurn(CALLERS, async (address): Promise<[string, boolean]> => {
      const accepted =
        known !== undefined && hasEnded(known, secret.number, at) === undefined && mayBeUsedFrom(known, address);
      const { environment } = key;
      const text = secrets.find((each) => previewOf(each) === secret.preview);
      const exchanged = await proveKey(deps, { environment, address }, text).then(
        () => true,
        (error) => !isFailure(error, 'invalid_api_key'),
      );
      if (exchanged !== accepted) throw new Error(`Secret ${secret.number} of ${key.id}: ${exchanged}, ${accepted}.`);
      return [address, accepted];
    });
    return { ...secret, works: Object.fromEntries(works) };
  });
}

/** The last pages first, so that the cache is filled in an unusual order. */
async function walkByNumber(store: Store, { workspaceId, pageLimit }: WorkspaceQuery, filter: OrderedFilter) {
  const first = await listClients(store, workspaceId, { ...filter, pageNumber: 1, pageLimit });
  const pages: Page[] = [];
  for (let pageNumber = first.totalPages + 1; pageNumber > 1; pageNumber--) {
    pages.push(toPage(await listClients(store, workspaceId, { ...filter, pageNumber, pageLimit })));
  }
  return [toPage(first), ...pages.reverse()];
}

/** Forward with `next` and back again with `prev`. */
async function walkByCursor(store: Store, { workspaceId, pageLimit }: WorkspaceQuery, filter: OrderedFilter) {
  const request = { ...filter, pageNumber: 1, pageLimit };
  let page = await listClients(store, workspaceId, request);
  const pages = [toPage(page)];
  for (const direction of ['nextCursor', 'prevCursor'] as const) {
    while (page[direction] !== undefined) {
      if (pages.length > EVERYTHING) throw new Error('The walk does not end.');
      page = await listClients(store, workspaceId, { ...request, cursor: page[direction] });
      pages.push(toPage(page));
    }
  }
  return pages;
}

function toPage({ totalCount, pageNumber, clients }: ClientsPage): Page {
  return { total: totalCount, pageNumber, references: references(clients) };
}

function references(clients: readonly Client[]): string[] {
  return clients.map((client) => client.referenceId);
}
