import { forkScript, nextMessage } from '../child-processes.ts';
import type { Waits } from './probe-waits.ts';

/** How long pages took, asked for one after the other by a process of its own, while the work was done. */
export async function probeDuring(
  { address, token }: { address: string; token: string },
  work: () => Promise<unknown>,
): Promise<Waits> {
  const probe = forkScript(new URL('probe-waits.ts', import.meta.url), [address, token]);
  await nextMessage(probe);
  await work();
  const waits = nextMessage<Waits>(probe);
  probe.send('stop');
  return waits;
}
