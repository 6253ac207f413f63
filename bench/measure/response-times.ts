export interface ResponseTimes {
  requests: number;
  medianMs: number;
  meanMs: number;
  p99Ms: number;
  longestMs: number;
}

/** Sends the response times to the process that has started this one, and ends. */
export function reportTimes(waits: readonly number[]): void {
  const sorted = waits.toSorted((a, b) => a - b);
  process.send?.({
    requests: sorted.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    meanMs: sorted.reduce((sum, wait) => sum + wait, 0) / Math.max(1, sorted.length),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  } satisfies ResponseTimes);
  process.disconnect?.();
}
