import { lazyDialog } from '../lazy-dialog.tsx';

export { clientsQuery, groupsQuery, overviewQuery } from './queries.ts';
export { REVIEW_SHORTCUTS } from './review-shortcuts.ts';
export {
  lastClientsSearch,
  parseClientSearch,
  parseClientsSearch,
  parseGroupsSearch,
  parseImportsSearch,
  parseReviewSearch,
} from './search.ts';
export { WaitingCount } from './waiting-count.tsx';

export const LazyAddClientDialog = lazyDialog(async () => (await import('./add-client-dialog.tsx')).AddClientDialog);
