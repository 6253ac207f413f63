import { type ClientSearches, type SearchQueue, searchedWords } from '../clients/index.ts';
import { ENVIRONMENTS, type Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import {
  type ActivityEntry,
  type ActivityFilter,
  type ActivityLog,
  type ClientsIn,
  comparesEntries,
  type FoundActivity,
  SEARCHED_CLIENTS_MAX,
} from './activity.ts';

export interface ReadActivityDeps {
  activity: ActivityLog;
  searches: ClientSearches;
  accounts: { workspaceId(accountId: number, environment: Environment): Promise<number> };
  searchQueue: SearchQueue;
}

/** Who reads, and the signal that the caller has disconnected. */
interface Reader {
  accountId: number;
  memberId: number;
  signal: AbortSignal;
}

/** A client as the log shows it. Its name is not in the log, from which nothing can be removed, and is looked up. */
export interface NamedClient {
  referenceId: string;
  /** None if the client was erased. */
  name: string | undefined;
}

/** An entry with what it is about. */
export interface TitledEntry extends ActivityEntry {
  /** The only client that it is about, if it is one. */
  client: NamedClient | undefined;
}

export interface ActivityFound extends Omit<FoundActivity, 'entries'> {
  entries: TitledEntry[];
  /** Whether more clients match the search than those whose entries are found. */
  leavesOut: boolean;
}

/** One page of the log. If many entries have to be compared for it, that is done in turn with the searches of others. */
export async function readActivity(
  deps: ReadActivityDeps,
  { accountId, memberId, signal }: Reader,
  filter: ActivityFilter,
  window: { offset: number; limit: number },
): Promise<ActivityFound> {
  const { activity, searchQueue } = deps;
  const read = async (): Promise<ActivityFound> => {
    const { about, leavesOut } = await findClients(deps, accountId, filter.search, signal);
    const { totalCount, entries } = await activity.read(accountId, { ...filter, about }, window, signal);
    return { totalCount, entries: await withTitles(deps, accountId, entries), leavesOut };
  };
  return comparesEntries(filter) ? searchQueue.run(memberId, signal, read) : read();
}

/** The clients of one entry that lists them. */
export async function readListedClients(
  { activity }: Pick<ReadActivityDeps, 'activity'>,
  workspaceId: number,
  number: number,
): Promise<NamedClient[]> {
  const referenceIds = await activity.referencesOf(workspaceId, number);
  if (referenceIds.length === 0) throw noListOfClients();
  const { names } = await activity.subjects(workspaceId, { referenceIds, importIds: [] });
  return referenceIds.map((referenceId) => ({ referenceId, name: names.get(referenceId) }));
}

export function noListOfClients(): Failure {
  return new Failure('not_found', 'There is no such entry, or it does not name its clients.');
}

/** The log contains neither the names nor the emails of clients, so clients are found first. */
async function findClients(
  { searches, accounts }: ReadActivityDeps,
  accountId: number,
  search: string | undefined,
  signal: AbortSignal,
): Promise<{ about: ClientsIn[]; leavesOut: boolean }> {
  const words = search === undefined ? [] : searchedWords(search);
  if (words.length === 0) return { about: [], leavesOut: false };
  const about: ClientsIn[] = [];
  let leavesOut = false;
  for (const environment of ENVIRONMENTS) {
    const workspaceId = await accounts.workspaceId(accountId, environment);
    const found = await searches.find(workspaceId, { words }, { offset: 0, limit: SEARCHED_CLIENTS_MAX }, signal);
    about.push({ workspaceId, referenceIds: found.clients.map(({ referenceId }) => referenceId) });
    leavesOut ||= found.totalCount > found.clients.length;
  }
  return { about, leavesOut };
}

async function withTitles(
  { activity, accounts }: ReadActivityDeps,
  accountId: number,
  entries: readonly ActivityEntry[],
): Promise<TitledEntry[]> {
  const titled = new Map<ActivityEntry, TitledEntry>();
  for (const [environment, some] of Map.groupBy(entries, (entry) => entry.environment)) {
    if (environment === null) continue;
    const workspaceId = await accounts.workspaceId(accountId, environment);
    const referenceIds = some.flatMap((entry) => onlyClientOf(entry) ?? []);
    const importIds = some.flatMap(({ importId }) => importId ?? []);
    const known = await activity.subjects(workspaceId, { referenceIds, importIds });
    for (const entry of some) {
      const referenceId = onlyClientOf(entry);
      titled.set(entry, {
        ...entry,
        client: referenceId === undefined ? undefined : { referenceId, name: known.names.get(referenceId) },
        importId: entry.importId !== null && known.importIds.has(entry.importId) ? entry.importId : null,
      });
    }
  }
  return entries.map((entry) => titled.get(entry) ?? { ...entry, client: undefined });
}

const ABOUT_ONE_CLIENT: readonly string[] = ['client.added', 'client.changed', 'client.assigned', 'client.erased'];

function onlyClientOf({ action, clients, subject, references }: ActivityEntry): string | undefined {
  if (clients === null) return ABOUT_ONE_CLIENT.includes(action) ? subject : undefined;
  return references?.length === 1 ? references[0] : undefined;
}
