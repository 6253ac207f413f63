import { lazyDialog } from '../lazy-dialog.tsx';

export { clientsQuery, groupsQuery, overviewQuery } from './queries.ts';
export { lastClientsSearch, parseClientsSearch, parseGroupsSearch } from './search.ts';

export const LazyAddClientDialog = lazyDialog(async () => (await import('./add-client-dialog.tsx')).AddClientDialog);
