import { readdir, readFile } from 'node:fs/promises';
import { getHeapStatistics } from 'node:v8';
import type { LoopDelay } from './event-loop.ts';
import { gauge, type Metric, timeCounter } from './metric.ts';

/** Metrics of the process itself, whatever it does. The names are those that are usual for processes of all kinds. */
export function processCounters(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { active } = performance.eventLoopUtilization();
  return [
    timeCounter('process_cpu_seconds_total', 'Processor time of all processes.', user + system),
    timeCounter(
      'rollcall_event_loop_active_seconds_total',
      'Time in which the event loops of all processes were busy.',
      active * 1000,
    ),
  ];
}

export async function processGauges(delay: LoopDelay): Promise<Metric[]> {
  const heap = getHeapStatistics();
  const [open, limit] = await Promise.all([openDescriptors(), descriptorLimit()]);
  return [
    gauge('process_resident_memory_bytes', 'Memory of all processes.', 'sum', process.memoryUsage.rss()),
    gauge('rollcall_heap_used_bytes', 'Heap of the process that uses the most.', 'max', heap.used_heap_size),
    gauge('rollcall_heap_limit_bytes', 'Heap that each process may use.', 'min', heap.heap_size_limit),
    gauge('rollcall_event_loop_delay_seconds', 'Delay of the event loop of the slowest process.', 'max', [
      { labels: { percentile: '50' }, value: delay.p50Seconds },
      { labels: { percentile: '99' }, value: delay.p99Seconds },
      { labels: { percentile: '100' }, value: delay.maxSeconds },
    ]),
    gauge(
      'rollcall_active_handles',
      'Timers, sockets and other resources that the processes hold open.',
      'sum',
      process.getActiveResourcesInfo().length,
    ),
    ...(open === undefined
      ? []
      : [gauge('process_open_fds', 'Open files and sockets of the process that has the most.', 'max', open)]),
    ...(limit === undefined
      ? []
      : [gauge('process_max_fds', 'Files and sockets that each process may open.', 'min', limit)]),
    gauge(
      'process_start_time_seconds',
      'When the first of the running processes was started.',
      'min',
      Math.round(performance.timeOrigin / 1000),
    ),
  ];
}

/** Undefined where there is no `/proc`, as on macOS. */
async function openDescriptors(): Promise<number | undefined> {
  try {
    return (await readdir('/proc/self/fd')).length;
  } catch {
    return undefined;
  }
}

async function descriptorLimit(): Promise<number | undefined> {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
