import { lazyDialog } from '../lazy-dialog.tsx';

export { ApiCallsSection, useCallsToday } from './api-calls.tsx';
export { keysQuery } from './queries.ts';

export const LazyCreateKeyDialog = lazyDialog(async () => (await import('./create-key-dialog.tsx')).CreateKeyDialog);
