import type { ClientSearch } from '../domain/search-clients.ts';
import type { ExportQuery } from './contract/clients.ts';

export function toSearch(query: ExportQuery): ClientSearch {
  return {
    fragment: query.search,
    requestStatus: query.request_status,
    clientType: query.client_type,
    groupName: query.group_name,
    createdFrom: query.created_from,
    createdUntil: query.created_until,
  };
}
