import { type Logger, pino } from 'pino';

const STDERR = 2;

/** Lines are written together: one write for each would take a tenth of the time of a request. */
const BUFFER_CHARACTERS = 64 * 1024;
const FLUSH_MS = 250;

/** Where lines of the log go, each with its line break. */
export interface Lines {
  write(line: string): void;
}

export interface Log {
  logger: Logger;
  lines: Lines;
  close(): void;
}

/** The log of the process, as JSON lines on stderr, never more than a moment behind. */
export function openLog(level: string): Log {
  const stderr = pino.destination({ dest: STDERR, sync: false });
  let waiting = '';
  const flush = () => {
    if (waiting !== '') stderr.write(waiting);
    waiting = '';
  };
  const lines = {
    write: (line: string) => {
      waiting += line;
      if (waiting.length >= BUFFER_CHARACTERS) flush();
    },
  };
  const timer = setInterval(flush, FLUSH_MS).unref();
  const flushNow = () => {
    flush();
    stderr.flushSync();
  };
  // A process that dies of a defect must still say of which.
  process.once('exit', flushNow);
  return {
    logger: pino({ level, base: null }, lines),
    lines,
    close: () => {
      clearInterval(timer);
      flushNow();
    },
  };
}
