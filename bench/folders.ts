import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('.', import.meta.url));

/** Prepared data, kept from run to run. */
export const DATA = join(BENCH, 'data');
/** What one run needs and the next does not. */
export const SCRATCH = join(DATA, 'scratch');
export const RESULTS = join(BENCH, 'results');
