import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory in use, in bytes, after garbage collection. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Objects freed by the first run may have kept others alive.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
