import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Tables } from '../tables.ts';
import { CLIENT_TYPE, REQUEST_STATUS } from './enum-codes.ts';

/** The workspace always comes first: it separates the accounts and is the first column of every index. */
export function matchesFilter(workspaceId: number, { email, groupName, requestStatus, clientType }: ClientFilter) {
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
