import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRATCH } from '../paths.ts';
import { exchange } from '../peers/api-calls.ts';
import { createAccount, rollcall, serve, WORKSPACE } from '../peers/rollcall.ts';
import type { PreparedData } from '../prepare-data.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';
import type { Bench } from './bench.ts';
import { addTimeAndMemory } from './measure-command.ts';
import { measureImports } from './measure-imports.ts';
import { probeDuring } from './probe-during.ts';
import type { ResponseTimes } from './response-times.ts';
import { writeShuffled } from './write-shuffled.ts';

export const EXPORT = 'export of 1 million';
export const LONGEST_WAIT = 'longest wait of a request during an import';
export const LONGEST_WAIT_BEFORE = 'longest wait of a request without an import';

/** Enough to see the longest wait, because all batches of an import are alike. */
const CLIENTS_WHILE_SERVING = 200_000;
/** How long the idle service is measured, for comparison. */
const IDLE_PROBE_MS = 5000;

/** Exports one million clients, imports them in order and shuffled, and measures requests during an import. */
export async function measureFiles(bench: Bench, { clients, databaseUrl }: PreparedData): Promise<void> {
  reportProgress('Files of 1 million clients');
  const folder = join(SCRATCH, 'files');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const [inOrder, shuffled] = [join(folder, 'in-order.csv'), join(folder, 'shuffled.csv')];
    await exportTo(bench.results, databaseUrl, inOrder);
    writeShuffled(inOrder, shuffled);
    await measureImports(bench, folder, { inOrder, shuffled, clients });
    if (!bench.options.engines.includes('sqlite')) return;
    const part = join(folder, 'part.csv');
    writePart(inOrder, part);
    await importWhileServing(bench.results, folder, part);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function exportTo(results: Results, databaseUrl: string, file: string): Promise<void> {
  const output = openSync(file, 'w');
  const finished = await rollcall(databaseUrl, ['export', ...WORKSPACE], { output });
  closeSync(output);
  addTimeAndMemory(results, EXPORT, finished);
}

function writePart(whole: string, part: string): void {
  const lines = readFileSync(whole, 'utf8').split('\n', 1 + CLIENTS_WHILE_SERVING);
  writeFileSync(part, `${lines.join('\n')}\n`);
}

async function importWhileServing(results: Results, folder: string, file: string): Promise<void> {
  const databaseUrl = `sqlite:${join(folder, 'served', 'rollcall.db')}`;
  const { apiKey } = await createAccount(databaseUrl);
  const serving = await serve('during-import', databaseUrl);
  try {
    const token = await exchange(serving.address, apiKey);
    const service = { address: serving.address, token };
    const idle = await probeDuring(service, () => new Promise((resolve) => setTimeout(resolve, IDLE_PROBE_MS)));
    const busy = await probeDuring(service, () => rollcall(databaseUrl, ['import', file, ...WORKSPACE, '--json']));
    const note = ({ requests, medianMs }: ResponseTimes) => `of ${requests} requests, median ${medianMs.toFixed(1)} ms`;
    results.addFigure(LONGEST_WAIT, busy.longestMs, 'ms', note(busy));
    results.addFigure(LONGEST_WAIT_BEFORE, idle.longestMs, 'ms', note(idle));
    reportProgress(`  ${LONGEST_WAIT}: ${busy.longestMs.toFixed(0)} ms (idle: ${idle.longestMs.toFixed(0)} ms)`);
  } finally {
    await serving.stop();
  }
}
