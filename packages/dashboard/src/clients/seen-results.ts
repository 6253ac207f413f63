import { rememberedIds, rememberId } from './remembered-ids.ts';

const KEY = 'rollcall-seen-import-results';

/** The results of imports that the member has seen, so that they are not led to them again. */
export function noteResultSeen(importId: string): void {
  rememberId(KEY, importId);
}

export function isResultSeen(importId: string): boolean {
  return rememberedIds(KEY).includes(importId);
}
