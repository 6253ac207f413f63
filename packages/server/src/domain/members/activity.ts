import type { Action } from '../action.ts';
import type { Environment } from '../environment.ts';
import type { StoredEntry } from './chain-check.ts';

export const ACTION_KINDS = [
  'sign-in',
  'denial',
  'key',
  'member',
  'profile',
  'account',
  'client',
  'group',
  'view',
  'workspace',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

export interface ActivityEntry {
  /** Its place among the entries of its workspace, its account or the installation. */
  number: number;
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
  /** Identifies the request in the log of the service; null if it was none. */
  requestId: string | null;
  /** The values before and after a change of one client, if the entry has them; null after the client was erased. */
  changed: EntryValues | null;
  /** The clients that were changed together, or some of them if they are many. */
  references: readonly string[] | null;
  /** The import to which it belongs, if that had a page of its own. */
  importId: string | null;
  /** The groups that an import has made, as they were called then: the first names, and how many more. Null if there are none. */
  newGroups: { names: readonly string[]; others: number } | null;
}

/** Named as in a client record. */
export interface EntryValues {
  from: Record<string, unknown>;
  to: Record<string, unknown>;
  /** Why, if somebody said so. */
  reason: string | null;
}

/** Clients of one workspace, with their histories. */
export interface ClientsIn {
  workspaceId: number;
  referenceIds: readonly string[];
  /** A line has the time and the actor of the entry about its change, by which entries about several clients are found. */
  lines: readonly { referenceId: string; at: number; actor: string }[];
}

/** What the log knows only by its id, although members search for its name. */
export interface Called {
  keyIds: readonly string[];
  viewIds: readonly string[];
}

export interface ActivityFilter {
  kind?: ActionKind | undefined;
  member?: string | undefined;
  /** A text that the subject, the member, the address, the new request status or the reason must contain, in any letter case. */
  search?: string | undefined;
  /** Entries about these clients match the search, too. */
  about?: readonly ClientsIn[] | undefined;
  /** So does what these API keys have done, and what was done to these saved views. */
  called?: Called | undefined;
  /** Up to `until`, which is not included. */
  from?: number | undefined;
  until?: number | undefined;
  /** Whether the text is searched for in all entries, and not only in the newest ones. */
  whole?: boolean | undefined;
}

/** Whether entries have to be read to know which of them match. All other filters are answered by an index. */
export function comparesEntries({ kind, search }: ActivityFilter): boolean {
  return kind !== undefined || search !== undefined;
}

/** Enough for a name or an email. */
export const ACTIVITY_SEARCH_MAX_LENGTH = 100;

/** So many entries, the newest ones, are searched for a text at first, because comparing all of a long log takes seconds. */
export const SEARCHED_ENTRIES_MAX = 5000;

/** So many clients of each environment are found by what is searched for, those first that were added last. */
export const SEARCHED_CLIENTS_MAX = 100;

/** More names would be too many to choose from. A search finds all of them. */
export const ACTORS_MAX = 200;

export interface FoundActivity {
  totalCount: number;
  entries: ActivityEntry[];
  /** The time back to which entries were searched, if there are older ones that were not. */
  searchedBackTo: number | null;
}

/** A change of several clients that its entry lists. */
export interface ListedChange {
  referenceIds: readonly string[];
  at: number;
  member: string;
  subject: string;
}

/** What entries name: clients, imports, and API keys by the preview of a secret. */
export interface NamedSubjects {
  referenceIds: readonly string[];
  importIds: readonly string[];
  previews: readonly string[];
}

/** What of it exists, or is still kept. */
export interface KnownSubjects {
  names: ReadonlyMap<string, string>;
  /** With how many of their rows were rejected, also if they have been corrected since. */
  imports: ReadonlyMap<string, { rejected: number }>;
  /** The ids of keys, by the previews of their secrets. */
  keyIds: ReadonlyMap<string, string>;
}

/** From where a line in the history of a client came. */
export interface LineOrigin {
  address: string | null;
  /** The import that has added or changed the client: what was imported, and its id as long as it has a page. */
  imported: { name: string; importId: string | null } | null;
}

/** An entry as it is stored, with what only the histories of its clients say. */
export interface ExportedEntry {
  chain: string;
  entry: StoredEntry;
  /** The clients that were changed together, if the entry lists them. */
  references: readonly string[] | null;
  /** Why clients were changed. */
  reason: string | null;
}

export interface ActivityLog {
  /** Newest first. Entries that have to be compared are read in slices, and it throws the reason when the signal is aborted. */
  read(
    accountId: number,
    filter: ActivityFilter,
    window: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<FoundActivity>;
  /**
   * All that match, newest first, as they are stored. Those of an import or a merge are one, with the clients of all. A text is
   * searched for in the whole log. When the signal is aborted, it throws the reason.
   */
  readAll(
    accountId: number,
    filter: Omit<ActivityFilter, 'whole'>,
    signal?: AbortSignal,
  ): AsyncGenerator<ExportedEntry[], void>;
  /** The clients that an entry lists, and their change; `undefined` if it lists none. */
  listedIn(workspaceId: number, number: number): Promise<ListedChange | undefined>;
  /** What entries of a workspace are about, as it is now. */
  subjects(workspaceId: number, named: NamedSubjects): Promise<KnownSubjects>;
  /** The API keys of a workspace, and the saved views that the member sees there, whose present name contains the text. */
  called(workspaceId: number, memberId: number, text: string): Promise<Called>;
  /** From where each line of the history of a client came, as far as the log says so. */
  originsOf(
    accountId: number,
    client: { workspaceId: number; referenceId: string },
    lines: readonly { at: number; actor: string }[],
  ): Promise<LineOrigin[]>;
  /** Who is in the log as the member of an entry, also if removed since: at most the first `ACTORS_MAX` names, sorted. */
  actors(accountId: number): Promise<string[]>;
}
