import type { Worker } from 'node:cluster';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMetrics } from '../../metrics/parse-text.ts';
import { processCounters } from '../../metrics/process-metrics.ts';
import { RequestMeter, requestMetrics } from '../../metrics/request-meter.ts';
import { toText } from '../../metrics/to-text.ts';
import { WorkerMetrics } from './worker-metrics.ts';

/** A worker that counts requests, and whose reports arrive at once. */
class CountingWorker {
  readonly #meter = new RequestMeter('production');
  readonly #metrics: WorkerMetrics;
  /** For the primary process, which only tells workers apart. */
  readonly #handle = {} as Worker;

  constructor(metrics: WorkerMetrics) {
    this.#metrics = metrics;
    metrics.handleMessage(this.#handle, { addresses: {} });
  }

  answer(ms: number): void {
    this.#meter.add({ method: 'GET', route: '/a', status: 200, startedAt: performance.now() - ms });
    const counters = [...requestMetrics([this.#meter]), ...processCounters()];
    this.#metrics.handleMessage(this.#handle, { counters });
  }

  end(): void {
    this.#metrics.removeWorker(this.#handle, { isReplaced: true });
  }
}

/** All values by name and labels, as Prometheus reads them. */
function valuesOf(metrics: WorkerMetrics): Map<string, number> {
  const parsed = parseMetrics(toText(metrics.counters()));
  if (!parsed) throw new Error('These are not metrics.');
  return new Map(
    [...parsed].flatMap(([name, samples]) =>
      samples.map(({ labels, value }): [string, number] => [`${name} ${JSON.stringify(labels)}`, value]),
    ),
  );
}

test('no counter ever falls, not even by its last digit, whichever workers are replaced and when', () => {
  const step = fc.record({
    worker: fc.nat({ max: 3 }),
    // A worker is asked something that takes so long, or else it is replaced.
    ms: fc.option(fc.double({ min: 0, max: 2000, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const metrics = new WorkerMetrics({ counters: processCounters, gauges: async () => [] });
      const workers = Array.from({ length: 4 }, () => new CountingWorker(metrics));
      let before = valuesOf(metrics);
      for (const { worker, ms } of steps) {
        if (ms === null) workers.splice(worker, 1, new CountingWorker(metrics))[0]?.end();
        else workers[worker]?.answer(ms);
        const values = valuesOf(metrics);
        const fallen = [...before].filter(([name, value]) => (values.get(name) ?? 0) < value);
        expect(fallen).toEqual([]);
        before = values;
      }
    }),
  );
});
