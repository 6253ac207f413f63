import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is really in use, in bytes, once all garbage is gone. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What is freed by the first may hold on to more.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
