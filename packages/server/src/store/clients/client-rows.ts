import type { Selectable } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import type { SearchedFields } from '../../domain/clients/words.ts';
import { fold } from '../../domain/text.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { CLIENT_STATUS, CLIENT_TYPE, REQUEST_STATUS } from './enum-codes.ts';

/** The row of a client with the name and token of its group. */
export type ClientRow = Selectable<Tables['clients']> & { group_name: string; group_token: string };

/** The columns by whose words a client is found. */
export const SEARCHED_COLUMNS = [
  'clients.name',
  'clients.email',
  'clients.reference_id',
  'clients.external_id',
] as const satisfies `clients.${keyof SearchedFields}`[];

/** SQLite executes a cross join in the order in which it is written: first the clients, then the group of each. */
export function selectClients(db: ReadOnlyDatabase) {
  return db
    .selectFrom('clients')
    .crossJoin('groups')
    .whereRef('groups.workspace_id', '=', 'clients.workspace_id')
    .whereRef('groups.id', '=', 'clients.group_id')
    .selectAll('clients')
    .select(['groups.name as group_name', 'groups.token as group_token']);
}

/** The columns that are shown. */
type ShownRow = Omit<ClientRow, 'workspace_id' | 'id' | 'email_folded' | 'group_id'>;

export function toClient(row: ShownRow): Client {
  return {
    referenceId: row.reference_id,
    email: row.email,
    name: row.name,
    type: CLIENT_TYPE.decode(row.client_type),
    groupName: row.group_name,
    groupToken: row.group_token,
    requestStatus: REQUEST_STATUS.decode(row.request_status),
    status: CLIENT_STATUS.decode(row.client_status),
    createdAt: row.created_at,
    externalId: row.external_id,
  };
}

/** The columns with the data of a client. The caller adds the ids of the workspace, the client and the group. */
export function toColumns(client: Omit<Client, 'groupName' | 'groupToken' | 'updatedAt'>) {
  return {
    reference_id: client.referenceId,
    email: client.email,
    email_folded: fold(client.email),
    name: client.name,
    client_type: CLIENT_TYPE.encode(client.type),
    request_status: REQUEST_STATUS.encode(client.requestStatus),
    client_status: CLIENT_STATUS.encode(client.status),
    created_at: client.createdAt,
    external_id: client.externalId,
  };
}
