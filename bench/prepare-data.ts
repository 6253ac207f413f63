import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA } from './folders.ts';
import { createAccount, rollcall, WORKSPACE } from './peers/rollcall.ts';

export interface Prepared {
  clients: number;
  file: string;
  databaseUrl: string;
  apiKey: string;
  /** How long filling it took, when that was done. */
  preparedInSeconds: number;
}

/** A database with this many sample clients, filled by the program itself, or the one of an earlier run. */
export async function prepareData(clients: number): Promise<Prepared> {
  const folder = join(DATA, `sqlite-${clients}-${schemaMarker()}`);
  const [file, manifest] = [join(folder, 'rollcall.db'), join(folder, 'prepared.json')];
  if (!existsSync(manifest)) {
    forget(`sqlite-${clients}-`);
    mkdirSync(folder, { recursive: true });
    const start = performance.now();
    const { apiKey } = await createAccount(`sqlite:${file}`);
    await addSample(`sqlite:${file}`, clients);
    const preparedInSeconds = (performance.now() - start) / 1000;
    // Written last and moved into place: a folder without it was left half done.
    writeFileSync(`${manifest}.part`, JSON.stringify({ apiKey, preparedInSeconds }));
    renameSync(`${manifest}.part`, manifest);
  }
  const kept = JSON.parse(readFileSync(manifest, 'utf8')) as Pick<Prepared, 'apiKey' | 'preparedInSeconds'>;
  return { clients, file, databaseUrl: `sqlite:${file}`, ...kept };
}

export async function addSample(databaseUrl: string, clients: number): Promise<void> {
  await rollcall(databaseUrl, ['sample', ...WORKSPACE, '--clients', String(clients)]);
}

/** Changes with the tables, the index and the sample, so that no run measures data of another make. */
export function schemaMarker(): string {
  const source = new URL('../packages/server/src/', import.meta.url);
  const migrations = readdirSync(new URL('store/migrations/', source)).sort();
  const digest = createHash('sha256');
  const makers = ['domain/clients/sample-clients.ts', 'store/clients/client-index/levels.ts'];
  for (const name of [...migrations.map((each) => `store/migrations/${each}`), ...makers]) {
    digest.update(readFileSync(new URL(name, source)));
  }
  return digest.digest('hex').slice(0, 12);
}

/** Removes what earlier makes, or an interrupted run, left under this name. */
export function forget(prefix: string): void {
  if (!existsSync(DATA)) return;
  for (const name of readdirSync(DATA)) {
    if (name.startsWith(prefix)) rmSync(join(DATA, name), { recursive: true, force: true });
  }
}
