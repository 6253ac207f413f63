import { Readable } from 'node:stream';

/** How much is written at once, which is also what a reader must take within `pieceMs`. */
const PIECE_BYTES = 64 * 1024;

export interface FileTimeouts {
  /** How long a reader may take for one piece of the file, and how far it may fall behind the least rate. */
  pieceMs: number;
  /** The least rate, on average: whoever takes less only holds what the file is read from. */
  bytesPerSecond: number;
  /** How long the whole file may take. */
  wholeMs: number;
}

export const FILE_TIMEOUTS: FileTimeouts = { pieceMs: 30_000, bytesPerSecond: 16 * 1024, wholeMs: 3_600_000 };

/**
 * The content as a stream that fails when its reader takes nothing for too long or needs too long for the whole, so that
 * what the content is read from gets closed. It observes how the stream is read and knows nothing about connections.
 */
export function fileStream(content: AsyncIterable<string>, timeouts: FileTimeouts): Readable {
  const end = () => stream.destroy(new Error('The file was abandoned because its reader was too slow.'));
  const stream = Readable.from(pieces(content, timeouts, end), { objectMode: false, highWaterMark: PIECE_BYTES });
  const timer = setTimeout(end, timeouts.wholeMs);
  stream.once('close', () => clearTimeout(timer));
  return stream;
}

async function* pieces(
  content: AsyncIterable<string>,
  { pieceMs, bytesPerSecond }: FileTimeouts,
  onStall: () => void,
): AsyncGenerator<Buffer> {
  let [taken, waitedMs] = [0, 0];
  for await (const text of content) {
    // Cut as bytes, because a cut in the text could fall within a character.
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      const aheadMs = (1000 * taken) / bytesPerSecond - waitedMs;
      const givenAt = performance.now();
      const timer = setTimeout(onStall, pieceMs + Math.min(0, aheadMs));
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
      taken += piece.length;
      // Only what the reader took: making the content may take long, too.
      waitedMs += performance.now() - givenAt;
    }
  }
}
