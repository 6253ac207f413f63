import { LoopMonitor } from './event-loop.ts';
import type { ProcessMetrics } from './metric.ts';
import { processCounters, processGauges } from './process-metrics.ts';

/** For a process that serves no requests itself. */
export function ownProcessMetrics(): ProcessMetrics {
  const loop = new LoopMonitor();
  return { counters: processCounters, gauges: () => processGauges(loop.delay) };
}
