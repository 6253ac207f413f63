import { ENGINE_TITLES, type EngineName } from '../engines.ts';
import { formatCount, formatTable, short } from './format.ts';
import type { Results, SearchResult } from './results.ts';
import { SEARCH_LIMIT_MS } from './search-targets.ts';

/** The median time of every search at every size, and of random pages beside them. */
export function searchTable({ searches, besideSearches }: Results, engine: EngineName): string {
  const ours = searches.filter((each) => each.engine === engine);
  const sizes = [...new Set(ours.map(({ clients }) => clients))].sort((a, b) => a - b);
  const names = [...new Set(ours.map(({ search }) => search))];
  const lines = names.map((name) => [
    name,
    ...sizes.map((size) => timeAndFound(ours.find((each) => each.search === name && each.clients === size))),
  ]);
  const beside = sizes.map((size) => {
    const found = besideSearches.find((each) => each.engine === engine && each.clients === size);
    return found ? `${short(found.aloneP99Ms)} → ${short(found.besideP99Ms)} ms` : '';
  });
  const title = `${ENGINE_TITLES[engine]}, searches in the dashboard: median, ms (found), one at a time; the goal is ${SEARCH_LIMIT_MS} ms for up to 10,000`;
  const last = ['99th percentile of random pages, alone → beside searches', ...beside];
  return `${title}\n${formatTable(['', ...sizes.map(formatCount)], [...lines, last])}`;
}

function timeAndFound(result: SearchResult | undefined): string {
  if (!result) return '';
  return `${short(result.p50Ms)} (${result.isTotalExact ? '' : '> '}${result.found.toLocaleString('en')})`;
}
