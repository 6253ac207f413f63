import { lazyDialog } from '../lazy-dialog.tsx';

export { parseActivitySearch, parseSignInSearch } from './search.ts';

export const LazyInviteDialog = lazyDialog(async () => (await import('./invite-dialog.tsx')).InviteDialog);
