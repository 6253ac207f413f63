import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { forkScript, nextMessage } from '../child-processes.ts';
import { type EngineName, onEngine } from '../engines.ts';
import { withNewDatabase } from '../peers/bench-postgres.ts';
import { createAccount, rollcall, WORKSPACE } from '../peers/rollcall.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';
import type { Bench } from './bench.ts';
import { addTimeAndMemory } from './measure-command.ts';
import { cpuSeconds } from './process-usage.ts';
import { withPostgres } from './with-postgres.ts';

export const IMPORT_IN_ORDER = 'import of 1 million, in time order';
export const IMPORT_SHUFFLED = 'import of 1 million, shuffled';
export const IMPORT_BARE = 'import of 1 million, in time order, bare inserts';

/** The files to import, and how many clients each has. */
export interface ImportFiles {
  inOrder: string;
  shuffled: string;
  clients: number;
}

interface ImportTarget {
  engine: EngineName;
  databaseUrl: string;
  /** The first process of the database server, if there is one on this machine. */
  databasePid?: number | undefined;
}

/** Imports the file in time order on both engines, each beside bare inserts of the same rows, and the shuffled one on SQLite. */
export async function measureImports(bench: Bench, folder: string, files: ImportFiles): Promise<void> {
  const { results, options } = bench;
  if (options.engines.includes('sqlite')) {
    const imports = [
      () => measureImport(results, sqliteIn(folder), IMPORT_IN_ORDER, files.inOrder, files.clients),
      () => measureBareImport(results, sqliteIn(folder), files.inOrder, files.clients),
      () => measureImport(results, sqliteIn(folder), IMPORT_SHUFFLED, files.shuffled, files.clients),
    ];
    for (const each of imports) {
      await each();
      rmSync(join(folder, 'import'), { recursive: true });
    }
  }
  if (options.engines.includes('postgres')) {
    await withPostgres(bench, IMPORT_IN_ORDER, async (server) => {
      const target = (databaseUrl: string): ImportTarget => ({
        engine: 'postgres',
        databaseUrl,
        databasePid: server.pid,
      });
      await withNewDatabase(server, (url) =>
        measureImport(results, target(url), IMPORT_IN_ORDER, files.inOrder, files.clients),
      );
      await withNewDatabase(server, (url) => measureBareImport(results, target(url), files.inOrder, files.clients));
    });
  }
}

function sqliteIn(folder: string): ImportTarget {
  return { engine: 'sqlite', databaseUrl: `sqlite:${join(folder, 'import', 'rollcall.db')}` };
}

async function measureImport(
  results: Results,
  { engine, databaseUrl, databasePid }: ImportTarget,
  name: string,
  file: string,
  clients: number,
): Promise<void> {
  await createAccount(databaseUrl);
  const before = databasePid && cpuSeconds(databasePid);
  const finished = await rollcall(databaseUrl, ['import', file, ...WORKSPACE, '--json']);
  const after = databasePid && cpuSeconds(databasePid);
  const { inserted } = JSON.parse(finished.stdout) as { inserted: number };
  requireAll(name, inserted, clients);
  const note = after && before ? `${(after - before).toFixed(1)} s of the database` : undefined;
  addTimeAndMemory(results, onEngine(engine, name), finished, note);
}

/** Inserts the same rows with the same driver and does nothing else. */
async function measureBareImport(
  results: Results,
  { engine, databaseUrl }: ImportTarget,
  file: string,
  clients: number,
): Promise<void> {
  await createAccount(databaseUrl);
  const script = new URL('../peers/bare-import.ts', import.meta.url);
  const importing = forkScript(script, [databaseUrl, file]);
  const { inserted, seconds } = await nextMessage<{ inserted: number; seconds: number }>(importing);
  requireAll(IMPORT_BARE, inserted, clients);
  results.addFigure(onEngine(engine, IMPORT_BARE), seconds, 's');
  reportProgress(`  ${onEngine(engine, IMPORT_BARE)}: ${seconds.toFixed(1)} s`);
}

function requireAll(name: string, inserted: number, clients: number): void {
  if (inserted !== clients) throw new Error(`${name}: ${inserted} of ${clients} clients were inserted.`);
}
