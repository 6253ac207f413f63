import { type Logger, pino } from 'pino';
import { LogOutput } from './log-output.ts';

/** Where lines of the log go, each with its line break. */
export interface Lines {
  write(line: string): void;
}

export interface Log {
  logger: Logger;
  lines: Lines;
  close(): Promise<void>;
}

/** The log of the process, as JSON lines on stderr, never more than a moment behind. */
export function openLog(level: string): Log {
  const output = new LogOutput();
  // A process that dies of a defect must still say of which.
  process.once('exit', () => output.flushNow());
  return { logger: pino({ level, base: null }, output), lines: output, close: () => output.close() };
}
