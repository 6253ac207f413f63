// Generated from openapi.json by `npm run client-types`. Do not edit.

export interface Api {
  AccessToken: AccessToken;
  ClientsPage: ClientsPage;
  ClientsSummary: ClientsSummary;
  ListClientsQuery: ListClientsQuery;
  ClientRecord: ClientRecord;
  NewClient: NewClient;
  ClientPatch: ClientPatch;
  ClientByExternalId: ClientByExternalId;
  Import: Import;
  GroupsPage: GroupsPage;
  ListGroupsQuery: ListGroupsQuery;
}
export interface AccessToken {
  /**
   * Send it as `Authorization: Bearer <access_token>`. Opaque.
   */
  access_token: string;
  /**
   * Seconds from now until the token expires.
   */
  expires_in: number;
}
/**
 * One page of clients, with the totals.
 */
export interface ClientsPage {
  /**
   * The number of this page, as requested.
   */
  page_number: number;
  /**
   * Exact number of clients that match.
   */
  total_count: number;
  /**
   * The maximum number of clients per page, as requested.
   */
  page_limit: number;
  /**
   * Number of pages that contain clients; 0 when no client matches.
   */
  total_pages: number;
  /**
   * The clients on this page, in the requested order.
   */
  results: Client[];
}
/**
 * A client and its status.
 */
export interface Client {
  /**
   * Unique reference identifier of the client.
   */
  reference_id: string;
  /**
   * The email of the client, as it was given.
   */
  email: string;
  /**
   * The name of the client.
   */
  client_name: string;
  /**
   * Whether the client is a person or a company.
   */
  client_type: 'individual' | 'company';
  /**
   * The name of the group that the client belongs to.
   */
  group_name: string;
  /**
   * Unique token of the group, a UUID.
   */
  group_token: string;
  /**
   * The status of the request to the client.
   */
  request_status: 'Pending' | 'Declined' | 'Completed' | 'Accepted' | 'Requested';
  /**
   * Whether the client is active.
   */
  client_status: 'active' | 'inactive';
  /**
   * When the client was created: UTC with milliseconds.
   */
  created_at: string;
  /**
   * Only with `include=external_id`: the id in your own system, or null if the client has none.
   */
  external_id?: null | string;
  /**
   * Only with `include=updated_at`: when the client was last changed, UTC with milliseconds.
   */
  updated_at?: string;
}
/**
 * How many clients match, by each property.
 */
export interface ClientsSummary {
  /**
   * Exact number of clients that match.
   */
  total_count: number;
  /**
   * The number of clients in each request status, with the statuses in lower case.
   */
  by_request_status: {
    pending: number;
    declined: number;
    completed: number;
    accepted: number;
    requested: number;
  };
  /**
   * The number of persons and of companies.
   */
  by_client_type: {
    individual: number;
    company: number;
  };
  /**
   * The number of active and of inactive clients.
   */
  by_client_status: {
    active: number;
    inactive: number;
  };
  /**
   * The 100 groups with the most clients that match, the largest first, then by name.
   */
  by_group: {
    /**
     * The name of the group.
     */
    group_name: string;
    /**
     * Unique token of the group, a UUID.
     */
    group_token: string;
    /**
     * The number of its clients that match.
     */
    total_count: number;
  }[];
  /**
   * How many further groups have clients that match.
   */
  other_groups_count: number;
}
export interface ListClientsQuery {
  /**
   * Page number to return.
   */
  page_no?: number;
  /**
   * Alias of `page_no`.
   */
  page?: number;
  /**
   * Maximum results per page.
   */
  page_limit?: number;
  /**
   * The client's whole email; letter case is ignored. An empty value means no filter.
   */
  client_email?: string;
  /**
   * One or several, separated by commas, in any letter case. An empty value means no filter.
   */
  request_status?: ('pending' | 'declined' | 'completed' | 'accepted' | 'requested')[];
  /**
   * Persons or companies, in any letter case. An empty value means no filter.
   */
  client_type?: 'individual' | 'company';
  /**
   * Active or inactive clients, in any letter case. An empty value means no filter.
   */
  client_status?: 'active' | 'inactive';
  /**
   * The group's whole name; letter case is ignored. An empty value means no filter.
   */
  group_name?: string;
  /**
   * The tokens of up to 20 groups, separated by commas.
   *
   * @maxItems 20
   */
  group_token?: string[];
  /**
   * The references of up to 100 clients, separated by commas.
   *
   * @maxItems 100
   */
  reference_id?: string[];
  /**
   * The external ids of up to 100 clients, separated by commas. Letter case matters.
   *
   * @maxItems 100
   */
  external_id?: string[];
  /**
   * Clients created at this time or later: an RFC 3339 time, or a date (its beginning in UTC).
   */
  created_from?: string;
  /**
   * Clients created before this time: an RFC 3339 time, or a date (its beginning in UTC).
   */
  created_to?: string;
  /**
   * Which clients come first, by creation time.
   */
  order?: 'newest' | 'oldest';
  /**
   * Further fields for every client, separated by commas.
   */
  include?: ('external_id' | 'updated_at')[];
  /**
   * Instead of `page_no`: the position to continue from, taken from the `Link` header. Opaque.
   */
  cursor?: string;
}
/**
 * A client with all of its fields.
 */
