import {
  type DateForm,
  type Encoding,
  type Fields,
  type FilePreview,
  type FilledColumns,
  formatOf,
  previewText,
} from '#contract/clients/files.ts';
import type { Meanings } from './unknown-values.ts';

/** How a file is sent to be imported. */
export interface SentChoices {
  fields: Fields | undefined;
  filled: FilledColumns;
  dates: DateForm | undefined;
  /** What its values mean, each as `field:value:word`. */
  values: readonly string[];
  /** Whether it may change the status of clients. */
  setsStatus: boolean;
  keepsStatus: boolean;
}

/** A file, with its encoding when that cannot be detected. */
export interface ChosenFile {
  file: File;
  encoding?: Encoding | undefined;
}

/** A file whose beginning has been read. */
export interface PreviewedFile extends ChosenFile {
  /** Another one for each choice, also of the same file. */
  choice: number;
  /** Missing if only the service can read the file. */
  preview: FilePreview | undefined;
}

/** What a member has said about the columns of a file. */
export interface ColumnChoices {
  /** Missing if only the service can read the file. */
  fields: Fields | undefined;
  filled: FilledColumns;
  /** Missing if the values of the column say it. */
  dates: DateForm | undefined;
  meanings: Meanings;
  /** What was taken over from an earlier file when this one was chosen. */
  lastTime: { fields?: Fields | undefined; meanings: Meanings };
  /** Whether clients that are in Rollcall already keep their status. */
  keepsStatus: boolean;
}

/** As the service answers, also one of an earlier version during an upgrade, which does not tell all about the columns. */
export type WorkbookPreview = Omit<FilePreview, 'values' | 'mixed_dates'> &
  Partial<Pick<FilePreview, 'values' | 'mixed_dates'>>;

/**
 * Reads a file to its end, or lets the service read it if it is a workbook. Throws an error when the file or its header cannot be
 * used. Returns `undefined` if only the service can unpack it.
 */
export async function readPreview(
  { file, encoding }: ChosenFile,
  readWorkbook: (file: File) => Promise<WorkbookPreview>,
): Promise<FilePreview | undefined> {
  if (/\.xlsx$/i.test(file.name)) {
    const preview = await readWorkbook(file);
    const { columns } = preview;
    return { mixed_dates: columns.map(() => null), values: columns.map(() => []), ...preview };
  }
  if (!(await isPacked(file))) return previewText(readBytes(file.stream()), formatOf(file.name), encoding);
  try {
    const unpacked = file.stream().pipeThrough(new DecompressionStream('gzip'));
    return await previewText(readBytes(unpacked), formatOf(file.name), encoding);
  } catch (error) {
    // What browsers throw for a damaged file, and for one that consists of several parts, which the service can read.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** By its first two bytes, like in the service. */
async function isPacked(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/** Not every browser can iterate over a stream with `for await`. */
async function* readBytes(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // After a mistake in the file, nobody reads the rest.
    await reader.cancel().catch(() => {});
  }
}
