import { type BigIntStats, createReadStream, fstatSync, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { getSystemErrorMessage } from 'node:util';
import { Failure } from '../../domain/failure.ts';

const STDIN = 0;
const CHUNK_BYTES = 256 * 1024;

export interface ImportSource {
  stats: BigIntStats;
  /** In bytes. Unknown for a pipe. */
  size: number | undefined;
  bytesRead(): number;
  bytes(): AsyncGenerator<Uint8Array>;
}

/** The file to import, or stdin for `-`. Reading fails as soon as `stop` is aborted. */
export function openSource(file: string, stop: AbortSignal): ImportSource {
  let bytesRead = 0;
  const stats = withReadableError(file, () => statsOf(file));
  return {
    stats,
    size: stats.isFile() ? Number(stats.size) : undefined,
    bytesRead: () => bytesRead,
    async *bytes() {
      const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
      try {
        for await (const chunk of addAbortSignal(stop, stream)) {
          bytesRead += chunk.length;
          yield chunk;
        }
      } catch (error) {
        throw unreadable(file, error);
      }
    },
  };
}

/** Accepts anything that can be read, including a named pipe or the process substitution `<(…)` of a shell. */
function statsOf(file: string): BigIntStats {
  const stats =
    file === '-' ? fstatSync(STDIN, { bigint: true }) : statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats) throw new Failure('not_found', `There is no file ${file}.`);
  if (stats.isDirectory()) throw new Failure('bad_parameter', `${nameOf(file)} is a folder, not a file.`);
  return stats;
}

function withReadableError<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  const { errno } = error as NodeJS.ErrnoException;
  if (typeof errno !== 'number') return error;
  return new Failure('bad_parameter', `${nameOf(file)} cannot be read: ${getSystemErrorMessage(errno)}.`, {
    cause: error,
  });
}

function nameOf(file: string): string {
  return file === '-' ? 'The standard input' : file;
}
