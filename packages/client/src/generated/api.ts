// Generated from openapi.json by `npm run client-types`. Do not edit.

export interface Api {
  AccessToken: AccessToken;
  ClientsPage: ClientsPage;
  ListClientsQuery: ListClientsQuery;
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
export interface ClientsPage {
  /**
   * As asked for.
   */
  page_number: number;
  /**
   * Exact number of clients that match.
   */
  total_count: number;
  page_limit: number;
  total_pages: number;
  results: Client[];
}
export interface Client {
  /**
   * Unique reference identifier of the client.
   */
  reference_id: string;
  email: string;
  client_name: string;
  client_type: 'individual' | 'company';
  group_name: string;
  /**
   * Unique token of the group, a UUID.
   */
  group_token: string;
  request_status: 'Pending' | 'Declined' | 'Completed' | 'Accepted' | 'Requested';
  client_status: 'active' | 'inactive';
  /**
   * UTC with milliseconds.
   */
  created_at: string;
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
   * The client's whole email; letter case is ignored.
   */
  client_email?: string;
  /**
   * In any letter case.
   */
  request_status?: 'pending' | 'declined' | 'completed' | 'accepted' | 'requested';
  /**
   * In any letter case.
   */
  client_type?: 'individual' | 'company';
  /**
   * The group's whole name; letter case is ignored.
   */
  group_name?: string;
  /**
   * Instead of `page_no`: a place to go on from, taken from the `Link` header. Opaque.
   */
  cursor?: string;
}
