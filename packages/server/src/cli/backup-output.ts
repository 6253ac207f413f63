import type { StepProgress } from '../store/back-up-database.ts';
import { progressLine } from './output.ts';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Shows on a terminal how much of each step is done. */
export async function stepProgress<T>(work: (progress: StepProgress) => Promise<T>): Promise<T> {
  const line = progressLine();
  try {
    return await work((step, part) => line.show(`${Math.floor(part * 100)} % ${step}`));
  } finally {
    line.end();
  }
}
