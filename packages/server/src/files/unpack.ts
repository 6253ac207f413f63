import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../domain/failure.ts';

/** A file of a megabyte can be unpacked to a gigabyte, and all of it has to be read. */
const UNPACKED_MAX_BYTES = 4 * 1024 ** 3;

/** The bytes of a file, unpacked if it begins like a gzip file. No text begins like that. */
export async function* unpack(
  source: AsyncIterable<Uint8Array>,
  maxBytes = UNPACKED_MAX_BYTES,
): AsyncGenerator<Uint8Array> {
  const { beginning, bytes } = await withBeginning(source, 2);
  if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) return yield* bytes;
  let size = 0;
  const gunzip = createGunzip();
  const packed = Readable.from(bytes, { objectMode: false });
  packed.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Failure('bad_parameter', 'The file is too large when it is unpacked.');
      yield chunk;
    }
  } catch (error) {
    throw isBrokenGzip(error) ? broken(error) : error;
  } finally {
    packed.destroy();
  }
}

/** The bytes with a look at the first ones. */
export async function withBeginning(
  source: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ beginning: Uint8Array; bytes: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < length) {
    const { value, done } = await iterator.next();
    if (done) break;
    held.push(value);
    size += value.length;
  }
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => iterator };
  const bytes = async function* () {
    try {
      yield* held;
      yield* rest;
    } finally {
      await iterator.return?.();
    }
  };
  return { beginning: Buffer.concat(held), bytes: bytes() };
}

/** Errors of zlib have codes such as `Z_DATA_ERROR` and `Z_BUF_ERROR`. */
function isBrokenGzip(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('Z_');
}

function broken(cause: unknown): Failure {
  return new Failure('bad_parameter', 'The file begins like a gzip file, but it is damaged or incomplete.', { cause });
}
