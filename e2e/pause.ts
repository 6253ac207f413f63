import { setTimeout as sleep } from 'node:timers/promises';

/** `npm run faults` calls without a pause. */
const PAUSE_MS = Number(process.env.ROLLCALL_TEST_PAUSE_MS ?? 20);

/** Between two calls. Several callers who pause so briefly notice whatever a caller may notice, and leave a busy machine some time. */
export async function pause(): Promise<void> {
  if (PAUSE_MS > 0) await sleep(PAUSE_MS);
}
