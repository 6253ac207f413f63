import type { Client } from './client.ts';
import { formatTime } from './time.ts';

/** A client with the names that it has outside: in the API, in files, in the dashboard and on the command line. */
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
  };
}
