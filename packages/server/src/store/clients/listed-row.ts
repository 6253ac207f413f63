import { sql } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import { toClient } from './client-rows.ts';

/**
 * A client as lists read it, after the stamp of that moment: an array, which costs less to make than an object. A
 * statement may add what only it needs.
 */
export type ListedRow = [
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

/** What follows the stamp, of `clients as c` and `groups as g`. */
export const LISTED_COLUMNS = sql`
  c.id as id, c.created_at as created_at, c.reference_id as reference_id, c.email as email, c.name as name,
  c.client_type as client_type, c.request_status as request_status, c.client_status as client_status,
  g.name as group_name, g.token as group_token`;

/** Newest first. The database is not asked to: it finds a page in this order or the opposite one, and few of one email. */
export function newestFirst(rows: ListedRow[]): ListedRow[] {
  return rows.sort((a, b) => b[CREATED_AT] - a[CREATED_AT] || b[ID] - a[ID]);
}

export function placeOf(row: Readonly<ListedRow>): Position {
  return { createdAt: row[CREATED_AT], id: row[ID] };
}

export function toListedClient(row: Readonly<ListedRow>): Client {
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
