import {
  type ClientLookup,
  type ClientSearches,
  type HistoryLine,
  type SearchQueue,
  searchedWords,
  UNDONE,
} from '../clients/index.ts';
import { type KeyNames, namesOfActingKeys } from '../credentials/index.ts';
import { ENVIRONMENTS, type Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { wholeAddress } from '../network-address.ts';
import {
  type ActivityEntry,
  type ActivityFilter,
  type ActivityLog,
  type Called,
  type ClientsIn,
  comparesEntries,
  type EntryValues,
  type FoundActivity,
  SEARCHED_CLIENTS_MAX,
} from './activity.ts';

export interface ReadActivityDeps {
  activity: ActivityLog;
  searches: ClientSearches;
  clients: Pick<ClientLookup, 'histories'>;
  keys: KeyNames;
  accounts: { workspaceId(accountId: number, environment: Environment): Promise<number> };
  searchQueue: SearchQueue;
}

/** Who reads, and the signal that the caller has disconnected. */
export interface Reader {
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

/** One of the clients that were changed together, with what was changed, unless it was erased. */
export interface ListedClient extends NamedClient {
  changed: EntryValues | null;
}

/** An entry with what it is about. */
export interface TitledEntry extends ActivityEntry {
  /** The only client that it is about, if it is one. */
  client: NamedClient | undefined;
  /** How many rows of its import were rejected, also if they have been corrected since, as long as the import is kept. */
  rejectedRows: number | null;
  /** The API key that it is about, as long as there is a record of it. */
  keyId: string | null;
  /** The present name of the API key that has done it, if it was one and there is a record of it. */
  byKey: string | null;
  /** The same of the API key that has started the import that the entry is about, if the subject names it. */
  startedByKey: string | null;
}

export interface ActivityFound extends Omit<FoundActivity, 'entries'> {
  entries: TitledEntry[];
  /** Whether more clients match the search than those whose entries are found. */
  leavesOut: boolean;
}

/** One page of the log. If many entries have to be compared for it, that is done in turn with the searches of others. */
export async function readActivity(
  deps: ReadActivityDeps,
  reader: Reader,
  filter: ActivityFilter,
  window: { offset: number; limit: number },
): Promise<ActivityFound> {
  const { activity, searchQueue } = deps;
  const { accountId, memberId, signal } = reader;
  const read = async (): Promise<ActivityFound> => {
    const { about, called, isReference, leavesOut } = await findSubjects(deps, reader, filter.search);
    const whole = filter.whole || isReference;
    const found = await activity.read(accountId, { ...filter, about, called, whole }, window, signal);
    return { ...found, entries: await withTitles(deps, accountId, found.entries), leavesOut };
  };
  return comparesEntries(filter) ? searchQueue.run(memberId, signal, read) : read();
}

/** The clients of one entry that lists them. */
export async function readListedClients(
  { activity, clients }: Pick<ReadActivityDeps, 'activity' | 'clients'>,
  workspaceId: number,
  number: number,
): Promise<ListedClient[]> {
  const listed = await activity.listedIn(workspaceId, number);
  if (!listed) throw noListOfClients();
  const { referenceIds } = listed;
  const { names } = await activity.subjects(workspaceId, { referenceIds, importIds: [], previews: [] });
  const lines = await clients.histories(workspaceId, referenceIds, [listed.at]);
  return referenceIds.map((referenceId) => ({
    referenceId,
    name: names.get(referenceId),
    changed: changeOf(referenceId, listed, lines),
  }));
}

/** What an entry about clients that were changed together has changed of one of them, which only the history of the client says. */
function changeOf(
  referenceId: string,
  { at, member, subject }: Pick<ActivityEntry, 'at' | 'member' | 'subject'>,
  lines: readonly HistoryLine[],
): EntryValues | null {
  const [line, ...others] = lines.filter(
    (each) => each.referenceId === referenceId && each.at === at && each.actor === member,
  );
  // Two changes within a millisecond cannot be told apart.
  if (!line || others.length > 0) return null;
  // That of an undo says no more than the entry.
  return { from: { ...line.from }, to: { ...line.to }, reason: subject === UNDONE ? null : line.reason };
}

export function noListOfClients(): Failure {
  return new Failure('not_found', 'There is no such entry, or it does not name its clients.');
}

interface FoundClients {
  about: ClientsIn[];
  /** Whether the text is the whole reference of one: its page leads to everything that was done to it. */
  isReference: boolean;
  /** Whether more clients match than these. */
  leavesOut: boolean;
}

interface FoundSubjects extends FoundClients {
  called: Called;
}

const NOTHING_FOUND: FoundSubjects = {
  ...{ about: [], isReference: false, leavesOut: false },
  called: { keyIds: [], viewIds: [] },
};

/**
 * What the log has only by a reference or an id, by the names that it has now. Whoever searches for an address means none of it:
 * the numbers of an address are words, with which references of clients begin, too.
 */
export async function findSubjects(
  deps: ReadActivityDeps,
  reader: Reader,
  search: string | undefined,
): Promise<FoundSubjects> {
  if (search === undefined || wholeAddress(search) !== undefined) return NOTHING_FOUND;
  return { ...(await findClients(deps, reader, search)), called: await findCalled(deps, reader, search) };
}

async function findCalled(
  { activity, accounts }: ReadActivityDeps,
  { accountId, memberId }: Reader,
  search: string,
): Promise<Called> {
  const called: { keyIds: string[]; viewIds: string[] } = { keyIds: [], viewIds: [] };
  for (const environment of ENVIRONMENTS) {
    const workspaceId = await accounts.workspaceId(accountId, environment);
    const { keyIds, viewIds } = await activity.called(workspaceId, memberId, search);
    called.keyIds.push(...keyIds);
    called.viewIds.push(...viewIds);
  }
  return called;
}

/** The log contains neither the names nor the emails of clients, so clients are found first. */
async function findClients(
  { searches, accounts, clients }: ReadActivityDeps,
  { accountId, signal }: Reader,
  search: string,
): Promise<FoundClients> {
  const words = searchedWords(search);
  if (words.length === 0) return NOTHING_FOUND;
  const about: ClientsIn[] = [];
  let isReference = false;
  let leavesOut = false;
  for (const environment of ENVIRONMENTS) {
    const workspaceId = await accounts.workspaceId(accountId, environment);
    const found = await searches.find(workspaceId, { words }, { offset: 0, limit: SEARCHED_CLIENTS_MAX }, signal);
    const matching = found.clients.map(({ referenceId }) => referenceId);
    // Who searches for a whole reference means no other client, not even one whose reference begins like that.
    const isWhole = matching.includes(search);
    const referenceIds = isWhole ? [search] : matching;
    about.push({ workspaceId, referenceIds, lines: await clients.histories(workspaceId, referenceIds) });
    isReference ||= isWhole;
    leavesOut ||= !isWhole && found.totalCount > found.clients.length;
  }
  return { about, isReference, leavesOut };
}

async function withTitles(
  { activity, accounts, clients, keys }: ReadActivityDeps,
  accountId: number,
  entries: readonly ActivityEntry[],
): Promise<TitledEntry[]> {
  const titled = new Map<ActivityEntry, TitledEntry>();
  for (const [environment, some] of Map.groupBy(entries, (entry) => entry.environment)) {
    if (environment === null) continue;
    const workspaceId = await accounts.workspaceId(accountId, environment);
    const referenceIds = some.flatMap((entry) => onlyClientOf(entry) ?? []);
    const importIds = some.flatMap(({ importId }) => importId ?? []);
    const previews = some.flatMap((entry) => previewIn(entry) ?? []);
    const known = await activity.subjects(workspaceId, { referenceIds, importIds, previews });
    const changesOfOne = some.filter(({ clients: count, references }) => count === 1 && references !== null);
    const keyNames = await namesOfActingKeys(
      keys,
      workspaceId,
      some.flatMap((entry) => [entry.member, starterIn(entry) ?? '']),
    );
    const lines = await clients.histories(
      workspaceId,
      changesOfOne.flatMap(({ references }) => references ?? []),
      changesOfOne.map(({ at }) => at),
    );
    for (const entry of some) {
      const referenceId = onlyClientOf(entry);
      const imported = known.imports.get(entry.importId ?? '');
      titled.set(entry, {
        ...entry,
        changed: entry.changed ?? (referenceId === undefined ? null : changeOf(referenceId, entry, lines)),
        client: referenceId === undefined ? undefined : { referenceId, name: known.names.get(referenceId) },
        importId: imported ? entry.importId : null,
        rejectedRows: imported?.rejected ?? null,
        keyId: known.keyIds.get(previewIn(entry) ?? '') ?? null,
        byKey: keyNames.get(entry.member) ?? null,
        startedByKey: keyNames.get(starterIn(entry) ?? '') ?? null,
      });
    }
  }
  const untitled = { client: undefined, rejectedRows: null, keyId: null, byKey: null, startedByKey: null };
  return entries.map((entry) => titled.get(entry) ?? { ...entry, ...untitled });
}

/** The subject of an entry about a cancelled import ends with who has started it: `clients.csv, started by key_1`. */
function starterIn({ action, subject }: ActivityEntry): string | undefined {
  if (action !== 'client.import-cancelled') return undefined;
  return /, started by (\S+)$/.exec(subject)?.[1];
}

/** The subject of an entry about an API key is its name with the preview of a secret, and what was changed: `Billing (rc_ab…yz): note`. */
function previewIn({ action, subject }: ActivityEntry): string | undefined {
  if (!action.startsWith('key.')) return undefined;
  return /\(([^()]*)\)(?:: [a-z, ]+)?$/.exec(subject)?.[1];
}

const ABOUT_ONE_CLIENT: readonly string[] = ['client.added', 'client.changed', 'client.assigned', 'client.erased'];

type AboutClients = Pick<ActivityEntry, 'clients' | 'subject' | 'references'> & { action: string };

/** The reference of the only client that an entry is about, if it is one. */
export function onlyClientOf({ action, clients, subject, references }: AboutClients): string | undefined {
  if (clients === null) return ABOUT_ONE_CLIENT.includes(action) ? subject : undefined;
  return clients === 1 ? references?.[0] : undefined;
}
