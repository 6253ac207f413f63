// Loaded before a command, to report its total processor time and peak memory on a separate pipe when it exits.
import { writeSync } from 'node:fs';
import { residentMb } from './process-usage.ts';

export interface Usage {
  peakMb: number;
  /** More informative than the elapsed time if other programs keep the machine busy. */
  cpuSeconds: number;
}

const REPORT_FD = 3;

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // On Linux, `maxRSS` starts with the memory of the parent process, so /proc is preferred where it exists.
  const peakMb = residentMb(process.pid)?.peak ?? Math.round(maxRSS / 1024);
  const usage: Usage = { peakMb, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeSync(REPORT_FD, JSON.stringify(usage));
});
