// What the activity log says that clients came from, if not simply from a file. Apart from imports, because browsers read it, too.

export const SAMPLE_CLIENTS = 'sample clients';

/** Comes before the name of the file. */
export const CORRECTED_ROWS_OF = 'corrected rows of ';
