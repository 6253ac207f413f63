import { forkScript, nextMessage } from '../child-processes.ts';
import type { ResponseTimes } from './response-times.ts';

/** Measures how long single requests take while the work is done. A separate process sends them one after the other. */
export async function probeDuring(
  { address, token }: { address: string; token: string },
  work: () => Promise<unknown>,
  script: 'probe-waits.ts' | 'probe-changes.ts' = 'probe-waits.ts',
  restMs?: number,
): Promise<ResponseTimes> {
  const probe = forkScript(new URL(script, import.meta.url), [
    address,
    token,
    ...(restMs === undefined ? [] : [String(restMs)]),
  ]);
  await nextMessage(probe);
  await work();
  const waits = nextMessage<ResponseTimes>(probe);
  probe.send('stop');
  return waits;
}
