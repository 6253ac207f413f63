import { statSync } from 'node:fs';
import type { SqliteConnections } from './connections.ts';
import { logOf } from './database-file.ts';

const CHECK_MS = 1000;

/** A longer log to which nothing is being added is checkpointed and emptied. */
const LONG_BYTES = 4 * 1024 * 1024;

/**
 * Empties the write-ahead log after it has grown, because of an import or a long snapshot, and has stopped growing. A growing
 * log is left alone, so that pages that change often are written back only once. Returns the function that stops it.
 */
export function keepLogShort(file: string, connections: SqliteConnections): () => void {
  const log = logOf(file);
  let before = 0;
  let working = false;
  const check = async () => {
    if (working) return;
    working = true;
    try {
      const { size, mtimeMs } = statSync(log);
      const isUnchanged = mtimeMs === before;
      before = mtimeMs;
      if (size > LONG_BYTES && isUnchanged) await connections.emptyLog();
    } catch {
      // A reader or another process blocks it, or the disk is full. Nothing is lost, and the next check tries again.
    } finally {
      working = false;
    }
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return () => clearInterval(timer);
}
