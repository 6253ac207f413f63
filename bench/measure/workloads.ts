/** The filters of the list, separately and combined. */
export const FILTERS = {
  'whole list': '',
  status: 'request_status=pending',
  type: 'client_type=company',
  group: 'group_name=Small%20business',
  'all three': 'group_name=Small%20business&request_status=pending&client_type=company',
} as const;
export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

export const LIST_PATH = '/api/v1/clients-list/';
export const TOKEN_PATH = '/api/v1/generate-access-token/';

export function listPath(query: string): string {
  return query === '' ? LIST_PATH : `${LIST_PATH}?${query}`;
}

export const firstPageOf = (filter: FilterName) => `first page, ${filter}`;
export const randomPageOf = (filter: FilterName) => `random page, ${filter}`;
/** One request at a time: how long a page takes, rather than how many are possible. */
export const randomPageOneAtATime = (filter: FilterName) => `random page, ${filter}, one at a time`;
export const ONE_EMAIL = 'one client by email';
export const TOKEN_EXCHANGE = 'token exchange';
export const FIRST_WHILE_ADDING = 'first page while 50 clients per second are added';
export const RANDOM_WHILE_ADDING = 'random page while 50 clients per second are added';
