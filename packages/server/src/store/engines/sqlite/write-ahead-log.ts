import { statSync } from 'node:fs';
import type { SqliteConnections } from './connections.ts';
import { logOf } from './database-file.ts';

const LOOK_MS = 1000;

/** A log that is longer, and to which nothing is being added, is written back and emptied. */
const LONG_BYTES = 4 * 1024 * 1024;

/**
 * Empties the log beside the file once it has grown, by an import or while somebody was reading an older state, and has come
 * to rest. While it still grows it is left alone: pages that change often are then written back once. Returns how to stop.
 */
export function keepLogShort(file: string, connections: SqliteConnections): () => void {
  const log = logOf(file);
  let before = 0;
  let working = false;
  const look = async () => {
    if (working) return;
    working = true;
    try {
      const { size, mtimeMs } = statSync(log);
      const isAtRest = mtimeMs === before;
      before = mtimeMs;
      if (size > LONG_BYTES && isAtRest) await connections.emptyLog();
    } catch {
      // A reader or another process is in the way, or the disk is full: all of it is still in the log, and there is a next look.
    } finally {
      working = false;
    }
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}
