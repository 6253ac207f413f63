import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('.', import.meta.url));

/** The prepared data, which is kept for the next run. */
export const DATA = join(BENCH, 'data');
/** Temporary files of one run. */
export const SCRATCH = join(DATA, 'scratch');
export const RESULTS = join(BENCH, 'results');
