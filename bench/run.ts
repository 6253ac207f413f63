// Measures the service beside bare servers and a conventional implementation, in one run. See README.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './measure/bench.ts';
import { LoadGenerator } from './measure/load-generator.ts';
import { measurePostgres, measureSqlite } from './measure/measure-engine.ts';
import { measureFiles } from './measure/measure-files.ts';
import { measureWhileAdding } from './measure/measure-while-adding.ts';
import { measureWorkers } from './measure/measure-workers.ts';
import { measureWriting } from './measure/measure-writing.ts';
import { type BenchOptions, MILLION, readOptions } from './options.ts';
import { RESULTS, SCRATCH } from './paths.ts';
import { type PreparedData, prepareData } from './prepare-data.ts';
import { formatCount } from './report/format.ts';
import { machineKind } from './report/machine.ts';
import { drawPlots } from './report/plots.ts';
import { reportProgress } from './report/progress.ts';
import { Results } from './report/results.ts';
import { formatResults } from './report/tables.ts';
import { evaluateTargets } from './report/targets.ts';

const options = readOptions(process.argv.slice(2));
if (options) await run(options);

async function run(options: BenchOptions): Promise<void> {
  const prepared = await prepareAll(options.sizes);
  const bench: Bench = { generator: LoadGenerator.start(options.generator), options, results: new Results() };
  let report = '';
  let minutes = options.isContinued ? restore(bench.results) : 0;
  try {
    for (const [part, measure] of partsOf(bench, prepared)) {
      if (bench.results.finished.includes(part)) continue;
      const start = performance.now();
      await measure();
      bench.results.finished.push(part);
      minutes += (performance.now() - start) / 60_000;
      // After each part, so that an interrupted run can be continued.
      report = save(bench, minutes);
    }
  } finally {
    await bench.generator.stop();
    rmSync(SCRATCH, { recursive: true, force: true });
  }
  process.stdout.write(`\n${report}The results are in bench/results/.\n`);
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

/** Returns for how many minutes was measured before. */
function restore(results: Results): number {
  const saved = JSON.parse(readFileSync(join(RESULTS, 'latest.json'), 'utf8'));
  results.restore(saved);
  return saved.minutes;
}

type Part = [name: string, measure: () => Promise<void>];

function partsOf(bench: Bench, all: PreparedData[]): Part[] {
  const { engines, parts } = bench.options;
  const largest = all.at(-1) as PreparedData;
  const million = all.find(({ clients }) => clients === MILLION);
  const [onSqlite, onPostgres] = [engines.includes('sqlite'), engines.includes('postgres')];
  const hasLists = (['lists', 'questions', 'searches'] as const).some((part) => parts.includes(part));
  const measures: Part[] = [];
  if (onSqlite && hasLists) {
    for (const each of all) {
      measures.push([`sqlite ${each.clients}`, () => measureSqlite(bench, each, each === largest)]);
    }
  }
  if (onPostgres && hasLists) measures.push(['postgres', () => measurePostgres(bench, all)]);
  if (onSqlite && parts.includes('adding')) measures.push(['adding', () => measureWhileAdding(bench, largest)]);
  if (parts.includes('writing')) measures.push(['writing', () => measureWriting(bench)]);
  if (onSqlite && parts.includes('workers')) measures.push(['workers', () => measureWorkers(bench, largest)]);
  if (million && parts.includes('files')) measures.push(['files', () => measureFiles(bench, million)]);
  return measures;
}

/** Writes the figures, the report and the plots, and returns the report. */
function save({ generator, options, results }: Bench, measuredMinutes: number): string {
  const { finished, measurements, questions, searches, besideSearches, figures, skipped } = results;
  const targets = evaluateTargets(results, options);
  const minutes = Math.round(measuredMinutes);
  const about = { machine: machineKind(), loadGenerator: generator.name, options, minutes };
  const record = { ...about, finished, targets, figures, skipped, questions, searches, besideSearches, measurements };
  const report = `${formatResults(results, targets)}\n${describe(about)}\n`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify(record, rounded, 2)}\n`);
  writeFileSync(join(RESULTS, 'latest.txt'), report);
  drawPlots(results, options);
  return report;
}

function describe(about: {
  machine: ReturnType<typeof machineKind>;
  loadGenerator: string;
  options: BenchOptions;
  minutes: number;
}): string {
  const { platform, cores, memoryGb, node } = about.machine;
  const { connections, rounds, seconds } = about.options;
  return [
    `${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}; load from ${about.loadGenerator}, ${connections} connections, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s; ${about.minutes} min in total.`,
    'Only ratios within one run are meaningful.',
  ].join('\n');
}

/** Rounds to four digits: more would only be noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
