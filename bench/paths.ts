import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Tests name another folder, so that they do not touch the data and the results of a real run. */
const BENCH = process.env.ROLLCALL_BENCH_FOLDER ?? fileURLToPath(new URL('.', import.meta.url));

/** The prepared data, which is kept for the next run. */
export const DATA = join(BENCH, 'data');
/** Temporary files of one run. */
export const SCRATCH = join(DATA, 'scratch');
export const RESULTS = join(BENCH, 'results');
