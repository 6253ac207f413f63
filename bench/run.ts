// Measures the service beside a bare HTTP server and beside the usual way to write it, in one run. See README.md.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS, SCRATCH } from './folders.ts';
import { LoadGenerator } from './measure/load.ts';
import { measureArrivals } from './measure/measure-arrivals.ts';
import { measureFiles } from './measure/measure-files.ts';
import { measureLists } from './measure/measure-lists.ts';
import { measureMemory } from './measure/measure-memory.ts';
import { measurePostgres } from './measure/measure-postgres.ts';
import { measureWalk } from './measure/measure-walk.ts';
import { measureWorkers } from './measure/measure-workers.ts';
import { type BenchOptions, MILLION, readOptions } from './options.ts';
import { startField } from './peers/contenders.ts';
import { type Prepared, prepareData } from './prepare-data.ts';
import { inWords, judge } from './report/bars.ts';
import { machineKind } from './report/machine.ts';
import { drawPlots } from './report/plots.ts';
import { Results } from './report/results.ts';
import { say } from './report/say.ts';
import { asText } from './report/tables.ts';

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
      // After each part, so that a run that is broken off has something to show.
      save(results, options, start);
    }
  } finally {
    await generator.stop();
    rmSync(SCRATCH, { recursive: true, force: true });
  }
  const minutes = minutesSince(start);
  process.stdout.write(`\n${asText(results, judge(results, options.sizes))}\n${describe(options, minutes)}\n`);
}

function save(results: Results, options: BenchOptions, start: number): void {
  const { measurements, figures, skipped } = results;
  const bars = judge(results, options.sizes);
  const record = {
    machine: machineKind(),
    options,
    minutes: minutesSince(start),
    bars,
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

async function prepareAll(sizes: number[]): Promise<Prepared[]> {
  const all: Prepared[] = [];
  for (const clients of sizes) {
    say(`Preparing ${inWords(clients)} clients`);
    const prepared = await prepareData(clients);
    say(`  filled in ${prepared.preparedInSeconds.toFixed(1)} s (kept for the next run)`);
    all.push(prepared);
  }
  return all;
}

function partsOf(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  all: Prepared[],
): (() => Promise<void>)[] {
  const largest = all.at(-1) as Prepared;
  const million = all.find(({ clients }) => clients === MILLION);
  return [
    ...all.map((prepared) => () => measureSize(generator, options, results, prepared, prepared === largest)),
    () => measurePostgres(generator, options, results, all),
    () => measureArrivals(generator, options, results, largest),
    () => measureWorkers(generator, options, results, largest),
    ...(million ? [() => measureFiles(results, million)] : []),
  ];
}

async function measureSize(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  { clients, apiKey, ...prepared }: Prepared,
  isLargest: boolean,
): Promise<void> {
  say(`${inWords(clients)} clients`);
  const field = await startField({ clients, apiKey, ...prepared });
  await measureLists(generator, options, results, clients, field, apiKey);
  if (clients === MILLION) await measureWalk(results, clients, field);
  if (isLargest) measureMemory(results, field.cached);
  await field.stop();
}

function describe({ seconds, rounds, connections }: BenchOptions, minutes: number): string {
  const { platform, cores, memoryGb, node } = machineKind();
  return [
    `${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}; ${connections} connections, ${rounds} rounds of ${seconds} s; ${minutes} minutes in all.`,
    'Only the ratios within one run mean anything. Written to bench/results/.',
  ].join('\n');
}

/** Digits beyond the noise would only make two runs hard to compare. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
