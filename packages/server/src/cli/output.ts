/** Data goes to stdout, as JSON when asked for; everything said to a person goes to stderr. */
export function print(asJson: boolean | undefined, data: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(data)}\n` : text === '' ? '' : `${text}\n`);
}

export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Columns as wide as their widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
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

export function timeText(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString();
}
