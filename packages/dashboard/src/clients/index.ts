export { parseClientsSearch, parseGroupsSearch } from './search.ts';
