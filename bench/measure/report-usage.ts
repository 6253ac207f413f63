// Loaded before a command, to write its total processor time and peak memory to a file when it exits. A pipe would be lost,
// because the launcher restarts its process.
import { writeFileSync } from 'node:fs';
import { residentMb } from './process-usage.ts';

export interface Usage {
  peakMb: number;
  /** More informative than the elapsed time if other programs keep the machine busy. */
  cpuSeconds: number;
}

/** The environment variable with the path of the file. */
export const USAGE_FILE = 'BENCH_USAGE_FILE';

const file = process.env[USAGE_FILE];
if (file) process.on('exit', () => writeFileSync(file, JSON.stringify(ownUsage())));

function ownUsage(): Usage {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // On Linux, `maxRSS` starts with the memory of the parent process, so /proc is preferred where it exists.
  const peakMb = residentMb(process.pid)?.peak ?? Math.round(maxRSS / 1024);
  return { peakMb, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
}
