// Measures the service beside a bare HTTP server and a conventional implementation, in one run. See README.md.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoadGenerator } from './measure/load.ts';
import { measureFiles } from './measure/measure-files.ts';
import { measureLists } from './measure/measure-lists.ts';
import { measureMemory } from './measure/measure-memory.ts';
import { measurePostgres } from './measure/measure-postgres.ts';
import { measureWalk } from './measure/measure-walk.ts';
import { measureWhileAdding } from './measure/measure-while-adding.ts';
import { measureWorkers } from './measure/measure-workers.ts';
import { type BenchOptions, MILLION, readOptions } from './options.ts';
import { RESULTS, SCRATCH } from './paths.ts';
import { startServers } from './peers/servers.ts';
import { type PreparedData, prepareData } from './prepare-data.ts';
import { machineKind } from './report/machine.ts';
import { drawPlots } from './report/plots.ts';
import { reportProgress } from './report/progress.ts';
import { Results } from './report/results.ts';
import { formatResults } from './report/tables.ts';
import { evaluateTargets, formatCount } from './report/targets.ts';

const options = readOptions(process.argv.slice(2));
if (options) await run(options);

async function run(options: BenchOptions): Promise<void> {
  const start = performance.now();
  const results = new Results();
  const prepared = await prepareAll(options.sizes);
  const generator = new LoadGenerator();
  try {
    for (const measure of partsOf(generator, options, results, prepared)) {
      await measure();
      // After each part, so that an interrupted run leaves results.
      save(results, options, start);
    }
  } finally {
    await generator.stop();
    rmSync(SCRATCH, { recursive: true, force: true });
  }
  const minutes = minutesSince(start);
  process.stdout.write(
    `\n${formatResults(results, evaluateTargets(results, options.sizes))}\n${describe(options, minutes)}\n`,
  );
}

function save(results: Results, options: BenchOptions, start: number): void {
  const { measurements, figures, skipped } = results;
  const targets = evaluateTargets(results, options.sizes);
  const record = {
    machine: machineKind(),
    options,
    minutes: minutesSince(start),
    targets,
    figures,
    skipped,
    measurements,
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify(record, rounded, 2)}\n`);
  drawPlots(results, options.sizes);
}

function minutesSince(start: number): number {
  return Math.round((performance.now() - start) / 60_000);
}

async function prepareAll(sizes: number[]): Promise<PreparedData[]> {
  const all: PreparedData[] = [];
  for (const clients of sizes) {
    reportProgress(`Preparing ${formatCount(clients)} clients`);
    const prepared = await prepareData(clients);
    reportProgress(`  prepared in ${prepared.preparedInSeconds.toFixed(1)} s (kept for the next run)`);
    all.push(prepared);
  }
  return all;
}

function partsOf(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  all: PreparedData[],
): (() => Promise<void>)[] {
  const largest = all.at(-1) as PreparedData;
  const million = all.find(({ clients }) => clients === MILLION);
  return [
    ...all.map((prepared) => () => measureSize(generator, options, results, prepared, prepared === largest)),
    () => measurePostgres(generator, options, results, all),
    () => measureWhileAdding(generator, options, results, largest),
    () => measureWorkers(generator, options, results, largest),
    ...(million ? [() => measureFiles(results, million)] : []),
  ];
}

async function measureSize(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  { clients, apiKey, ...prepared }: PreparedData,
  isLargest: boolean,
): Promise<void> {
  reportProgress(`${formatCount(clients)} clients`);
  const servers = await startServers({ clients, apiKey, ...prepared });
  await measureLists(generator, options, results, clients, servers, apiKey);
  if (clients === MILLION) await measureWalk(results, clients, servers);
  if (isLargest) measureMemory(results, servers.cached);
  await servers.stop();
}

function describe({ seconds, rounds, connections }: BenchOptions, minutes: number): string {
  const { platform, cores, memoryGb, node } = machineKind();
  return [
    `${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}; ${connections} connections, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s; ${minutes} min in total.`,
    'Only ratios within one run are meaningful. The results are in bench/results/.',
  ].join('\n');
}

/** Rounds to four digits: more would only be noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
