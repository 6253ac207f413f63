import type { Contender } from '../peers/contenders.ts';
import type { Results } from '../report/results.ts';
import { residentMb } from './process-figures.ts';

export const SERVING_MEMORY = 'resident memory of the service, at the most, at the largest size';

/** The most it ever held; called when it has been through every workload. */
export function measureMemory(results: Results, { pid }: Contender): void {
  const memory = residentMb(pid);
  if (!memory) results.skip(SERVING_MEMORY, 'it can only be read where there is /proc');
  else results.addFigure(SERVING_MEMORY, memory.peak, 'MB', `${memory.now} MB after the load`);
}
