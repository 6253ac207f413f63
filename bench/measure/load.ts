import { forkScript, nextMessage, stop } from '../child-processes.ts';

/** The requests to a server, and how many at once. */
export interface Load {
  address: string;
  /** The process id of the server, for its processor time. */
  pid: number;
  path: string;
  /** Requests random pages from 1 to this number; the same seed gives the same pages. */
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
  /** The processor time of the server per response; unknown on systems without /proc. */
  serverCpuMicroseconds: number | null;
  /** The share of a core that the load generator used. Near 1, it is the bottleneck instead of the server. */
  generatorBusy: number;
}

/** The process that generates the load, one measurement at a time. */
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
