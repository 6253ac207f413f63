import { type Logger, pino } from 'pino';
import { LogOutput } from './log-output.ts';

/** Takes the lines of the log, each with its line break. */
export interface LogLines {
  write(line: string): void;
}

export interface Log {
  logger: Logger;
  lines: LogLines;
  close(): Promise<void>;
}

/** Opens the log of the process: JSON lines on stderr, flushed every quarter of a second. */
export function openLog(level: string): Log {
  const output = new LogOutput();
  // A process that ends because of a defect must still log which one.
  process.once('exit', () => output.flushNow());
  return { logger: pino({ level, base: null }, output), lines: output, close: () => output.close() };
}
