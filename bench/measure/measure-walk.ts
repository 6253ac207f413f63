import { forkScript, nextMessage } from '../child-processes.ts';
import type { BenchServer, ServerSet } from '../peers/servers.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';
import type { WalkResult } from './walk-pages.ts';

const PAGES_SAMPLED = 20;

export const WALK = 'full walk of 1 million, page_limit 1000';

/** Reads the whole list once, page by page. The usual server would take minutes, so its time is estimated. */
export async function measureWalk(results: Results, clients: number, { usual, cached }: ServerSet): Promise<void> {
  const ours = await walk(cached, 0);
  if (ours.seen !== clients) throw new Error(`The walk saw ${ours.seen} of ${clients} clients.`);
  results.addFigure(WALK, ours.seconds, 's');

  const sample = await walk(usual, PAGES_SAMPLED);
  const estimate = (sample.seconds / sample.requests) * Math.ceil(clients / 1000);
  results.addFigure(`${WALK}, usual`, estimate, 's', `estimated from ${PAGES_SAMPLED} pages spread over the list`);
  reportProgress(`  full walk: ours ${ours.seconds.toFixed(1)} s, usual about ${estimate.toFixed(0)} s`);
}

function walk({ address, token }: BenchServer, sampled: number): Promise<WalkResult> {
  return nextMessage(forkScript(new URL('walk-pages.ts', import.meta.url), [address, token, String(sampled)]));
}
