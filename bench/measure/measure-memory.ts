import type { BenchServer } from '../peers/servers.ts';
import type { Results } from '../report/results.ts';
import { residentMb } from './process-usage.ts';

export const SERVING_MEMORY = 'peak resident memory of the service at the largest size';

/** Reads the peak memory of the server. Called after all workloads. */
export function measureMemory(results: Results, { pid }: BenchServer): void {
  const memory = residentMb(pid);
  if (!memory) results.skip(SERVING_MEMORY, 'it can only be read on systems with /proc');
  else results.addFigure(SERVING_MEMORY, memory.peak, 'MB', `${memory.now} MB after the load`);
}
