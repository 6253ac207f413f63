import type { Retry } from '../retry.ts';
import { explain } from './output.ts';
import type { Output } from './process-io.ts';
import { ERASE_LINE } from './progress.ts';

/** Shorter waits are over before anybody wonders. */
const NOTICEABLE_MS = 1000;

/** Says on stderr what is being waited for, so that a command that is silent for a while does not look dead. */
export function noteRetries(stderr: Output): (retry: Retry) => void {
  return ({ error, waitMs }) => {
    if (waitMs < NOTICEABLE_MS) return;
    const seconds = Math.ceil(waitMs / 1000);
    stderr.write(
      `${stderr.isTTY ? ERASE_LINE : ''}rollcall-clients: trying again in ${seconds} s: ${explain(error)}\n`,
    );
  };
}
