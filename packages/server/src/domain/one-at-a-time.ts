/**
 * Runs the work for whoever asks, never twice at a time. Who asks while it runs gets a run that begins afterwards: what
 * was read before one asked could be out of date, and two runs could finish in the wrong order.
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
      // That the one before has failed was told to those who asked for it.
      waiting = last.then(begin, begin);
      last = waiting;
    }
    return waiting;
  };
}
