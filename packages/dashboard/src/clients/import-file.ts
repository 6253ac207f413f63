import { type Encoding, formatOf, readClients, type SourceRow } from '#contract/clients/files.ts';

/** A file, with its encoding when that cannot be detected. */
export interface ChosenFile {
  file: File;
  encoding?: Encoding | undefined;
}

/** Packed files and workbooks are read by the service only. */
export function canPreview({ file }: ChosenFile): boolean {
  return !/\.(gz|xlsx)$/i.test(file.name);
}

/** Reads the first rows. Throws an error when the file or its header cannot be used. */
export async function readPreview(chosen: ChosenFile, count: number): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of readRows(chosen)) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

export async function countRows(chosen: ChosenFile): Promise<number> {
  let count = 0;
  for await (const _row of readRows(chosen)) count++;
  return count;
}

function readRows({ file, encoding }: ChosenFile): AsyncGenerator<SourceRow> {
  return readClients(readBytes(file), formatOf(file.name), encoding);
}

/** Not every browser can iterate over a stream with `for await`. */
async function* readBytes(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
