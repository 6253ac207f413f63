export { overviewQuery } from './queries.ts';
export { lastClientsSearch, parseClientsSearch, parseGroupsSearch, parseImportsSearch } from './search.ts';
