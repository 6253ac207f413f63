export { parseActivitySearch, parseSignInSearch } from './search.ts';
