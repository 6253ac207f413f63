import { Readable } from 'node:stream';

/** What is written at once; the least that a reader has to take in the time that it is given. */
const PIECE_BYTES = 64 * 1024;

export interface FileTimes {
  /** How long a reader may take for one piece. */
  pieceMs: number;
  /** How long the whole may take. */
  wholeMs: number;
}

export const FILE_TIMES: FileTimes = { pieceMs: 30_000, wholeMs: 3_600_000 };

/**
 * The content as a stream that ends with an error when its reader takes nothing for too long, or takes forever: what it is
 * read from is then closed. It goes by what is asked for, and knows nothing of connections.
 */
export function fileStream(content: AsyncIterable<string>, { pieceMs, wholeMs }: FileTimes): Readable {
  const end = () => stream.destroy(new Error('The file was given up: its reader was too slow.'));
  const stream = Readable.from(pieces(content, pieceMs, end), { objectMode: false, highWaterMark: PIECE_BYTES });
  const timer = setTimeout(end, wholeMs);
  stream.once('close', () => clearTimeout(timer));
  return stream;
}

async function* pieces(content: AsyncIterable<string>, pieceMs: number, onStall: () => void): AsyncGenerator<Buffer> {
  for await (const text of content) {
    // As bytes, because a piece of text could end within a character.
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const timer = setTimeout(onStall, pieceMs);
      try {
        yield bytes.subarray(start, start + PIECE_BYTES);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
