export const IMPORT_STATES = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** As much of a cell of a rejected row as is kept: as long as the longest identifier of a client. */
export const REJECTED_CELL_MAX_LENGTH = 255;

/** The clients of so many rows that have added or changed one are kept. */
export const CLIENTS_KEPT_MAX = 10_000;
