import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import { searchedWords } from '../../domain/clients/words.ts';
import type { ClientFilters } from '../contract/clients/clients.ts';

export function toSearch(filters: ClientFilters): ClientSearch {
  return {
    words: filters.search?.trim() ? searchedWords(filters.search) : undefined,
    requestStatuses: filters.request_status,
    clientType: filters.client_type,
    clientStatus: filters.client_status,
    groupName: filters.group_name,
    groupTokens: filters.group_token?.map((token) => token.toLowerCase()),
    createdFrom: filters.created_from,
    createdUntil: filters.created_until,
    referenceIds: filters.reference_ids,
  };
}
