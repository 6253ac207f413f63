export { membersQuery } from './queries.ts';
export { parseActivitySearch, parseSignInSearch } from './search.ts';
