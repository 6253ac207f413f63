import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import { CLIENT_STATUSES, type Client, type ClientStatus } from './client.ts';
import { type ClientFilter, type ClientSearch, normaliseFilter } from './client-filter.ts';
import { REQUEST_STATUSES, type RequestStatus } from './request-status.ts';
import { FOUND_MAX, type SearchDeps, type Searcher } from './search-clients.ts';
import { type ClientSummaries, summariseClients } from './summarise-clients.ts';

/** Clients that somebody has chosen: these, or all that a search or a list shows. */
export type Selection = { referenceIds: readonly string[] } | { search: ClientSearch };

/** How many of the chosen clients have which status, now. */
export interface SelectionCounts {
  total: number;
  byRequestStatus: Record<RequestStatus, number>;
  byClientStatus: Record<ClientStatus, number>;
  /** How many are in the group that was asked for. */
  inGroup: number | undefined;
}

export interface SelectDeps extends SearchDeps {
  summaries: ClientSummaries;
}

/** Those of a list are counted without reading them, however many there are. */
export async function countSelected(
  deps: SelectDeps,
  workspaceId: number,
  selection: Selection,
  searcher: Searcher,
  groupName?: string,
): Promise<SelectionCounts> {
  const filter = filterOf(selection);
  if (!filter) return countsOf(await readSelected(deps, workspaceId, selection, searcher), groupName);
  const { signal } = searcher;
  const summary = await summariseClients(deps, workspaceId, filter, { groupsMax: 0, signal });
  return {
    total: summary.totalCount,
    byRequestStatus: summary.byRequestStatus,
    byClientStatus: summary.byClientStatus,
    inGroup: groupName === undefined ? undefined : await countInGroup(deps, workspaceId, filter, groupName),
  };
}

/** The filter, if the clients are those of a list, which may be too long to read it. */
export function filterOf(selection: Selection): ClientFilter | undefined {
  return 'search' in selection && selection.search.words === undefined ? normaliseFilter(selection.search) : undefined;
}

/** The chosen clients, or those that a search finds, unless these are more than it counts. */
export async function readSelected(
  deps: SearchDeps,
  workspaceId: number,
  selection: Selection,
  { memberId, signal }: Searcher,
): Promise<Client[]> {
  if ('referenceIds' in selection) {
    const filter = normaliseFilter({ referenceIds: selection.referenceIds });
    return (await deps.clients.read(workspaceId, filter, { offset: 0, limit: selection.referenceIds.length })).clients;
  }
  const search = { ...normaliseFilter(selection.search), words: selection.search.words ?? [] };
  const found = await deps.searchQueue.run(memberId, signal, () =>
    deps.searches.find(workspaceId, search, { offset: 0, limit: FOUND_MAX }, signal),
  );
  if (found.isTotalExact) return found.clients;
  const most = FOUND_MAX.toLocaleString('en');
  throw new Failure(
    'bad_parameter',
    `search finds more than ${most} clients, which is the most that can be selected by a search. Add a word or another filter.`,
  );
}

async function countInGroup(
  { clients }: SelectDeps,
  workspaceId: number,
  filter: ClientFilter,
  groupName: string,
): Promise<number> {
  const name = fold(groupName);
  if (filter.groupName !== undefined && filter.groupName !== name) return 0;
  const { totalCount } = await clients.read(workspaceId, { ...filter, groupName: name }, { offset: 0, limit: 1 });
  return totalCount;
}

function countsOf(clients: readonly Client[], groupName: string | undefined): SelectionCounts {
  const count = (matches: (client: Client) => boolean) => clients.filter(matches).length;
  const byRequestStatus = REQUEST_STATUSES.map((each) => [each, count((client) => client.requestStatus === each)]);
  const byClientStatus = CLIENT_STATUSES.map((each) => [each, count((client) => client.status === each)]);
  return {
    total: clients.length,
    byRequestStatus: Object.fromEntries(byRequestStatus),
    byClientStatus: Object.fromEntries(byClientStatus),
    inGroup: groupName === undefined ? undefined : count((client) => fold(client.groupName) === fold(groupName)),
  };
}
