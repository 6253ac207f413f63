import { type Static, Type } from 'typebox';
import { ACTIONS } from '../../../domain/action.ts';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { ACTION_KINDS, ACTIVITY_SEARCH_MAX_LENGTH, SEARCHED_CLIENTS_MAX } from '../../../domain/members/activity.ts';
import { EventFields } from '../clients/index.ts';
import { ByKey, Form, Milliseconds, Nullable, Time } from '../fields.ts';

export { ACTIVITY_SEARCH_MAX_LENGTH, SEARCHED_CLIENTS_MAX };

const FILTERS = {
  kind: Type.Optional(Type.Enum([...ACTION_KINDS])),
  member: Type.Optional(Type.String()),
  search: Type.Optional(Type.String({ maxLength: ACTIVITY_SEARCH_MAX_LENGTH })),
  /** Up to `until`, which is not included. */
  from: Type.Optional(Milliseconds),
  until: Type.Optional(Milliseconds),
};

export const ActivityQuery = Form({
  ...FILTERS,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** Whether the text is searched for in the whole log, which takes longer. */
  whole: Type.Optional(Type.Enum(['true'])),
});

/** What is taken away as a file: in CSV what the filters match, in NDJSON the whole log, which can be verified. */
export const ActivityExportForm = Form({ ...FILTERS, format: Type.Optional(Type.Enum(['csv', 'ndjson'])) });
export const CheckpointForm = Form({});

/** Of a client or of an API key. */
const ChangedFields = Form({
  ...EventFields.properties,
  name: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  allowed_networks: Type.Optional(Type.String()),
  expires_at: Type.Optional(Type.String()),
  rate_limit: Type.Optional(Type.String()),
});
export type ChangedFields = Static<typeof ChangedFields>;

/** A client as it is now. */
const NamedClient = Form({
  reference_id: Type.String(),
  /** Null if it was erased. */
  client_name: Nullable(Type.String()),
});
export type NamedClient = Static<typeof NamedClient>;

/** The values before and after a change. */
const ChangedValues = Form({ from: ChangedFields, to: ChangedFields, reason: Nullable(Type.String()) });
export type ChangedValues = Static<typeof ChangedValues>;

export const ActivityRecord = Form({
  at: Time,
  member: Type.String(),
  by_key: ByKey,
  /** The same of the API key that has started a cancelled import. The subject ends with its id. */
  started_by_key: ByKey,
  action: Type.Enum([...ACTIONS]),
  subject: Type.String(),
  environment: Nullable(Type.Enum([...ENVIRONMENTS])),
  address: Type.String(),
  clients: Nullable(Type.Integer()),
  request_id: Nullable(Type.String()),
  /** The client, if the entry is about one alone. */
  client: Nullable(NamedClient),
  /** By which the clients of an entry about several are listed, or some of them; null if it names none. */
  listed_as: Nullable(Type.Integer()),
  /** The import that the entry is about, as long as it has a page. */
  import_id: Nullable(Type.String()),
  /** How many of its rows are rejected now. */
  rejected_rows: Nullable(Type.Integer()),
  /** The groups that the import has made: the first names, and how many more. Missing if there are none. */
  new_groups: Type.Optional(Form({ names: Type.Array(Type.String()), others: Type.Integer() })),
  /** The API key that the entry is about, as long as there is a record of it. */
  key_id: Nullable(Type.String()),
  /** Why a saved view has no name, and the subject is empty: only another member sees it, or it was deleted. */
  unnamed_view: Nullable(Type.Enum(['private', 'deleted'])),
  changed: Nullable(ChangedValues),
});
export type ActivityRecord = Static<typeof ActivityRecord>;

export const ActivityPage = Form({
  page_number: Type.Integer(),
  page_limit: Type.Integer(),
  total_count: Type.Integer(),
  total_pages: Type.Integer(),
  /** For how many days before today entries are kept; null if they are kept forever. */
  kept_days: Nullable(Type.Integer()),
  /** Whether more clients match the search than those whose entries are found. */
  leaves_out: Type.Boolean(),
  /** The time back to which the text was searched for; null if that was in the whole log. */
  searched_back_to: Nullable(Time),
  results: Type.Array(ActivityRecord),
});
export type ActivityPage = Static<typeof ActivityPage>;

/** One of several clients that were changed together. */
const ListedClient = Form({
  ...NamedClient.properties,
  /** Null if it was erased. */
  changed: Nullable(ChangedValues),
});

export const ListedClients = Form({ clients: Type.Array(ListedClient) });
export type ListedClients = Static<typeof ListedClients>;

/** The API keys among them are also listed with their names, as long as there is a record of them. */
export const ActivityActors = Form({
  actors: Type.Array(Type.String()),
  keys: Type.Optional(Type.Array(Form({ key_id: Type.String(), name: Type.String() }))),
});
export type ActivityActors = Static<typeof ActivityActors>;
