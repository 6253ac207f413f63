import { formatTime } from '../time.ts';
import type { Client } from './client.ts';
import type { ClientEvent, EventFields } from './client-event.ts';
import type { FoundClients } from './search-clients.ts';

/** A client with the field names used in files, in the dashboard and on the command line. What it does not have is empty. */
export interface ClientRecord extends Record<string, string> {
  reference_id: string;
  email: string;
  client_name: string;
  client_type: Client['type'];
  group_name: string;
  group_token: string;
  request_status: Client['requestStatus'];
  client_status: Client['status'];
  created_at: string;
  external_id: string;
}

export function toRecord(client: Client): ClientRecord {
  return {
    reference_id: client.referenceId,
    email: client.email,
    client_name: client.name,
    client_type: client.type,
    group_name: client.groupName,
    group_token: client.groupToken,
    request_status: client.requestStatus,
    client_status: client.status,
    created_at: formatTime(client.createdAt),
    external_id: client.externalId ?? '',
  };
}

/** A page of a list or a search, as the dashboard and the command line show it. */
export function toPageRecord(found: FoundClients) {
  return {
    page_number: found.pageNumber,
    page_limit: found.pageLimit,
    total_count: found.totalCount,
    total_is_exact: found.isTotalExact,
    total_pages: found.totalPages,
    results: found.clients.map(toRecord),
  };
}

/** The fields of a history line as text, including times. */
export type EventFieldsRecord = { [Field in keyof EventFields]: string };

/** A line of a client's history as shown in the dashboard and on the command line. */
export interface ClientEventRecord extends Omit<ClientEvent, 'at' | 'from' | 'to'> {
  at: string;
  from: EventFieldsRecord | null;
  to: EventFieldsRecord | null;
}

export function toEventRecord({ at, actor, kind, from, to, reason }: ClientEvent): ClientEventRecord {
  return { at: formatTime(at), actor, kind, from: from && toFieldsRecord(from), to: to && toFieldsRecord(to), reason };
}

export function toFieldsRecord(fields: EventFields): EventFieldsRecord {
  const { created_at: createdAt, external_id: externalId, assignee, ...texts } = fields;
  return {
    ...texts,
    ...(createdAt !== undefined && { created_at: formatTime(createdAt) }),
    ...(externalId !== undefined && { external_id: externalId ?? '' }),
    ...(assignee !== undefined && { assignee: assignee ?? '' }),
  };
}
