import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of backups. It may be on a disk of the network that does not answer, so nothing here makes the whole process wait. */
export class BackupFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  list(): Promise<string[]> {
    return readdir(this.#path);
  }

  /** Leaves a folder or a link of this name alone, because it was made by somebody else. */
  async removeFile(name: string): Promise<void> {
    const path = join(this.#path, name);
    try {
      if ((await lstat(path)).isFile()) await rm(path);
    } catch (error) {
      // Somebody else has removed it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
