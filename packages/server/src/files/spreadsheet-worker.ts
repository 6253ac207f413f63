// Runs in a thread of its own, because a spreadsheet is read as a whole, which takes seconds and much memory.
import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { ROWS_AT_ONCE, type SpreadsheetAnswer, type SpreadsheetTask } from './spreadsheet-task.ts';

const { bytes, unpackedMaxBytes } = workerData as SpreadsheetTask;
const answer = (message: SpreadsheetAnswer) => parentPort?.postMessage(message);

try {
  if (unpackedSize() > unpackedMaxBytes) answer({ problem: 'too large' });
  else await sendRows();
} catch {
  // The library reports every kind of damage in its own way, and none of them in words for the person who has the file.
  answer({ problem: 'unreadable' });
}
parentPort?.close();

/** What the directory of the archive says about the sizes of its files. No more than that is unpacked. */
function unpackedSize(): number {
  let size = 0;
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      size += originalSize;
      return false;
    },
  });
  return size;
}

/** Sends the rows of the first sheet, each time that some are asked for. */
async function sendRows(): Promise<void> {
  const rows = await readSheet(bytes.buffer);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    answer({ rows: rows.slice(start, start + ROWS_AT_ONCE).map((cells) => cells.map(toText)) });
    await new Promise((resolve) => parentPort?.once('message', resolve));
  }
  answer({ rows: [] });
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date ? toTime(cell) : String(cell);
}

/** A time is stored as a part of a day, and the library cuts it off, so half past nine is a millisecond too early. */
function toTime(date: Date): string {
  return new Date(Math.round(date.getTime() / 10) * 10).toISOString();
}
