import { type BenchOptions, MILLION } from '../options.ts';
import { readPage } from '../peers/api-calls.ts';
import { preparePostgres, startPostgres } from '../peers/bench-postgres.ts';
import { startRollcall } from '../peers/servers.ts';
import type { PreparedData } from '../prepare-data.ts';
import { reportProgress } from '../report/progress.ts';
import { type Results, SERVER_TITLES } from '../report/results.ts';
import type { LoadGenerator } from './load.ts';
import { measureInTurns, type Workload, warmUp } from './measure-in-turns.ts';
import { FILTER_NAMES, FILTERS, firstPageOf, listPath, randomPageOf, randomPageOneAtATime } from './workloads.ts';

/** Measures the same lists on PostgreSQL, up to one million clients, without the page cache. */
export async function measurePostgres(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  all: PreparedData[],
): Promise<void> {
  try {
    const server = await startPostgres();
    try {
      for (const prepared of all.filter(({ clients }) => clients <= MILLION)) {
        reportProgress(`PostgreSQL, ${prepared.clients} clients`);
        const databaseUrl = await preparePostgres(server, prepared);
        await measureLists(generator, options, results, { ...prepared, databaseUrl });
      }
    } finally {
      await server.stop();
    }
  } catch (error) {
    results.skip(SERVER_TITLES.postgres, error instanceof Error ? error.message : String(error));
  }
}

async function measureLists(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  prepared: PreparedData,
): Promise<void> {
  const ours = await startRollcall('postgres', prepared);
  const measure = (workload: Omit<Workload, 'clients'>) =>
    measureInTurns(generator, options, results, { clients: prepared.clients, ...workload }, [ours]);
  try {
    const { total_pages: pages } = await readPage(ours.address, ours.token, '');
    await warmUp(generator, options, { clients: prepared.clients, path: listPath(''), randomPages: pages }, [ours]);
    for (const filter of FILTER_NAMES) {
      const path = listPath(FILTERS[filter]);
      const { total_pages: randomPages } = await readPage(ours.address, ours.token, FILTERS[filter]);
      await measure({ name: firstPageOf(filter), path });
      await measure({ name: randomPageOf(filter), path, randomPages });
      await measure({ name: randomPageOneAtATime(filter), path, randomPages, connections: 1 });
    }
  } finally {
    await ours.stop();
  }
}
