import type { BenchOptions } from '../options.ts';
import type { Results } from '../report/results.ts';
import type { LoadGenerator } from './load-generator.ts';

/** What every measurement of a run uses. */
export interface Bench {
  generator: LoadGenerator;
  options: BenchOptions;
  results: Results;
}
