import { ENGINE_TITLES, type EngineName } from '../engines.ts';
import { firstPageOf, ONE_EMAIL, randomPageOf, TOKEN_EXCHANGE } from '../measure/workloads.ts';
import { formatCount, formatTable, short } from './format.ts';
import { processorRatio } from './processor-targets.ts';
import { type Results, SERVER_TITLES, type ServerName } from './results.ts';

/** The workloads that the bare servers answer, too. */
export const COMPARED_WORKLOADS = [firstPageOf('whole list'), randomPageOf('whole list'), ONE_EMAIL, TOKEN_EXCHANGE];

const ROWS: readonly ServerName[] = ['ceiling', 'query', 'cached', 'uncached'];

/** The processor time of the server per response, beside that of the bare servers; none if these were not measured. */
export function processorTables(results: Results, engine: EngineName, clients: number): string[] {
  const title = `${ENGINE_TITLES[engine]}, ${formatCount(clients)} clients: processor time of the server per response`;
  const here = results.measurements.filter((each) => each.engine === engine && each.clients === clients);
  if (!here.some(({ row }) => row === 'ceiling')) return [];
  if (here.every(({ serverCpuMicroseconds }) => serverCpuMicroseconds === null)) {
    return [`${title}\n  It is known only on systems with /proc.`];
  }
  const lines = COMPARED_WORKLOADS.map((workload) => [
    workload,
    ...ROWS.map((row) => timeAndRatio(results, engine, clients, workload, row)),
    toBareQuery(results, engine, clients, workload),
    databaseTimes(results, engine, clients, workload),
  ]);
  const header = ['', ...ROWS.map((row) => SERVER_TITLES[row]), 'ours to bare query', 'of the database'];
  const hasDatabase = here.some(({ databaseCpuMicroseconds }) => databaseCpuMicroseconds !== null);
  const columns = hasDatabase ? header.length : header.length - 1;
  const table = formatTable(
    header.slice(0, columns),
    lines.map((line) => line.slice(0, columns)),
  );
  return [`${title}, microseconds (to the ceiling)\n${table}`];
}

function timeAndRatio(results: Results, engine: EngineName, clients: number, workload: string, row: ServerName) {
  const time = results.find(engine, clients, workload, row)?.serverCpuMicroseconds;
  if (!time) return '';
  const ratio = row === 'ceiling' ? undefined : processorRatio(results, engine, clients, workload, row, 'ceiling');
  return ratio === undefined ? short(time) : `${short(time)} (${ratio.toFixed(2)} ×)`;
}

/** Without the page cache, because a cached page is not read from the database; a token exchange does not use the cache. */
function toBareQuery(results: Results, engine: EngineName, clients: number, workload: string): string {
  const row = workload === TOKEN_EXCHANGE ? 'cached' : 'uncached';
  const ratio = processorRatio(results, engine, clients, workload, row, 'query');
  return ratio === undefined ? '' : `${ratio.toFixed(2)} ×`;
}

/** What the database server used for a response of the bare query and of ours. */
function databaseTimes(results: Results, engine: EngineName, clients: number, workload: string): string {
  const row = workload === TOKEN_EXCHANGE ? 'cached' : 'uncached';
  const [query, ours] = (['query', row] as const).map(
    (each) => results.find(engine, clients, workload, each)?.databaseCpuMicroseconds,
  );
  return query && ours ? `bare query ${short(query)}, ours ${short(ours)}` : '';
}
