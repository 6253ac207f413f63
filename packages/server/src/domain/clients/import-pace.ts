import type { ImportJob } from './import-job.ts';

/** Less than this says nothing about the rest of a file. */
const LEAST_MS = 2000;
const LEAST_SHARE = 0.01;

export interface ImportPace {
  /** On average since the import began to run. */
  rowsPerSecond: number;
  /** If the rest of the file takes as long as what was read of it. Null if that is not known. */
  secondsLeft: number | null;
}

export function paceOf(job: ImportJob, now: number): ImportPace {
  const { startedAt, endedAt, rowsRead, shareRead } = job;
  const elapsed = startedAt === null ? 0 : (endedAt ?? now) - startedAt;
  const isKnown = job.state === 'running' && elapsed >= LEAST_MS && shareRead !== null && shareRead >= LEAST_SHARE;
  return {
    rowsPerSecond: elapsed > 0 ? Math.round((1000 * rowsRead) / elapsed) : 0,
    secondsLeft: isKnown ? Math.round((elapsed * (1 - shareRead)) / shareRead / 1000) : null,
  };
}
