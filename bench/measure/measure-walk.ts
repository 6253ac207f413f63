import { forkScript, nextMessage } from '../child-processes.ts';
import { onEngine } from '../engines.ts';
import type { BenchServer, ServerSet } from '../peers/servers.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';
import type { Bench } from './bench.ts';
import { cpuSeconds } from './process-usage.ts';
import type { WalkResult } from './walk-pages.ts';

const PAGES_SAMPLED = 20;

export const WALK = 'full walk of 1 million, page_limit 1000';
export const WALK_BARE = `${WALK}, bare query`;

/** Reads the whole list page by page, with ours and with the bare query in turn. The median round counts. */
export async function measureWalk({ options, results }: Bench, clients: number, servers: ServerSet): Promise<void> {
  const contenders = { [WALK]: servers.cached, [WALK_BARE]: servers.query };
  const rounds: { name: string; server: BenchServer; walked: Walked }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const [name, server] of Object.entries(contenders)) {
      rounds.push({ name, server, walked: await walkAll(clients, server) });
    }
  }
  for (const [name, { engine }] of Object.entries(contenders)) {
    const { seconds, cpu } = median(rounds.filter((round) => round.name === name).map(({ walked }) => walked));
    const note = cpu === undefined ? undefined : `${cpu.toFixed(1)} s of processor time of the server`;
    results.addFigure(onEngine(engine, name), seconds, 's', note);
    reportProgress(`  ${name}: ${seconds.toFixed(1)} s`);
  }
  if (servers.usual) await estimateUsual(results, clients, servers.usual);
}

/** The usual server would take minutes. */
async function estimateUsual(results: Results, clients: number, usual: BenchServer): Promise<void> {
  const sample = await walk(usual, PAGES_SAMPLED);
  const estimate = (sample.seconds / sample.requests) * Math.ceil(clients / 1000);
  results.addFigure(`${WALK}, usual`, estimate, 's', `estimated from ${PAGES_SAMPLED} pages spread over the list`);
}

interface Walked {
  seconds: number;
  cpu: number | undefined;
}

async function walkAll(clients: number, server: BenchServer): Promise<Walked> {
  const before = cpuSeconds(server.pid);
  const { seen, seconds } = await walk(server, 0);
  if (seen !== clients) throw new Error(`The walk saw ${seen} of ${clients} clients.`);
  const after = cpuSeconds(server.pid);
  return { seconds, cpu: after === undefined || before === undefined ? undefined : after - before };
}

function median(walks: Walked[]): Walked {
  const sorted = walks.toSorted((a, b) => a.seconds - b.seconds);
  return sorted[Math.floor(sorted.length / 2)] as Walked;
}

function walk({ address, token }: BenchServer, sampled: number): Promise<WalkResult> {
  return nextMessage(forkScript(new URL('walk-pages.ts', import.meta.url), [address, token, String(sampled)]));
}