export interface ClientRecord {
  /**
   * Unique reference identifier of the client.
   */
  reference_id: string;
  /**
   * The email of the client, as it was given.
   */
  email: string;
  /**
   * The name of the client.
   */
  client_name: string;
  /**
   * Whether the client is a person or a company.
   */
  client_type: 'individual' | 'company';
  /**
   * The name of the group that the client belongs to.
   */
  group_name: string;
  /**
   * Unique token of the group, a UUID.
   */
  group_token: string;
  /**
   * The status of the request to the client.
   */
  request_status: 'Pending' | 'Declined' | 'Completed' | 'Accepted' | 'Requested';
  /**
   * Whether the client is active.
   */
  client_status: 'active' | 'inactive';
  /**
   * When the client was created: UTC with milliseconds.
   */
  created_at: string;
  /**
   * The id in your own system, or null if the client has none.
   */
  external_id: null | string;
  /**
   * When the client was last changed, UTC with milliseconds.
   */
  updated_at: string;
}
/**
 * A client to add, with its group by name or by token.
 */
export interface NewClient {
  /**
   * The email of the client.
   */
  email: string;
  /**
   * The name of the client.
   */
  client_name: string;
  /**
   * Whether the client is a person or a company.
   */
  client_type: 'individual' | 'company';
  /**
   * The group of the client. It is created if there is none with this name.
   */
  group_name?: string;
  /**
   * Instead of `group_name`: the token of a group.
   */
  group_token?: string;
  /**
   * The status of the request to the client. `requested` if it is new.
   */
  request_status?:
    | 'pending'
    | 'Pending'
    | 'declined'
    | 'Declined'
    | 'completed'
    | 'Completed'
    | 'accepted'
    | 'Accepted'
    | 'requested'
    | 'Requested';
  /**
   * Whether the client is active. `active` if it is new.
   */
  client_status?: 'active' | 'inactive';
  /**
   * The id in your own system, without commas; null for none. No other client may have it.
   */
  external_id?: null | string;
  /**
   * When the client was created, which is not in the future. Now, unless it is given.
   */
  created_at?: string;
}
/**
 * The fields of a client to change.
 */
export interface ClientPatch {
  /**
   * The email of the client.
   */
  email?: string;
  /**
   * The name of the client.
   */
  client_name?: string;
  /**
   * Whether the client is a person or a company.
   */
  client_type?: 'individual' | 'company';
  /**
   * The group of the client. It is created if there is none with this name.
   */
  group_name?: string;
  /**
   * Instead of `group_name`: the token of a group.
   */
  group_token?: string;
  /**
   * The status of the request to the client. `requested` if it is new.
   */
  request_status?:
    | 'pending'
    | 'Pending'
    | 'declined'
    | 'Declined'
    | 'completed'
    | 'Completed'
    | 'accepted'
    | 'Accepted'
    | 'requested'
    | 'Requested';
  /**
   * Whether the client is active. `active` if it is new.
   */
  client_status?: 'active' | 'inactive';
  /**
   * The id in your own system, without commas; null for none. No other client may have it.
   */
  external_id?: null | string;
  /**
   * Why the client is changed, for its history. Not kept if nothing changes, or if the client is added.
   */
  reason?: string;
}
/**
 * The fields to change of the client that has an external id, or to add a client with it.
 */
