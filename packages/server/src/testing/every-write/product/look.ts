import type { Client } from '../../../domain/clients/client.ts';
import type { ClientEvent } from '../../../domain/clients/client-event.ts';
import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import { exportClients } from '../../../domain/clients/export-clients.ts';
import { type ClientsPage, listClients } from '../../../domain/clients/list-clients.ts';
import { LONGEST_TOKEN_SECONDS } from '../../../domain/credentials/access-token.ts';
import type { EndedKeysMirror } from '../../../domain/credentials/ended-keys.ts';
import { listUsedKeys } from '../../../domain/credentials/key-usage.ts';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { listSessions } from '../../../domain/members/session.ts';
import type { Store } from '../../../store/open-store.ts';
import {
  type AccountView,
  ARRIVAL_TIMES,
  FRAGMENT,
  filtersOf,
  type KeyView,
  type ListedAccount,
  type Look,
  type Page,
  sorted,
  type View,
  type WorkspaceDetails,
  type WorkspaceLook,
  type WorkspaceView,
} from '../view.ts';

const EVERYTHING = 1000;

/** What one process of the product reads from. */
export interface Product {
  store: Store;
  /** In memory, as for whoever checks tokens. */
  endedKeys: EndedKeysMirror;
}

/** What this process sees, through the same use cases as everybody else. */
export async function lookAt({ store, endedKeys }: Product, look: Look): Promise<View> {
  await endedKeys.load();
  const signingKeys = await store.signingKeys.all();
  return {
    accounts: await listAccounts(store),
    signingKeys: signingKeys.map(({ kid, createdAt }) => ({ kid, createdAt })),
    insides: await inTurn(look.accountIds, (accountId) => lookAtAccount(store, accountId, look)),
    workspaces: await inTurn(look.workspaces, (each) => lookAtWorkspace({ store, endedKeys }, each, look.at)),
  };
}

export async function listAccounts(store: Store): Promise<ListedAccount[]> {
  const accounts = await store.accounts.list();
  return inTurn(accounts, async (account) => ({
    ...account,
    workspaceIds: await inTurn(ENVIRONMENTS, (each) => store.accounts.workspaceId(account.id, each)),
  }));
}

/** One after the other: on a busy machine, hundreds at once would wait for a connection for longer than any wait may take. */
async function inTurn<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (const item of items) found.push(await read(item));
  return found;
}

async function lookAtAccount(store: Store, accountId: number, { at, activityKind }: Look): Promise<AccountView> {
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
  if (totalCount !== entries.length) throw new Error(`${totalCount} entries on record, but ${entries.length} shown.`);
  return {
    name: await store.members.accountName(accountId),
    members: members.map(({ accountId, ...member }) => member),
    sessions: Object.fromEntries(sessions),
    invitations: invitations.map(({ id, email, role, createdBy, expiresAt }) => ({
      id,
      email: email ?? '',
      role: role ?? '',
      createdBy: createdBy ?? '',
      expiresAt,
    })),
    activity: entries,
    activityOfKind: (await store.activity.read(accountId, { kind: activityKind }, whole)).totalCount,
  };
}

async function lookAtWorkspace(product: Product, look: WorkspaceLook, at: number): Promise<WorkspaceView> {
  const { store } = product;
  const { workspaceId, pageLimit, thorough } = look;
  const stamp = await store.versions.current(workspaceId);
  const page = await listClients(store, workspaceId, { pageNumber: 1, pageLimit });
  return {
    stamp,
    stampOfPage: page.stamp,
    firstPage: toPage(page),
    groups: await store.groups.list(workspaceId),
    details: thorough ? await lookAtDetails(product, look, at) : undefined,
  };
}

async function lookAtDetails(product: Product, look: WorkspaceLook, at: number): Promise<WorkspaceDetails> {
  const { store } = product;
  const { workspaceId } = look;
  const everybody = await exportOf(store, workspaceId, {});
  const found = await store.searches.find(workspaceId, { fragment: FRAGMENT }, { offset: 0, limit: EVERYTHING });
  const byNumber = look.walk === 'by number';
  const inGroup = byNumber ? await exportOf(store, workspaceId, { groupName: look.groupNames[0] }) : [];
  const cells = await store.counts.cells(workspaceId);
  return {
    lists: await readLists(store, look),
    byEmail: await readByEmail(store, look),
    found: references(found.clients),
    export: everybody,
    exportOfGroup: references(inGroup),
    histories: await readHistories(store, workspaceId, [...references(everybody), ...look.erased]),
    cells: sorted(cells),
    arrivals: await store.counts.arrivals(workspaceId, [...ARRIVAL_TIMES, at]),
    keys: await readKeys(product, workspaceId, at),
  };
}

async function exportOf(store: Store, workspaceId: number, filter: ClientFilter): Promise<Client[]> {
  return (await Array.fromAsync(exportClients(store, workspaceId, filter))).flat();
}

async function readLists(store: Store, look: WorkspaceLook): Promise<WorkspaceDetails['lists']> {
  const walk = look.walk === 'by number' ? walkByNumber : walkByCursor;
  const lists = await inTurn(filtersOf(look), async ({ label, filter }) => {
    return [label, await walk(store, look, filter)] as const;
  });
  return Object.fromEntries(lists);
}

async function readByEmail(store: Store, { workspaceId, emails }: WorkspaceLook): Promise<Record<string, Page>> {
  const request = { pageNumber: 1, pageLimit: EVERYTHING };
  const pages = await inTurn(emails, async (email) => {
    return [email, toPage(await listClients(store, workspaceId, { ...request, email }))] as const;
  });
  return Object.fromEntries(pages);
}

async function readHistories(store: Store, workspaceId: number, referenceIds: readonly string[]) {
  const histories = await inTurn(referenceIds, async (each): Promise<[string, ClientEvent[]]> => {
    return [each, await store.clients.history(workspaceId, each)];
  });
  return Object.fromEntries(histories);
}

async function readKeys({ store, endedKeys }: Product, workspaceId: number, at: number): Promise<KeyView[]> {
  const keys = await listUsedKeys({ ...store, clock: { now: () => at } }, workspaceId);
  return keys.map(({ workspaceId, environment, ...key }) => ({
    ...key,
    // What expired so long ago that no token is left need not be remembered.
    hasEnded: endedKeys.hasEnded(key.id, at) || (key.expiresAt ?? at) < at - LONGEST_TOKEN_SECONDS * 1000,
  }));
}

/** The last pages first, so that memory is filled from where it is not expected. */
async function walkByNumber(store: Store, { workspaceId, pageLimit }: WorkspaceLook, filter: ClientFilter) {
  const first = await listClients(store, workspaceId, { ...filter, pageNumber: 1, pageLimit });
  const pages: Page[] = [];
  for (let pageNumber = first.totalPages + 1; pageNumber > 1; pageNumber--) {
    pages.push(toPage(await listClients(store, workspaceId, { ...filter, pageNumber, pageLimit })));
  }
  return [toPage(first), ...pages.reverse()];
}

/** There by `next` and back again by `prev`. */
async function walkByCursor(store: Store, { workspaceId, pageLimit }: WorkspaceLook, filter: ClientFilter) {
  const request = { ...filter, pageNumber: 1, pageLimit };
  let page = await listClients(store, workspaceId, request);
  const pages = [toPage(page)];
  for (const direction of ['nextCursor', 'prevCursor'] as const) {
    while (page[direction] !== undefined) {
      if (pages.length > EVERYTHING) throw new Error('A walk does not end.');
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
