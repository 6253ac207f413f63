import { lazyDialog } from '../lazy-dialog.tsx';

export { BackgroundChanges } from './background-changes.tsx';
export { browserTimeZone } from './browser-time-zone.ts';
export { carryGroupFilter, missingGroupsText } from './carry-group-filter.ts';
export { EndedImport } from './ended-import.tsx';
export { clientsQuery, groupsQuery, overviewQuery, viewsQuery } from './queries.ts';
export { REVIEW_SHORTCUTS } from './review-shortcuts.ts';
export {
  type ClientsSearch,
  lastClientsSearch,
  parseClientSearch,
  parseClientsSearch,
  parseGroupsSearch,
  parseImportsSearch,
  parseReviewSearch,
  readClientsAddress,
} from './search.ts';
export { useUndoKey } from './use-undo-key.ts';
export { toSearch as searchOfView } from './view-filters.ts';
export { WaitingCount } from './waiting-count.tsx';

export const LazyAddClientDialog = lazyDialog(async () => (await import('./add-client-dialog.tsx')).AddClientDialog);
