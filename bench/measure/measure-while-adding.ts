import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forkScript, nextMessage } from '../child-processes.ts';
import { SCRATCH } from '../paths.ts';
import { readPage } from '../peers/api-calls.ts';
import { startRollcall, startUsualServer } from '../peers/servers.ts';
import type { PreparedData } from '../prepare-data.ts';
import { formatCount } from '../report/format.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import { randomPage } from './load.ts';
import { measureInTurns } from './measure-in-turns.ts';
import { FIRST_WHILE_ADDING, LIST_PATH, RANDOM_WHILE_ADDING } from './workloads.ts';

const PER_SECOND = 50;

export const ADDED_PER_SECOND = `clients added, of ${PER_SECOND} per second requested`;

/** Measures the list while fifty clients a second are added to a copy of the prepared data. */
export async function measureWhileAdding(bench: Bench, prepared: PreparedData): Promise<void> {
  reportProgress(`${formatCount(prepared.clients)} clients while others are added`);
  const folder = join(SCRATCH, 'adding');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'rollcall.db');
  copyFileSync(prepared.file, file, constants.COPYFILE_FICLONE);
  const databaseUrl = `sqlite:${file}`;

  const ours = await startRollcall('cached', { engine: 'sqlite', databaseUrl, apiKey: prepared.apiKey });
  const usual = await startUsualServer(file, ours.token);
  const adding = forkScript(new URL('add-clients.ts', import.meta.url), [databaseUrl, String(PER_SECOND)]);
  await nextMessage(adding);
  try {
    const { total_pages: pages } = await readPage(ours.address, ours.token, '');
    const first = { name: FIRST_WHILE_ADDING, choices: [{ path: LIST_PATH }] };
    const random = { name: RANDOM_WHILE_ADDING, choices: [randomPage(LIST_PATH, pages)] };
    for (const workload of [first, random]) await measureInTurns(bench, prepared.clients, workload, [usual, ours]);

    const summary = nextMessage<{ added: number; perSecond: number }>(adding);
    adding.send('stop');
    const { added, perSecond } = await summary;
    bench.results.addFigure(ADDED_PER_SECOND, perSecond, 'per second');
    reportProgress(`  ${added} clients were added meanwhile, ${perSecond.toFixed(1)} a second`);
  } finally {
    adding.kill();
    await Promise.all([ours.stop(), usual.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
