// Loaded before a command to learn what it needed in all: it writes that to a file, as the last thing it does.
import { writeFileSync } from 'node:fs';
import { residentMb } from './process-figures.ts';
import { USAGE_FILE, type Usage } from './usage.ts';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // Linux begins `maxRSS` with what the parent held when it started us; where there is /proc, it knows better.
  const peakMb = residentMb(process.pid)?.peak ?? Math.round(maxRSS / 1024);
  const usage: Usage = { peakMb, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeFileSync(process.env[USAGE_FILE] ?? '', JSON.stringify(usage));
});
