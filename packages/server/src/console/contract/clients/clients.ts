import { type Static, Type } from 'typebox';
import {
  CLIENT_NAME_MAX_LENGTH,
  CLIENT_STATUSES,
  CLIENT_TYPES,
  EXTERNAL_ID_MAX_LENGTH,
} from '../../../domain/clients/client.ts';
import { EVENT_KINDS } from '../../../domain/clients/client-event.ts';
import { GROUP_NAME_MAX_LENGTH } from '../../../domain/clients/group.ts';
import { LIST_ORDERS } from '../../../domain/clients/list-orders.ts';
import { REASON_MAX_LENGTH } from '../../../domain/clients/reason.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { ByKey, Email, Form, Milliseconds, Nullable, Time } from '../fields.ts';
import { StatusCounts } from './groups.ts';

export const RequestStatus = Type.Enum([...REQUEST_STATUSES]);
const ClientType = Type.Enum([...CLIENT_TYPES]);
export const ClientStatus = Type.Enum([...CLIENT_STATUSES]);
const ClientName = Type.String({ minLength: 1, maxLength: CLIENT_NAME_MAX_LENGTH });
export const GroupName = Type.String({ minLength: 1, maxLength: GROUP_NAME_MAX_LENGTH });
/** Empty if the client has none. */
const ExternalId = Type.String({ maxLength: EXTERNAL_ID_MAX_LENGTH });
/** Empty or missing if nobody said why. */
export const Reason = Type.String({ maxLength: REASON_MAX_LENGTH });
export const ReferenceId = Type.String({ minLength: 1, maxLength: 40 });

export { REASON_MAX_LENGTH };

/** Longer than any name or email. */
export const SEARCH_MAX_LENGTH = 300;

/** As many groups as the API takes. */
export const FILTERED_GROUPS_MAX = 20;

/** So many clients can be selected one by one. */
export const SELECTED_MAX = 1000;

const FILTERS = {
  client_type: Type.Optional(ClientType),
  client_status: Type.Optional(ClientStatus),
  group_name: Type.Optional(Type.String()),
  group_token: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { maxItems: FILTERED_GROUPS_MAX })),
  created_from: Type.Optional(Milliseconds),
  created_until: Type.Optional(Milliseconds),
};

const SEARCH = {
  search: Type.Optional(Type.String({ maxLength: SEARCH_MAX_LENGTH })),
  request_status: Type.Optional(Type.Array(RequestStatus)),
  ...FILTERS,
};

/** How many clients match, by request status. */
export const ClientCountsQuery = Form(FILTERS);
export const ClientCountsRecord = Form({ total_count: Type.Integer(), by_status: StatusCounts });
export type ClientCountsRecord = Static<typeof ClientCountsRecord>;

/** Sent as a browser sends a form without a script, so that the file is saved straight to disk. */
export const ExportForm = Form({
  ...SEARCH,
  /** Only these clients. */
  reference_ids: Type.Optional(Type.Array(ReferenceId, { maxItems: SELECTED_MAX })),
});
/** The filters of the list, without the page. */
export const FiltersQuery = Form(SEARCH);
export const ClientsQuery = Form({
  ...SEARCH,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  page_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  /** Newest first unless it is given. What a search finds is always newest first. */
  order: Type.Optional(Type.Enum([...LIST_ORDERS])),
});
export type ClientFilters = Static<typeof ExportForm>;

export const ClientRecord = Form({
  reference_id: Type.String(),
  email: Type.String(),
  client_name: Type.String(),
  client_type: ClientType,
  group_name: Type.String(),
  group_token: Type.String(),
  request_status: RequestStatus,
  client_status: ClientStatus,
  created_at: Time,
  external_id: Type.String(),
});
export type ClientRecord = Static<typeof ClientRecord>;

export const ChangedClientRecord = Form({
  ...ClientRecord.properties,
  /** By which the change can be undone; null if nothing was changed. */
  version: Nullable(Type.Integer()),
});
export type ChangedClientRecord = Static<typeof ChangedClientRecord>;

export const ClientsPage = Form({
  page_number: Type.Integer(),
  page_limit: Type.Integer(),
  total_count: Type.Integer(),
  /** If not, more clients match than a search counts: more than `total_count`. Pages end there, too. */
  total_is_exact: Type.Boolean(),
  total_pages: Type.Integer(),
  results: Type.Array(ClientRecord),
});
export type ClientsPage = Static<typeof ClientsPage>;

/** The clients before and after one in a list, by their references. */
export const NeighboursRecord = Form({ previous: Nullable(Type.String()), next: Nullable(Type.String()) });
export type NeighboursRecord = Static<typeof NeighboursRecord>;

/** The fields that a change has changed, with their values before or after it. */
export const EventFields = Form({
  email: Type.Optional(Type.String()),
  client_name: Type.Optional(Type.String()),
  client_type: Type.Optional(Type.String()),
  group_name: Type.Optional(Type.String()),
  request_status: Type.Optional(Type.String()),
  client_status: Type.Optional(Type.String()),
  created_at: Type.Optional(Time),
  external_id: Type.Optional(Type.String()),
  assignee: Type.Optional(Type.String()),
});

/** The member who reviews a client. */
export const AssigneeRecord = Form({ member_id: Type.Integer(), email: Type.String() });
export type AssigneeRecord = Static<typeof AssigneeRecord>;

export const ClientDetail = Form({
  client: ClientRecord,
  assignee: Nullable(AssigneeRecord),
  next_statuses: Type.Array(RequestStatus),
  history: Type.Array(
    Form({
      at: Time,
      actor: Type.String(),
      by_key: ByKey,
      /** From where, if the activity log says so. */
      address: Nullable(Type.String()),
      /** What was imported, if it came from an import, and the id of that, as long as it has a page. */
      imported: Nullable(Form({ name: Type.String(), import_id: Nullable(Type.String()) })),
      kind: Type.Enum([...EVENT_KINDS]),
      from: Nullable(EventFields),
      to: Nullable(EventFields),
      reason: Nullable(Type.String()),
    }),
  ),
});
export type ClientDetail = Static<typeof ClientDetail>;

/** The fields of a client that a member fills in. */
export const ClientForm = Form({
  email: Email,
  client_name: ClientName,
  client_type: ClientType,
  group_name: GroupName,
  external_id: Type.Optional(ExternalId),
});

const changeable = {
  email: Email,
  client_name: ClientName,
  client_type: ClientType,
  group_name: GroupName,
  request_status: RequestStatus,
  client_status: ClientStatus,
  /** Missing if the page was loaded before there were external ids. */
  external_id: Type.Optional(ExternalId),
};

/** The client as the member saw it, and the change. If the client has changed in the meantime, the request is refused. */
export const ChangeClientForm = Form({
  seen: Form(changeable),
  change: Form({
    email: Type.Optional(Email),
    client_name: Type.Optional(ClientName),
    client_type: Type.Optional(ClientType),
    group_name: Type.Optional(GroupName),
    request_status: Type.Optional(RequestStatus),
    client_status: Type.Optional(ClientStatus),
    external_id: Type.Optional(ExternalId),
  }),
  reason: Type.Optional(Reason),
});
export type ChangeClientForm = Static<typeof ChangeClientForm>;
