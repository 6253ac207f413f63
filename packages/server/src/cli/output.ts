import { getSystemErrorMessage } from 'node:util';
import { formatTime } from '../domain/time.ts';
import { printable, printableLines } from './printable.ts';

/** Data goes to stdout, as JSON when asked for; everything said to a person goes to stderr. */
export function print(asJson: boolean | undefined, data: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(data)}\n` : text === '' ? '' : `${printableLines(text)}\n`);
}

/** The output cannot be written; `OutputWatch` knows why, and says so once. */
export class OutputLost extends Error {}

/** Much of it: resolves when it has been taken, so that a slow reader slows us down, and fails when nobody takes it. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputLost(error.message)) : resolve()));
  });
}

/** Hears what goes wrong with the outputs, for which Node would otherwise end the process with a stack trace. */
export class OutputWatch {
  #failure: NodeJS.ErrnoException | undefined;

  constructor() {
    process.stdout.on('error', (error) => {
      this.#failure ??= error;
    });
    // There is nobody left to tell.
    process.stderr.on('error', () => {});
  }

  /** Waits until everything printed has been taken; says what became of it when it was not. */
  async outcome(): Promise<'printed' | 'closed' | { failed: string }> {
    await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
    if (!this.#failure) return 'printed';
    const { code, errno, message } = this.#failure;
    if (code === 'EPIPE') return 'closed';
    return { failed: errno === undefined ? message : getSystemErrorMessage(errno) };
  }
}

export function tell(message: string): void {
  toStderr(`${printableLines(message)}\n`);
}

/** What cannot be said, because the disk is full or nobody listens, is no reason to end. */
function toStderr(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text);
}

const REDRAW_MS = 100;

/** Columns as wide as their widest cell. */
export function table(header: readonly string[], cells: readonly (readonly string[])[]): string {
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

/** A line that is drawn over itself while something takes long; silent when nobody watches. */
export function progressLine(): { show(text: string): void; end(): void } {
  const watched = process.stderr.isTTY;
  let drawnAt = 0;
  return {
    show: (text) => {
      if (!watched || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      toStderr(`\r\x1b[K${text}`);
    },
    end: () => {
      if (watched) toStderr('\r\x1b[K');
    },
  };
}

export function timeText(time: number | null): string {
  return time === null ? '-' : formatTime(time);
}