export interface ClientByExternalId {
  /**
   * The email of the client.
   */
  email?: string;
  /**
   * The name of the client.
   */
  client_name?: string;
  /**
   * Whether the client is a person or a company.
   */
  client_type?: 'individual' | 'company';
  /**
   * The group of the client. It is created if there is none with this name.
   */
  group_name?: string;
  /**
   * Instead of `group_name`: the token of a group.
   */
  group_token?: string;
  /**
   * The status of the request to the client. `requested` if it is new.
   */
  request_status?:
    | 'pending'
    | 'Pending'
    | 'declined'
    | 'Declined'
    | 'completed'
    | 'Completed'
    | 'accepted'
    | 'Accepted'
    | 'requested'
    | 'Requested';
  /**
   * Whether the client is active. `active` if it is new.
   */
  client_status?: 'active' | 'inactive';
  /**
   * When the client was created, which is not in the future. Now, unless it is given.
   */
  created_at?: string;
  /**
   * Why the client is changed, for its history. Not kept if nothing changes, or if the client is added.
   */
  reason?: string;
}
/**
 * An import of clients in the background.
 */
export interface Import {
  /**
   * The id of the import.
   */
  import_id: string;
  /**
   * Where it stands.
   */
  state: 'queued' | 'running' | 'completed' | 'cancelled' | 'failed';
  /**
   * Whether it only checks the rows.
   */
  dry_run: boolean;
  /**
   * When it was stored.
   */
  created_at: string;
  /**
   * When it began, or null.
   */
  started_at: null | string;
  /**
   * When it ended, or null.
   */
  ended_at: null | string;
  /**
   * How many rows were read.
   */
  rows_read: number;
  /**
   * How many are read in a second.
   */
  rows_per_second: number;
  /**
   * How many rows added a client.
   */
  inserted: number;
  /**
   * How many rows changed a client.
   */
  updated: number;
  /**
   * How many rows changed nothing.
   */
  unchanged: number;
  /**
   * How many rows were rejected.
   */
  rejected: number;
  /**
   * How many rows changed which status, and the first lines.
   */
  status_changes: {
    field: 'request_status' | 'client_status';
    from: string;
    to: string;
    rows: number;
    lines: number[];
  }[];
  /**
   * Up to 20 moves of clients between groups, up to 10 new groups, and how many others.
   */
  group_changes: {
    moves: {
      from: string;
      to: string;
      rows: number;
      lines: number[];
    }[];
    other_moves: number;
    new_groups: string[];
    other_new_groups: number;
  };
  /**
   * How many rows gave a client another email, and the first lines.
   */
  email_changes: {
    rows: number;
    lines: number[];
  };
  /**
   * How many rows added a client whose email another group has, and the first lines.
   */
  emails_elsewhere: {
    rows: number;
    lines: number[];
  };
  /**
   * How many rows changed a client of an earlier row, and the first lines.
   */
  repeats: {
    rows: number;
    lines: number[];
  };
  /**
   * Why it failed, or null.
   */
  reason: null | string;
}
/**
 * One page of groups, with the totals.
 */
export interface GroupsPage {
  /**
   * The number of this page, as requested.
   */
  page_number: number;
  /**
   * Exact number of groups.
   */
  total_count: number;
  /**
   * The maximum number of groups per page, as requested.
   */
  page_limit: number;
  /**
   * Number of pages that contain groups.
   */
  total_pages: number;
  /**
   * The groups on this page, by name.
   */
  results: Group[];
}
/**
 * A group of clients.
 */
export interface Group {
  /**
   * The name of the group.
   */
  group_name: string;
  /**
   * Unique token of the group, which stays when it is renamed.
   */
  group_token: string;
  /**
   * Exact number of its clients.
   */
  client_count: number;
}
export interface ListGroupsQuery {
  /**
   * Page number to return.
   */
  page_no?: number;
  /**
   * Alias of `page_no`.
   */
  page?: number;
  /**
   * Maximum results per page.
   */
  page_limit?: number;
}
