import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Tables } from '../tables.ts';
import { CLIENT_STATUS, CLIENT_TYPE, REQUEST_STATUS } from './enum-codes.ts';

/**
 * The workspace always comes first: it separates the accounts and is the first column of every index. A single value is
 * compared by itself, so that the index of its list can be used in order.
 */
export function matchesFilter(workspaceId: number, filter: ClientFilter) {
  const { email, groupName, groupTokens, requestStatuses, clientType, clientStatus } = filter;
  const { referenceIds, externalIds, createdFrom, createdUntil } = filter;
  return (client: ExpressionBuilder<Tables, 'clients'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [client('clients.workspace_id', '=', workspaceId)];
    if (email !== undefined) conditions.push(client('clients.email_folded', '=', email));
    if (referenceIds) conditions.push(client('clients.reference_id', 'in', referenceIds));
    if (externalIds) conditions.push(client('clients.external_id', 'in', externalIds));
    if (requestStatuses) {
      const codes = requestStatuses.map((each) => REQUEST_STATUS.encode(each));
      const [code = 0] = codes;
      const isOne = codes.length === 1;
      conditions.push(
        isOne ? client('clients.request_status', '=', code) : client('clients.request_status', 'in', codes),
      );
    }
    if (clientType !== undefined) conditions.push(client('clients.client_type', '=', CLIENT_TYPE.encode(clientType)));
    if (clientStatus !== undefined) {
      conditions.push(client('clients.client_status', '=', CLIENT_STATUS.encode(clientStatus)));
    }
    if (groupName !== undefined) conditions.push(client('clients.group_id', '=', groupNamed(groupName)));
    if (groupTokens) conditions.push(client('clients.group_id', 'in', groupsWith(groupTokens)));
    if (createdFrom !== undefined) conditions.push(client('clients.created_at', '>=', createdFrom));
    if (createdUntil !== undefined) conditions.push(client('clients.created_at', '<', createdUntil));
    return client.and(conditions);

    function groups() {
      return client.selectFrom('groups').where('groups.workspace_id', '=', workspaceId).select('groups.id');
    }
    function groupNamed(name: string) {
      return groups().where('groups.name_folded', '=', name);
    }
    function groupsWith(tokens: readonly string[]) {
      return groups().where('groups.token', 'in', tokens);
    }
  };
}
