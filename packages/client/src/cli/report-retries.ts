import type { Retry } from '../retry.ts';
import { explain } from './output.ts';
import type { Output } from './process-io.ts';
import { ERASE_LINE } from './progress.ts';

/** Shorter waits are not worth a message. */
const NOTICEABLE_MS = 1000;

/** Reports on stderr what the command is waiting for, so that it does not seem to hang. */
export function retryReporter(stderr: Output): (retry: Retry) => void {
  return ({ error, waitMs }) => {
    if (waitMs < NOTICEABLE_MS) return;
    const seconds = Math.ceil(waitMs / 1000);
    stderr.write(
      `${stderr.isTTY ? ERASE_LINE : ''}rollcall-clients: trying again in ${seconds} s: ${explain(error)}\n`,
    );
  };
}
