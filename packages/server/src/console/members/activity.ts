import { type EventFields, type SavedViews, toFieldsRecord } from '../../domain/clients/index.ts';
import { namesOfActingKeys } from '../../domain/credentials/index.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import type { ActivityEntry, EntryValues } from '../../domain/members/activity.ts';
import {
  type NamedClient,
  noListOfClients,
  type ReadActivityDeps,
  readActivity,
  readListedClients,
  type TitledEntry,
} from '../../domain/members/read-activity.ts';
import {
  ActivityActors,
  ActivityPage,
  ActivityQuery,
  type ActivityRecord,
  type ChangedFields,
  type ChangedValues,
  ListedClients,
} from '../contract/members/activity.ts';
import { accountRoute, type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { timeText } from '../time.ts';

const PAGE_LIMIT = 50;

type ViewNames = Awaited<ReturnType<SavedViews['namesOf']>>;

interface ActivityRouteDeps extends ReadActivityDeps {
  views: SavedViews;
  /** For how many days the log is kept; 0 means forever. */
  auditDays: number;
}

export const activityRoutes = (deps: ActivityRouteDeps): ConsoleRoute[] => [
  accountRoute({
    methods: ['GET'],
    path: '/console/activity',
    role: 'viewer',
    query: ActivityQuery,
    data: ActivityPage,
    handle: async ({ actor, query, signal }) => {
      const { page = 1, whole, ...filters } = query;
      const filter = { ...filters, whole: whole === 'true' };
      const window = { offset: (page - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
      const { totalCount, entries, leavesOut, searchedBackTo } = await readActivity(
        deps,
        { ...actor, signal },
        filter,
        window,
      );
      const nameOf = await deps.views.namesOf(actor.accountId, actor.memberId, viewIdsIn(entries));
      return {
        page_number: page,
        page_limit: PAGE_LIMIT,
        total_count: totalCount,
        total_pages: Math.ceil(totalCount / PAGE_LIMIT),
        kept_days: deps.auditDays || null,
        leaves_out: leavesOut,
        searched_back_to: searchedBackTo === null ? null : timeText(searchedBackTo),
        results: entries.map((entry) => toRecord(entry, nameOf)),
      };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/activity/:entryNumber/clients',
    role: 'viewer',
    data: ListedClients,
    handle: async ({ workspaceId, parameter }) => {
      const clients = await readListedClients(deps, workspaceId, readNumber(parameter('entryNumber')));
      return {
        clients: clients.map((client) => ({ ...toNamed(client), changed: toValues(client.changed, toClientFields) })),
      };
    },
  }),

  accountRoute({
    methods: ['GET'],
    path: '/console/activity/actors',
    role: 'viewer',
    data: ActivityActors,
    handle: async ({ actor }) => {
      const actors = await deps.activity.actors(actor.accountId);
      return { actors, keys: await keysAmong(deps, actor.accountId, actors) };
    },
  }),
];

async function keysAmong({ accounts, keys }: ActivityRouteDeps, accountId: number, actors: readonly string[]) {
  const found: { key_id: string; name: string }[] = [];
  for (const environment of ENVIRONMENTS) {
    const names = await namesOfActingKeys(keys, await accounts.workspaceId(accountId, environment), actors);
    for (const [key_id, name] of names) found.push({ key_id, name });
  }
  return found;
}

/** The log has the ids of views, because nothing could be erased from it if a name is that of a client. */
function viewIdsIn(entries: readonly ActivityEntry[]): string[] {
  return entries.filter(isAboutView).map(({ subject }) => subject);
}

function isAboutView({ action }: ActivityEntry): boolean {
  return action.startsWith('view.');
}

/** An id would tell nobody anything. */
function subjectOf(entry: ActivityEntry, nameOf: ViewNames): Pick<ActivityRecord, 'subject' | 'unnamed_view'> {
  const { subject } = entry;
  if (!isAboutView(entry)) return { subject, unnamed_view: null };
  const name = nameOf.get(subject);
  if (name === undefined) return { subject: '', unnamed_view: 'deleted' };
  return name === null ? { subject: '', unnamed_view: 'private' } : { subject: name, unnamed_view: null };
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw noListOfClients();
}

function toNamed({ referenceId, name }: NamedClient) {
  return { reference_id: referenceId, client_name: name ?? null };
}

function toRecord(titled: TitledEntry, nameOf: ViewNames): ActivityRecord {
  const { requestId, changed, client, references, importId, rejectedRows, newGroups, keyId, number, ...rest } = titled;
  const { byKey, startedByKey, ...entry } = rest;
  const toFields = entry.action === 'key.updated' ? toKeyFields : toClientFields;
  return {
    ...entry,
    ...subjectOf(titled, nameOf),
    at: timeText(entry.at),
    request_id: requestId,
    client: client ? toNamed(client) : null,
    listed_as: references && entry.clients !== 1 ? number : null,
    import_id: importId,
    rejected_rows: rejectedRows,
    ...(newGroups && { new_groups: { ...newGroups, names: [...newGroups.names] } }),
    key_id: keyId,
    by_key: byKey,
    started_by_key: startedByKey,
    changed: toValues(changed, toFields),
  };
}

function toValues(
  changed: EntryValues | null,
  toFields: (values: EntryValues['to']) => ChangedFields,
): ChangedValues | null {
  return changed && { from: toFields(changed.from), to: toFields(changed.to), reason: changed.reason };
}

const toClientFields = (values: EntryValues['to']) => toFieldsRecord(values as EventFields);

/** As texts, which are empty for what a key does not have. */
function toKeyFields(values: EntryValues['to']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : String(value ?? ''),
    ]),
  );
}
