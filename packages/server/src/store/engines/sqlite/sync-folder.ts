import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Without this, a power failure could undo the name of a file, but not a change elsewhere that relies on it. */
export function syncFolderOf(file: string): void {
  // Windows cannot open a folder, and does not need it.
  if (process.platform === 'win32') return;
  const descriptor = openSync(dirname(file), 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some file systems of a network cannot do this for a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    closeSync(descriptor);
  }
}
