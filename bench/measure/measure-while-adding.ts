import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forkScript, nextMessage } from '../child-processes.ts';
import type { BenchOptions } from '../options.ts';
import { SCRATCH } from '../paths.ts';
import { readPage } from '../peers/api-calls.ts';
import { startRollcall, startUsualServer } from '../peers/servers.ts';
import type { PreparedData } from '../prepare-data.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';
import { formatCount } from '../report/targets.ts';
import type { LoadGenerator } from './load.ts';
import { measureInTurns } from './measure-in-turns.ts';
import { FIRST_WHILE_ADDING, LIST_PATH, RANDOM_WHILE_ADDING } from './workloads.ts';

const PER_SECOND = 50;

export const ADDED_PER_SECOND = `clients added, of ${PER_SECOND} per second requested`;

/** Measures the list while fifty clients a second are added to a copy of the prepared data. */
export async function measureWhileAdding(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  prepared: PreparedData,
): Promise<void> {
  reportProgress(`${formatCount(prepared.clients)} clients while others are added`);
  const folder = join(SCRATCH, 'adding');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'rollcall.db');
  copyFileSync(prepared.file, file, constants.COPYFILE_FICLONE);
  const databaseUrl = `sqlite:${file}`;

  const ours = await startRollcall('cached', { databaseUrl, apiKey: prepared.apiKey });
  const usual = await startUsualServer(file, ours.token);
  const adding = forkScript(new URL('add-clients.ts', import.meta.url), [databaseUrl, String(PER_SECOND)]);
  await nextMessage(adding);
  try {
    const workload = { clients: prepared.clients, path: LIST_PATH };
    const { total_pages: randomPages } = await readPage(ours.address, ours.token, '');
    await measureInTurns(generator, options, results, { ...workload, name: FIRST_WHILE_ADDING }, [usual, ours]);
    const random = { ...workload, name: RANDOM_WHILE_ADDING, randomPages };
    await measureInTurns(generator, options, results, random, [usual, ours]);

    const summary = nextMessage<{ added: number; perSecond: number }>(adding);
    adding.send('stop');
    const { added, perSecond } = await summary;
    results.addFigure(ADDED_PER_SECOND, perSecond, 'per second');
    reportProgress(`  ${added} clients were added meanwhile, ${perSecond.toFixed(1)} a second`);
  } finally {
    adding.kill();
    await Promise.all([ours.stop(), usual.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
