import { lazyDialog } from '../lazy-dialog.tsx';

export { membersQuery } from './queries.ts';
export { parseActivitySearch, parseSignInSearch } from './search.ts';

export const LazyInviteDialog = lazyDialog(async () => (await import('./invite-dialog.tsx')).InviteDialog);
