import { ENGINE_TITLES } from '../engines.ts';
import { type BenchPostgres, startPostgres } from '../peers/bench-postgres.ts';
import type { Bench } from './bench.ts';

/** Does the work with a PostgreSQL server. Where there is none, the results say so, and everything else is measured. */
export async function withPostgres(
  { results }: Bench,
  what: string,
  work: (server: BenchPostgres) => Promise<void>,
): Promise<void> {
  let server: BenchPostgres;
  try {
    server = await startPostgres();
  } catch (error) {
    results.skip(`${what} on ${ENGINE_TITLES.postgres}`, error instanceof Error ? error.message : String(error));
    return;
  }
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}
