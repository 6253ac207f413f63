import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type MeteredParts, ServiceMetrics } from './service-metrics.ts';

/** Several times as long as the primary process waits for a worker. */
const SLOW_MS = 10_000;

const JOBS = { import: { waiting: 1, running: 0 } };

function metricsOf(openJobs: MeteredParts['openJobs']): ServiceMetrics {
  const metrics = new ServiceMetrics({
    build: { version: '1.0.0', engine: 'postgres' },
    pageCache: { hits: 0, misses: 0, bytes: 0 },
    limitsHit: () => ({}),
    connections: () => 3,
    databaseUse: () => ({ indexBytes: 0, pools: [] }),
    isDatabaseAvailable: () => true,
    changeLagMs: () => 0,
    openJobs,
    failedJobs: () => ({}),
    backups: () => undefined,
  });
  onTestFinished(() => metrics.stop());
  return metrics;
}

async function namesOf(metrics: ServiceMetrics): Promise<string[]> {
  return (await metrics.gauges()).map(({ name }) => name);
}

test('a database that is slow or unavailable costs only the gauge of the jobs', async () => {
  const all = await namesOf(metricsOf(async () => JOBS));
  const others = all.filter((name) => name !== 'rollcall_jobs');
  expect(others).toHaveLength(all.length - 1);
  expect(await namesOf(metricsOf(() => sleep(SLOW_MS, JOBS, { ref: false })))).toEqual(others);
  expect(await namesOf(metricsOf(() => Promise.reject(new Error('The database is unavailable.'))))).toEqual(others);
});
