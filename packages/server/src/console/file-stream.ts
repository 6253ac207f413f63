import { Readable } from 'node:stream';

/** How much is written at once, which is also what a reader must take within `pieceMs`. */
const PIECE_BYTES = 64 * 1024;

export interface FileTimeouts {
  /** How long a reader may take for one piece of the file. */
  pieceMs: number;
  /** How long the whole file may take. */
  wholeMs: number;
}

export const FILE_TIMEOUTS: FileTimeouts = { pieceMs: 30_000, wholeMs: 3_600_000 };

/**
 * The content as a stream that fails when its reader takes nothing for too long or needs too long for the whole, so that
 * what the content is read from gets closed. It observes how the stream is read and knows nothing about connections.
 */
export function fileStream(content: AsyncIterable<string>, { pieceMs, wholeMs }: FileTimeouts): Readable {
  const end = () => stream.destroy(new Error('The file was abandoned because its reader was too slow.'));
  const stream = Readable.from(pieces(content, pieceMs, end), { objectMode: false, highWaterMark: PIECE_BYTES });
  const timer = setTimeout(end, wholeMs);
  stream.once('close', () => clearTimeout(timer));
  return stream;
}

async function* pieces(content: AsyncIterable<string>, pieceMs: number, onStall: () => void): AsyncGenerator<Buffer> {
  for await (const text of content) {
    // Cut as bytes, because a cut in the text could fall within a character.
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
