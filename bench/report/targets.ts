import { type EngineName, onEngine } from '../engines.ts';
import { peakMemoryOf } from '../measure/measure-command.ts';
import { EXPORT, LONGEST_WAIT, LONGEST_WAIT_BEFORE } from '../measure/measure-files.ts';
import { IMPORT_IN_ORDER, IMPORT_SHUFFLED } from '../measure/measure-imports.ts';
import { SERVING_MEMORY } from '../measure/measure-memory.ts';
import { WALK } from '../measure/measure-walk.ts';
import { TWO_WORKERS } from '../measure/measure-workers.ts';
import { CREATES, IMPORT_OVER_HTTP, LONGEST_CHANGE, LONGEST_RARE_CHANGE } from '../measure/measure-writing.ts';
import { firstPageOf, randomPageOf } from '../measure/workloads.ts';
import { type BenchOptions, MILLION, TEN_MILLION, TEN_THOUSAND } from '../options.ts';
import { formatCount } from './format.ts';
import { againstUsual, growth, rateToCeiling } from './list-targets.ts';
import { processorTargets } from './processor-targets.ts';
import { questionTargets } from './question-targets.ts';
import type { Results } from './results.ts';
import { searchTargets } from './search-targets.ts';
import { makeTarget, type Target } from './target.ts';

/** Compares the results with all performance promises of the project. */
export function evaluateTargets(results: Results, { sizes, engines }: BenchOptions): Target[] {
  return [
    ...(engines.includes('sqlite') ? sqliteTargets(results, sizes) : []),
    ...(engines.includes('postgres') ? postgresTargets(results, sizes) : []),
  ];
}

const FIRST_CACHED = {
  what: 'first page, repeated, page cache on',
  workload: firstPageOf('whole list'),
  row: 'cached',
  limit: 0.75,
} as const;
const RANDOM_UNCACHED = {
  what: 'random pages, page cache off',
  workload: randomPageOf('whole list'),
  row: 'uncached',
  limit: 0.35,
} as const;

function sqliteTargets(results: Results, sizes: number[]): Target[] {
  const largest = sizes.at(-1) ?? 0;
  return [
    ...processorTargets(results, 'sqlite', sizes),
    rateToCeiling(results, sizes, FIRST_CACHED),
    rateToCeiling(results, sizes, RANDOM_UNCACHED),
    ...sizes.filter((size) => size > TEN_THOUSAND).map((size) => growth(results, 'sqlite', size)),
    ...questionTargets(results, 'sqlite', largest),
    ...searchTargets(results, 'sqlite'),
    againstUsual(results),
    figure(results, WALK, 'below', 15, 's'),
    servingMemory(results, largest),
    figure(results, IMPORT_IN_ORDER, 'below', 60, 's'),
    figure(results, peakMemoryOf(IMPORT_IN_ORDER), 'below', 300, 'MB'),
    figure(results, IMPORT_SHUFFLED, 'below', 150, 's'),
    figure(results, peakMemoryOf(IMPORT_SHUFFLED), 'below', 300, 'MB'),
    figure(results, EXPORT, 'below', 20, 's'),
    figure(results, peakMemoryOf(EXPORT), 'below', 200, 'MB'),
    longestWait(results),
    figure(results, TWO_WORKERS, 'above', 1.7, '×'),
    ...writingTargets(results, 'sqlite'),
  ];
}

function postgresTargets(results: Results, all: number[]): Target[] {
  const sizes = all.filter((size) => size <= MILLION);
  return [
    ...processorTargets(results, 'postgres', sizes),
    ...sizes.filter((size) => size > TEN_THOUSAND).map((size) => growth(results, 'postgres', size)),
    ...questionTargets(results, 'postgres', sizes.at(-1) ?? 0),
    ...searchTargets(results, 'postgres'),
    figure(results, onEngine('postgres', peakMemoryOf(IMPORT_IN_ORDER)), 'below', 300, 'MB'),
    ...writingTargets(results, 'postgres'),
  ];
}

function writingTargets(results: Results, engine: EngineName): Target[] {
  return [
    figure(results, onEngine(engine, CREATES), 'above', 0.5, '×'),
    figure(results, onEngine(engine, IMPORT_OVER_HTTP), 'above', 0.8, '×'),
    figure(results, onEngine(engine, LONGEST_CHANGE), 'below', 100, 'ms'),
    figure(results, onEngine(engine, LONGEST_RARE_CHANGE), 'below', 100, 'ms'),
  ];
}

function figure(results: Results, what: string, side: Target['side'], limit: number, unit: string): Target {
  const found = results.figures.find((each) => each.what === what);
  return makeTarget(what, side, limit, unit, found?.value, found?.note);
}

function servingMemory(results: Results, largest: number): Target {
  const note = largest < TEN_MILLION ? 'the target is for 10 million' : undefined;
  const what = `resident memory serving ${formatCount(largest)}`;
  return makeTarget(what, 'below', 250, 'MB', results.figure(SERVING_MEMORY), note);
}

function longestWait(results: Results): Target {
  const idle = results.figure(LONGEST_WAIT_BEFORE);
  const note = idle === undefined ? undefined : `idle: ${idle.toFixed(0)} ms`;
  return makeTarget(LONGEST_WAIT, 'below', 100, 'ms', results.figure(LONGEST_WAIT), note);
}
