import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ClientFilter, ClientPages } from '../domain/list-clients.ts';
import { selectClients, toClient } from './client-rows.ts';
import { CLIENT_TYPE, REQUEST_STATUS } from './codes.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

export function openClientPages(engine: Engine): ClientPages {
  return {
    read: (workspaceId, filter, { offset, limit }) =>
      engine.snapshot(async (db) => {
        const { total } = await db
          .selectFrom('clients')
          .where(matches(workspaceId, filter))
          .select((count) => count.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        if (offset >= total) return { totalCount: total, clients: [] };

        const rows = await selectClients(db)
          .where(matches(workspaceId, filter))
          .orderBy('clients.created_at', 'desc')
          .orderBy('clients.id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        return { totalCount: total, clients: rows.map(toClient) };
      }),
  };
}

/** The workspace first, always: it is the boundary between tenants and the start of every index. */
export function matches(workspaceId: number, { email, groupName, requestStatus, clientType }: ClientFilter) {
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
