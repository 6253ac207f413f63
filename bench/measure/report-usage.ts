// Loaded before a command to learn what it needed in all: it says so, on a pipe of its own, as the last thing it does.
import { writeSync } from 'node:fs';
import { residentMb } from './process-figures.ts';

export interface Usage {
  peakMb: number;
  /** Where other programs keep the machine busy, this tells more than the time on the clock. */
  cpuSeconds: number;
}

const REPORT_FD = 3;

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // Linux begins `maxRSS` with what the parent held when it started us; where there is /proc, it knows better.
  const peakMb = residentMb(process.pid)?.peak ?? Math.round(maxRSS / 1024);
  const usage: Usage = { peakMb, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeSync(REPORT_FD, JSON.stringify(usage));
});
