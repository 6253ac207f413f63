import { exchange, readPage } from '../peers/api-calls.ts';
import { serve } from '../peers/rollcall.ts';
import type { BenchServer } from '../peers/servers.ts';
import type { PreparedData } from '../prepare-data.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import { randomPage } from './load.ts';
import type { LoadResult } from './load-generator.ts';
import { takeTurns, warmUp } from './measure-in-turns.ts';
import { childrenOf } from './process-usage.ts';
import { LIST_PATH } from './workloads.ts';

export const TWO_WORKERS = 'two workers against one';

/** A page of 500 clients takes milliseconds, so one second would give too few responses. */
const LEAST_SECONDS = 2;
/** With large pages and no page cache, the service does nearly all of the work, so the load generator is not the bottleneck. */
const PATH = `${LIST_PATH}?page_limit=500`;

export async function measureWorkers({ generator, options, results }: Bench, prepared: PreparedData): Promise<void> {
  reportProgress('One worker and two');
  const one = await startWorkers('one', 1, prepared);
  const two = await startWorkers('two', 2, prepared);
  try {
    if (childrenOf(two.pid).length < 2)
      return results.skip(TWO_WORKERS, 'there are no workers, or no /proc to find them');
    const { total_pages: pages } = await readPage(one.address, one.token, 'page_limit=500');
    const workload = { name: TWO_WORKERS, choices: [randomPage(PATH, pages)] };
    const bench = { generator, results, options: { ...options, seconds: Math.max(options.seconds, LEAST_SECONDS) } };
    const contenders = [one, two].map((server) => ({ server, workload }));
    await warmUp(bench, contenders);
    const [single, double] = await takeTurns(bench, contenders);
    if (!single || !double) return;
    const rates = [single, double].map(({ perSecond }) => perSecond.toFixed(0)).join(' and ');
    const cores = [coresOf(single), coresOf(double), double.generatorBusy ?? 0].map((each) => each.toFixed(2));
    const note = `${rates} pages of 500 a second, with ${cores[0]} and ${cores[1]} cores; the load generator took ${cores[2]}`;
    results.addFigure(TWO_WORKERS, double.perSecond / single.perSecond, '×', note);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
}

/** The number of cores that the server used. */
function coresOf({ serverCpuMicroseconds, perSecond }: LoadResult): number {
  return ((serverCpuMicroseconds ?? 0) * perSecond) / 1e6;
}

async function startWorkers(
  name: string,
  workers: number,
  { databaseUrl, apiKey }: PreparedData,
): Promise<BenchServer> {
  const serving = await serve(`workers-${name}`, databaseUrl, {
    ROLLCALL_WORKERS: String(workers),
    ROLLCALL_PAGE_CACHE_MB: '0',
  });
  return { engine: 'sqlite', row: 'uncached', ...serving, token: await exchange(serving.address, apiKey) };
}
