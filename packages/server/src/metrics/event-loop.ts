import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A time that was measured in the last complete window, so that it does not matter how often and by how many it is read. */
const WINDOW_MS = 5000;

/** How often the delay is measured. The measurement itself waits for this long, which is not a delay. */
const RESOLUTION_MS = 10;

export interface LoopDelay {
  p50Seconds: number;
  p99Seconds: number;
  maxSeconds: number;
}

/** How late timers are, because something else keeps the event loop busy. Measured outside JavaScript. */
export class LoopMonitor {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #last: LoopDelay = { p50Seconds: 0, p99Seconds: 0, maxSeconds: 0 };

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#endWindow(), WINDOW_MS).unref();
  }

  get delay(): LoopDelay {
    return this.#last;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #endWindow(): void {
    const { max } = this.#histogram;
    this.#last = {
      p50Seconds: delayOf(this.#histogram.percentile(50)),
      p99Seconds: delayOf(this.#histogram.percentile(99)),
      maxSeconds: delayOf(max),
    };
    this.#histogram.reset();
  }
}

function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
}
