import { type EngineName, onEngine } from '../engines.ts';
import { MILLION } from '../options.ts';
import { formatCount } from './format.ts';
import type { Results } from './results.ts';
import { makeTarget, type Target } from './target.ts';

export const SEARCH_LIMIT_MS = 50;
export const BESIDE_LIMIT = 1.5;

/** The goals for searches that find at most 10,000 clients, and for the API beside them, with a million clients or more. */
export function searchTargets({ searches, besideSearches }: Results, engine: EngineName): Target[] {
  const ours = searches.filter((each) => each.engine === engine && each.clients >= MILLION && each.isTotalExact);
  const worst = ours.toSorted((a, b) => b.p50Ms - a.p50Ms)[0];
  const note = worst && `${worst.search}, ${formatCount(worst.clients)} clients`;
  const beside = besideSearches
    .filter((each) => each.engine === engine && each.clients >= MILLION)
    .map(({ aloneP99Ms, besideP99Ms }) => besideP99Ms / aloneP99Ms);
  return [
    makeTarget(
      onEngine(engine, 'slowest search that finds up to 10,000'),
      'below',
      SEARCH_LIMIT_MS,
      'ms',
      worst?.p50Ms,
      note,
    ),
    makeTarget(
      onEngine(engine, '99th percentile of random pages beside searches, to that without'),
      'below',
      BESIDE_LIMIT,
      '×',
      beside.length > 0 ? Math.max(...beside) : undefined,
    ),
  ];
}
