/** The columns of a file of clients: what an import reads and an export writes. */
export const REQUIRED_COLUMNS = ['email', 'client_name', 'client_type', 'group_name'] as const;
export const OPTIONAL_COLUMNS = [
  'request_status',
  'client_status',
  'created_at',
  'reference_id',
  'group_token',
  'external_id',
] as const;
export const COLUMNS = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS] as const;
export type Column = (typeof COLUMNS)[number];

/** The columns for which one value can be given for all rows, where a file does not have them. */
export const FILLABLE_COLUMNS = ['client_type', 'group_name', 'request_status'] as const;
export type FillableColumn = (typeof FILLABLE_COLUMNS)[number];

/** The values of columns that a file does not have, for all of its rows. */
export type FilledColumns = Readonly<Partial<Record<FillableColumn, string>>>;

/** What each column of a file is, in their order; null if it is left out. */
export type Fields = readonly (Column | null)[];
