import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets the service go first. On Linux, every thread has a priority of its own, and new threads have that of the thread that
 * starts them. A machine that does not allow it only does the work with the usual priority.
 */
export function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
    for (const thread of threads) setPriority(thread, PRIORITY_BELOW_NORMAL);
  } catch {
    // A container may forbid it, and a thread may have ended in the meantime.
  }
}
