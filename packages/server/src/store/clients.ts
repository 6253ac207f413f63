import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ClientAdditions } from '../domain/add-sample.ts';
import type { Client, NewClient } from '../domain/client.ts';
import type { ClientFilter, ClientPages } from '../domain/list-clients.ts';
import { fold } from '../domain/text.ts';
import { CLIENT_STATUS, CLIENT_TYPE, REQUEST_STATUS } from './codes.ts';
import type { Engine } from './engines/engine.ts';
import { findOrCreateGroups } from './groups.ts';
import type { Tables } from './tables.ts';
import { raiseVersion } from './workspaces.ts';

/** Both engines bound the parameters of one statement; eleven columns times this stays below either bound. */
const ROWS_PER_STATEMENT = 500;

export function openClients(engine: Engine): ClientPages & ClientAdditions {
  return {
    read: (workspaceId, filter, { offset, limit }) =>
      engine.snapshot(async (db) => {
        const { total } = await db
          .selectFrom('clients')
          .where(matches(workspaceId, filter))
          .select((count) => count.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        if (offset >= total) return { totalCount: total, clients: [] };

        const rows = await db
          .selectFrom('clients')
          .innerJoin('groups', (join) =>
            join.onRef('groups.workspace_id', '=', 'clients.workspace_id').onRef('groups.id', '=', 'clients.group_id'),
          )
          .where(matches(workspaceId, filter))
          .select([
            'clients.reference_id',
            'clients.email',
            'clients.name',
            'clients.client_type',
            'groups.name as group_name',
            'groups.token as group_token',
            'clients.request_status',
            'clients.client_status',
            'clients.created_at',
          ])
          .orderBy('clients.created_at', 'desc')
          .orderBy('clients.id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        return { totalCount: total, clients: rows.map(toClient) };
      }),

    add: (workspaceId, clients, addedAt) =>
      engine.write(async (db) => {
        const groupIds = await findOrCreateGroups(db, workspaceId, new Set(clients.map((c) => c.groupName)), addedAt);
        const { firstClientId } = await raiseVersion(db, workspaceId, { clients: clients.length });
        const rows = clients.map((client, index) =>
          toRow(client, workspaceId, firstClientId + index, groupIds.get(fold(client.groupName)) ?? 0),
        );
        let added = 0;
        for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
          const { numInsertedOrUpdatedRows = 0n } = await db
            .insertInto('clients')
            .values(rows.slice(start, start + ROWS_PER_STATEMENT))
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirstOrThrow();
          added += Number(numInsertedOrUpdatedRows);
        }
        return added;
      }),
  };
}

/** The workspace first, always: it is the boundary between tenants and the start of every index. */
function matches(workspaceId: number, { email, groupName, requestStatus, clientType }: ClientFilter) {
  return (client: ExpressionBuilder<Tables, 'clients'>): Expression<SqlBool> => {
    const conditions = [client('clients.workspace_id', '=', workspaceId)];
    if (email !== undefined) conditions.push(client('clients.email_folded', '=', email));
    if (requestStatus !== undefined) {
      conditions.push(client('clients.request_status', '=', REQUEST_STATUS.encode(requestStatus)));
    }
    if (clientType !== undefined) conditions.push(client('clients.client_type', '=', CLIENT_TYPE.encode(clientType)));
    if (groupName !== undefined) {
      const groupId = client
        .selectFrom('groups')
        .where('groups.workspace_id', '=', workspaceId)
        .where('groups.name_folded', '=', groupName)
        .select('groups.id');
      conditions.push(client('clients.group_id', '=', groupId));
    }
    return client.and(conditions);
  };
}

interface ClientRow {
  reference_id: string;
  email: string;
  name: string;
  client_type: number;
  group_name: string;
  group_token: string;
  request_status: number;
  client_status: number;
  created_at: number;
}

function toClient(row: ClientRow): Client {
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
  };
}

function toRow(client: NewClient, workspaceId: number, id: number, groupId: number): Tables['clients'] {
  return {
    workspace_id: workspaceId,
    id,
    reference_id: client.referenceId,
    email: client.email,
    email_folded: fold(client.email),
    name: client.name,
    client_type: CLIENT_TYPE.encode(client.type),
    group_id: groupId,
    request_status: REQUEST_STATUS.encode(client.requestStatus),
    client_status: CLIENT_STATUS.encode(client.status),
    created_at: client.createdAt,
  };
}
