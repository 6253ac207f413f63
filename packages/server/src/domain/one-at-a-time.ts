/**
 * Runs the work on request, but never twice at the same time. A call during a run waits for one more run that starts after
 * it: what was read before the call could be out of date, and two parallel runs could finish in the wrong order.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const begin = () => {
    waiting = undefined;
    return work();
  };
  return () => {
    if (!waiting) {
      // A failure of the run before was already reported to its own callers.
      waiting = last.then(begin, begin);
      last = waiting;
    }
    return waiting;
  };
}
