import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forkScript, nextMessage } from '../child-processes.ts';
import { SCRATCH } from '../folders.ts';
import type { BenchOptions } from '../options.ts';
import { readPage } from '../peers/api.ts';
import { startOurs, startUsual } from '../peers/contenders.ts';
import type { Prepared } from '../prepare-data.ts';
import { inWords } from '../report/bars.ts';
import type { Results } from '../report/results.ts';
import { say } from '../report/say.ts';
import type { LoadGenerator } from './load.ts';
import { measureInTurns } from './measure-in-turns.ts';
import { LIST_PATH, RANDOM_WHILE_ARRIVING, WHILE_ARRIVING } from './workloads.ts';

const PER_SECOND = 50;

export const ARRIVED = `clients that arrived, of ${PER_SECOND} a second wanted`;

/** The list while it changes fifty times a second, on a copy: the prepared data stays as it is. */
export async function measureArrivals(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  prepared: Prepared,
): Promise<void> {
  say(`${inWords(prepared.clients)} clients while others arrive`);
  const folder = join(SCRATCH, 'arrivals');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'rollcall.db');
  copyFileSync(prepared.file, file, constants.COPYFILE_FICLONE);
  const databaseUrl = `sqlite:${file}`;

  const ours = await startOurs('cached', { databaseUrl, apiKey: prepared.apiKey });
  const usual = await startUsual(file, ours.token);
  const arrivals = forkScript(new URL('arrivals.ts', import.meta.url), [databaseUrl, String(PER_SECOND)]);
  await nextMessage(arrivals);
  try {
    const workload = { clients: prepared.clients, path: LIST_PATH };
    const { total_pages: randomPages } = await readPage(ours.address, ours.token, '');
    await measureInTurns(generator, options, results, { ...workload, name: WHILE_ARRIVING }, [usual, ours]);
    const random = { ...workload, name: RANDOM_WHILE_ARRIVING, randomPages };
    await measureInTurns(generator, options, results, random, [usual, ours]);

    const summary = nextMessage<{ added: number; perSecond: number }>(arrivals);
    arrivals.send('stop');
    const { added, perSecond } = await summary;
    results.addFigure(ARRIVED, perSecond, 'a second');
    say(`  ${added} clients arrived meanwhile, ${perSecond.toFixed(1)} a second`);
  } finally {
    arrivals.kill();
    await Promise.all([ours.stop(), usual.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
