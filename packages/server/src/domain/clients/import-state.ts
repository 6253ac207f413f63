export const IMPORT_STATES = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** As much of a cell of a rejected row as is kept: longer than any value may be, so that one that is too long stays too long. */
export const REJECTED_CELL_MAX_LENGTH = 256;

/** The clients of so many rows that have added or changed one are kept. */
export const CLIENTS_KEPT_MAX = 10_000;
