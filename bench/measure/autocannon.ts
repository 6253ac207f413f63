import { forkScript, nextMessage, stop } from '../child-processes.ts';
import type { Load, LoadSender, SentLoad } from './load.ts';

/** Sends requests with autocannon, which is installed with the other packages. */
export class Autocannon implements LoadSender {
  readonly name = 'autocannon';
  readonly #child = forkScript(new URL('autocannon-process.ts', import.meta.url));

  async send(load: Load): Promise<SentLoad> {
    const reply = nextMessage<{ sent: SentLoad } | { failed: string }>(this.#child);
    this.#child.send(load);
    const answer = await reply;
    if ('failed' in answer) throw new Error(answer.failed);
    return answer.sent;
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}
