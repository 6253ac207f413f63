import type { CommandResult } from '../peers/rollcall.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';

/** Stores how long a command took, and how much memory it needed at most. */
export function addTimeAndMemory(
  results: Results,
  name: string,
  { seconds, cpuSeconds, peakMb }: CommandResult,
  note?: string,
): void {
  const used = `${cpuSeconds.toFixed(1)} s of processor time`;
  results.addFigure(name, seconds, 's', note ? `${used}, ${note}` : used);
  results.addFigure(peakMemoryOf(name), peakMb, 'MB');
  reportProgress(`  ${name}: ${seconds.toFixed(1)} s, ${peakMb} MB`);
}

export function peakMemoryOf(name: string): string {
  return `${name}, memory`;
}
