import { getSystemErrorMessage } from 'node:util';
import { printable, printableLines } from './printable.ts';

/** Prints the result of a command on stdout, as text or as JSON. Messages for a person go to stderr. */
export function print(asJson: boolean | undefined, data: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(data)}\n` : text === '' ? '' : `${printableLines(text)}\n`);
}

/** The output cannot be written. `OutputMonitor` knows the reason, and reports it once. */
export class OutputError extends Error {}

/** Writes large output. Resolves when the reader has taken the text, so that a slow reader slows the command down. */
export function writeOutput(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputError(error.message)) : resolve()));
  });
}

/** Catches errors of stdout and stderr, for which Node would otherwise end the process with a stack trace. */
export class OutputMonitor {
  #failure: NodeJS.ErrnoException | undefined;

  constructor() {
    process.stdout.on('error', (error) => {
      this.#failure ??= error;
    });
    // There is no other place to report this.
    process.stderr.on('error', () => {});
  }

  /** Waits until everything has been written, and returns what became of it. */
  async outcome(): Promise<'printed' | 'closed' | { failed: string }> {
    await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
    if (!this.#failure) return 'printed';
    const { code, errno, message } = this.#failure;
    if (code === 'EPIPE') return 'closed';
    return { failed: errno === undefined ? message : getSystemErrorMessage(errno) };
  }
}

/** Prints a message for a person on stderr. */
export function printMessage(message: string): void {
  toStderr(`${printableLines(message)}\n`);
}

/** A message that cannot be written, for example because the disk is full, must not end the process. */
function toStderr(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text);
}

const REDRAW_MS = 100;

/** A table whose columns are as wide as their widest cells. */
export function formatTable(header: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(printable));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A line on the terminal that is overwritten as the work proceeds. Prints nothing when stderr is not a terminal. */
export function progressLine(): { show(text: string): void; end(): void } {
  const isTerminal = process.stderr.isTTY;
  let drawnAt = 0;
  return {
    show: (text) => {
      if (!isTerminal || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      toStderr(`\r\x1b[K${text}`);
    },
    end: () => {
      if (isTerminal) toStderr('\r\x1b[K');
    },
  };
}
