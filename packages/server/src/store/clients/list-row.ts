import { sql } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import { toClient } from './client-rows.ts';

/**
 * A row of a list: the stamp of the snapshot, followed by the columns of a client. It is an array, which is cheaper than an
 * object. A statement may add further columns.
 */
export type ListRow = [
  stamp: string,
  id: number,
  createdAt: number,
  referenceId: string,
  email: string,
  name: string,
  clientType: number,
  requestStatus: number,
  clientStatus: number,
  groupName: string,
  groupToken: string,
  ...more: string[],
];

const ID = 1;
const CREATED_AT = 2;

/** The columns after the stamp, from `clients as c` and `groups as g`. */
export const LIST_COLUMNS = sql`
  c.id as id, c.created_at as created_at, c.reference_id as reference_id, c.email as email, c.name as name,
  c.client_type as client_type, c.request_status as request_status, c.client_status as client_status,
  g.name as group_name, g.token as group_token`;

/** Sorted here and not in the database, which reads pages in either direction; there are few rows. */
export function newestFirst(rows: ListRow[]): ListRow[] {
  return rows.sort((a, b) => b[CREATED_AT] - a[CREATED_AT] || b[ID] - a[ID]);
}

export function positionOf(row: Readonly<ListRow>): Position {
  return { createdAt: row[CREATED_AT], id: row[ID] };
}

export function listRowToClient(row: Readonly<ListRow>): Client {
  const [, , createdAt, referenceId, email, name, clientType, requestStatus, clientStatus, groupName, groupToken] = row;
  return toClient({
    reference_id: referenceId,
    email,
    name,
    client_type: clientType,
    group_name: groupName,
    group_token: groupToken,
    request_status: requestStatus,
    client_status: clientStatus,
    created_at: createdAt,
  });
}
