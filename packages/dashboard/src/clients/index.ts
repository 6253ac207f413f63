export { overviewQuery } from './queries.ts';
export { lastClientsSearch, parseClientsSearch, parseGroupsSearch } from './search.ts';
