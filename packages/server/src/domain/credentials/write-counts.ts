/** Few enough that a transaction takes milliseconds, because others may wait for it. */
const COUNTS_PER_WRITE = 300;

/** Stores counts in batches. If a write fails, what was not stored is given back, and the failure is thrown. */
export async function writeCounts<Count>(
  counts: readonly Count[],
  write: (batch: readonly Count[]) => Promise<void>,
  giveBack: (count: Count) => void,
): Promise<void> {
  let stored = 0;
  try {
    for (; stored < counts.length; stored += COUNTS_PER_WRITE) {
      await write(counts.slice(stored, stored + COUNTS_PER_WRITE));
    }
  } catch (error) {
    for (const count of counts.slice(stored)) giveBack(count);
    throw error;
  }
}
