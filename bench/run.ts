// Measures the service beside a bare HTTP server and beside the usual way to write it, in one run. See README.md.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWords, judge } from './bars.ts';
import { startField } from './contenders.ts';
import { RESULTS, SCRATCH } from './folders.ts';
import { LoadGenerator } from './load.ts';
import { machineKind } from './machine.ts';
import { measureArrivals } from './measure-arrivals.ts';
import { measureFiles } from './measure-files.ts';
import { measureLists } from './measure-lists.ts';
import { measureMemory } from './measure-memory.ts';
import { measurePostgres } from './measure-postgres.ts';
import { measureWalk } from './measure-walk.ts';
import { measureWorkers } from './measure-workers.ts';
import { type BenchOptions, MILLION, readOptions } from './options.ts';
import { drawPlots } from './plots.ts';
import { type Prepared, prepareData } from './prepare-data.ts';
import { Results } from './results.ts';
import { say } from './say.ts';
import { asText } from './tables.ts';

const options = readOptions(process.argv.slice(2));
if (options) await run(options);

async function run(options: BenchOptions): Promise<void> {
  const start = performance.now();
  const results = new Results();
  const prepared = await prepareAll(options.sizes);
  const generator = new LoadGenerator();
  try {
    await measureAll(generator, options, results, prepared);
  } finally {
    await generator.stop();
    rmSync(SCRATCH, { recursive: true, force: true });
  }
  const bars = judge(results, options.sizes);
  const minutes = Math.round((performance.now() - start) / 60_000);
  const { measurements, figures, skipped } = results;
  const record = { machine: machineKind(), options, minutes, bars, figures, skipped, measurements };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify(record, rounded, 2)}\n`);
  drawPlots(results, options.sizes);
  process.stdout.write(`\n${asText(results, bars)}\n${describe(options, minutes)}\n`);
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

async function measureAll(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  all: Prepared[],
): Promise<void> {
  const largest = all.at(-1);
  for (const prepared of all) {
    say(`${inWords(prepared.clients)} clients`);
    const field = await startField(prepared);
    await measureLists(generator, options, results, prepared.clients, field, prepared.apiKey);
    if (prepared === largest) measureMemory(results, field.cached);
    if (prepared.clients === MILLION) await measureWalk(results, prepared.clients, field);
    await field.stop();
  }
  await measurePostgres(generator, options, results, all);
  if (!largest) return;
  say(`${inWords(largest.clients)} clients, arrivals and workers`);
  await measureArrivals(generator, options, results, largest);
  await measureWorkers(generator, options, results, largest);

  const million = all.find(({ clients }) => clients === MILLION);
  if (!million) return;
  say('Files of 1 million clients');
  await measureFiles(results, million);
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
