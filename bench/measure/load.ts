import { forkScript, nextMessage, stop } from '../child-processes.ts';

/** What is asked of a server, and how hard. */
export interface Load {
  address: string;
  /** Of the server, to learn its processor time. */
  pid: number;
  path: string;
  /** Asks for random pages from 1 to this one, the same ones for the same seed. */
  randomPages?: number | undefined;
  seed: number;
  headers: Record<string, string>;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  leastAnswers: number;
}

export interface LoadResult {
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Processor time of the server for one answer; unknown where there is no /proc. */
  serverCpuMicroseconds: number | null;
  /** How much of one core the load generator itself used: near 1, it and not the server is the limit. */
  generatorBusy: number;
}

/** The process that makes the load; one at a time. */
export class LoadGenerator {
  readonly #child = forkScript(new URL('load-generator.ts', import.meta.url));

  async run(load: Load): Promise<LoadResult> {
    const reply = nextMessage<{ result: LoadResult } | { failed: string }>(this.#child);
    this.#child.send(load);
    const answer = await reply;
    if ('failed' in answer) throw new Error(`${load.path}: ${answer.failed}`);
    return answer.result;
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}
