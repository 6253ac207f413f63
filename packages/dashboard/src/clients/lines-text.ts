/** Where rows are in a file, such as `: lines 3, 9, …`. A service of an earlier version does not tell their lines. */
export function linesText({ rows, lines = [] }: { rows: number; lines?: readonly number[] | undefined }): string {
  if (lines.length === 0) return '';
  // Those of corrected rows were imported last.
  const sorted = lines.toSorted((one, other) => one - other);
  const shown = sorted.map((line) => line.toLocaleString()).join(', ');
  return `: ${rows === 1 ? 'line' : 'lines'} ${shown}${rows > lines.length ? ', …' : ''}`;
}
