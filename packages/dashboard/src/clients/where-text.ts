import { countText } from '../count-text.ts';

/** More would not be looked up. */
const LINES_NAMED = 5;

/** In which lines of a file something is: `Lines 3, 9 and 7 other rows`. Of many rows, only the first lines are known. */
export function whereText({ rows, lines }: { rows: number; lines: readonly number[] }): string {
  const named = lines.slice(0, LINES_NAMED);
  const others = rows - named.length;
  const text = `${named.length === 1 ? 'Line' : 'Lines'} ${named.map((line) => line.toLocaleString()).join(', ')}`;
  return others > 0 ? `${text} and ${countText(others, 'other row', 'other rows')}` : text;
}
