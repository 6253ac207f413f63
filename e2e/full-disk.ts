import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

const MIB = 1024 * 1024;

/** Mounts a small disk for the test. Skips the test if this user may not mount one. */
export function smallDisk({ skip }: TestContext, mebibytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mount = (...options: string[]) => spawnSync('mount', [...options, folder]).status === 0;
  if (!mount('-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'none')) skip('this user may not mount a small disk');
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    /** Leaves no free space. */
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize + MIB));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(ballast),
    remount: (how: 'ro' | 'rw') => mount('-o', `remount,${how}`),
  };
}
