import { printable, printableLines } from './printable.ts';

/** Data goes to stdout, as JSON when asked for; everything said to a person goes to stderr. */
export function print(asJson: boolean | undefined, data: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(data)}\n` : text === '' ? '' : `${printableLines(text)}\n`);
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
  return time === null ? '-' : new Date(time).toISOString();
}
