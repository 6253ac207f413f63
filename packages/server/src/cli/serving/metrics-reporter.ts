import type { ProcessMetrics } from '../../metrics/metric.ts';
import type { MetricsReport } from './worker-messages.ts';

/** At most what was counted in this time is lost when the worker is killed. */
const REPORT_MS = 1000;

/** Runs in a worker: reports to the primary process what this one has counted. */
export class MetricsReporter {
  readonly #metrics: ProcessMetrics;
  readonly #send: (report: MetricsReport) => Promise<void>;
  readonly #timer: NodeJS.Timeout;

  constructor(metrics: ProcessMetrics, send: (report: MetricsReport) => Promise<void>) {
    this.#metrics = metrics;
    this.#send = send;
    this.#timer = setInterval(() => void this.#report(), REPORT_MS).unref();
  }

  async answer(questionNumber: number): Promise<void> {
    const gauges = await this.#metrics.gauges();
    await this.#send({ counters: this.#metrics.counters(), gauges, questionNumber });
  }

  /** Resolves when the last report has been sent. */
  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#report();
  }

  #report(): Promise<void> {
    return this.#send({ counters: this.#metrics.counters() });
  }
}
