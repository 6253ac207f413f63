import { statfsSync } from 'node:fs';
import { Failure } from '../../../domain/failure.ts';

/** The database itself, and as much again as a backup usually takes, or as upgrading a restored one does. */
const PER_DATABASE_BYTE = 1.5;

/** Refuses work that would fill a disk, which others may need, before it begins. The folder is where a copy of the database is put. */
export function requireSpace(folder: string, target: string, databaseBytes: number): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const [needed, free] = [databaseBytes * PER_DATABASE_BYTE, bavail * bsize];
  // Some file systems of a network do not know their size.
  if (blocks === 0 || free >= needed) return;
  const [neededMb, freeMb] = [Math.ceil(needed / 1e6), Math.floor(free / 1e6)];
  throw new Failure(
    'unavailable',
    `${target} cannot be written: it needs about ${neededMb} MB, and ${freeMb} MB are free.`,
  );
}
