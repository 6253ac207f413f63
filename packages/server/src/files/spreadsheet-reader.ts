// Runs in a process of its own, because a spreadsheet is read as a whole: a strange one can take more time or memory than there
// is, and then only this process ends.
import { once } from 'node:events';
import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { cellsWithoutValue } from './cells-without-value.ts';
import type { SpreadsheetAnswer, SpreadsheetTask } from './spreadsheet-task.ts';
import { sheetNames } from './workbook-sheets.ts';

const ROWS_AT_ONCE = 2000;

/** A workbook has a few dozen files. An archive can name the same bytes as very many. */
const FILES_MAX = 2000;

const SPACE = 0x20;
const GAP_MAX = 64 * 1024;

const answer = (message: SpreadsheetAnswer) => void process.send?.(message);
const [task] = (await once(process, 'message')) as [SpreadsheetTask];

try {
  if (isTooLarge(task)) answer({ problem: 'too large' });
  else await sendRows(task);
} catch {
  // The library reports every kind of damage in its own way, and none of them in words for the person who has the file.
  answer({ problem: 'unreadable' });
}
process.disconnect?.();

/** By what the directory of the archive says about its files. No more than that is unpacked. */
function isTooLarge({ bytes, unpackedMaxBytes }: SpreadsheetTask): boolean {
  let [files, size] = [0, 0];
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      files++;
      size += originalSize;
      return false;
    },
  });
  return files > FILES_MAX || size > unpackedMaxBytes;
}

/** Sends the rows of the first sheet, some at a time. */
async function sendRows({ bytes }: SpreadsheetTask): Promise<void> {
  const files = unzipSync(bytes, { filter: ({ name }) => name.startsWith('xl/') });
  if (Object.values(files).some(hasLongGap)) return answer({ problem: 'too large' });
  const problems = cellsWithoutValue(files);
  const [name = '', ...others] = sheetNames(files);
  const sheet = { name, others: others.length };
  // A copy, because the bytes that were received are a part of a larger buffer.
  const rows = await readSheet(Uint8Array.from(bytes).buffer, { parseNumber: toNumber });
  const filled = rows.filter((cells, index) => problems.has(index + 1) || cells.some(isFilled)).length;
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    answer({
      rows: some.map((cells, index) => ({ cells: cells.map(toText), problem: problems.get(start + index + 1) })),
      filled,
      sheet,
    });
    await once(process, 'message');
  }
  answer({ rows: [], filled, sheet });
}

/** No program writes so much white space in one place, and the library takes half a minute for a few megabytes of it. */
function hasLongGap(bytes: Uint8Array): boolean {
  let gap = 0;
  for (const byte of bytes) {
    gap = byte <= SPACE ? gap + 1 : 0;
    if (gap > GAP_MAX) return true;
  }
  return false;
}

/** The digits of a whole number as they are stored: a longer id than a number can hold must not become that of another client. */
function toNumber(stored: string): string {
  return /^-?\d+$/.test(stored) ? stored : String(Number(stored));
}

function isFilled(cell: unknown): boolean {
  return toText(cell).trim() !== '';
}

/** A cell that looks like a time and is none stays readable, so that only its row is rejected. */
function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date && !Number.isNaN(cell.getTime()) ? toTime(cell) : unescaped(String(cell));
}

/** A character that XML does not allow is written as _xHHHH_. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * A time is stored as a part of a day, and the library cuts it off, so half past nine is a millisecond too early. A sheet does not
 * say in which time zone it is, so neither does the text.
 */
function toTime(date: Date): string {
  return new Date(Math.round(date.getTime() / 10) * 10).toISOString().replace('Z', '');
}
