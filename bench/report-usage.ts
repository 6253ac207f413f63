// Loaded before a command to learn what it needed in all: it says so, on a pipe of its own, as the last thing it does.
import { writeSync } from 'node:fs';

export interface Usage {
  peakMb: number;
  /** Where other programs keep the machine busy, this tells more than the time on the clock. */
  cpuSeconds: number;
}

const REPORT_FD = 3;

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage: Usage = { peakMb: Math.round(maxRSS / 1024), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeSync(REPORT_FD, JSON.stringify(usage));
});
