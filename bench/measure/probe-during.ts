import { forkScript, nextMessage } from '../child-processes.ts';
import type { ResponseTimes } from './probe-waits.ts';

/** Measures how long single pages take while the work is done. A separate process requests them one after the other. */
export async function probeDuring(
  { address, token }: { address: string; token: string },
  work: () => Promise<unknown>,
): Promise<ResponseTimes> {
  const probe = forkScript(new URL('probe-waits.ts', import.meta.url), [address, token]);
  await nextMessage(probe);
  await work();
  const waits = nextMessage<ResponseTimes>(probe);
  probe.send('stop');
  return waits;
}
