import { sql } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import { CLIENT_STATUS, CLIENT_TYPE, REQUEST_STATUS } from './enum-codes.ts';

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
  externalId: string | null,
  /** Only if it was asked for. */
  updatedAt?: number,
];

const ID = 1;
const CREATED_AT = 2;
const EXTERNAL_ID = 11;
const UPDATED = 12;

/** The columns after the stamp, from `clients as c` and `groups as g`. */
export const LIST_COLUMNS = sql`
  c.id as id, c.created_at as created_at, c.reference_id as reference_id, c.email as email, c.name as name,
  c.client_type as client_type, c.request_status as request_status, c.client_status as client_status,
  g.name as group_name, g.token as group_token, c.external_id as external_id`;

/** The time of the last line in the history of the client. */
export const UPDATED_AT = sql`coalesce((
  select e.at from client_events as e where e.workspace_id = c.workspace_id and e.client_id = c.id
  order by e.version desc limit 1
), c.created_at) as updated_at`;

/** Sorted here and not in the database, which reads pages in either direction; there are few rows. */
export function newestFirst<Row extends ListRow>(rows: Row[]): Row[] {
  return rows.sort((a, b) => b[CREATED_AT] - a[CREATED_AT] || b[ID] - a[ID]);
}

export function positionOf(row: Readonly<ListRow>): Position {
  return { createdAt: row[CREATED_AT], id: row[ID] };
}

export function listRowToClient(row: Readonly<ListRow>): Client {
  const [, , createdAt, referenceId, email, name, type, requestStatus, status, groupName, groupToken] = row;
  return {
    referenceId,
    email,
    name,
    type: CLIENT_TYPE.decode(type),
    groupName,
    groupToken,
    requestStatus: REQUEST_STATUS.decode(requestStatus),
    status: CLIENT_STATUS.decode(status),
    createdAt,
    externalId: row[EXTERNAL_ID],
    updatedAt: row[UPDATED],
  };
}
