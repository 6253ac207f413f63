export const IMPORT_STATES = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
