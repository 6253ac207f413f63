import { IDLE_AFTER_DAYS } from '#contract/credentials/keys.ts';

export const IDLE_WARNING = `Not used for ${IDLE_AFTER_DAYS} days. Revoke it if nothing needs it.`;
