// Loaded before a command to learn how much memory it needed at most: it says so in kilobytes, on a pipe of its own,
// as the last thing it does.
import { writeSync } from 'node:fs';

const REPORT_FD = 3;

process.on('exit', () => {
  writeSync(REPORT_FD, String(process.resourceUsage().maxRSS));
});
