import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA } from './paths.ts';
import { type Credentials, createAccount, rollcall, WORKSPACE } from './peers/rollcall.ts';

/** More than a list may name. */
const GROUPS = 24;

export interface PreparedData extends Credentials {
  clients: number;
  file: string;
  databaseUrl: string;
  /** How long the preparation took, also if it was done in an earlier run. */
  preparedInSeconds: number;
}

/** A database with this many sample clients, created with the program itself or kept from an earlier run. */
export async function prepareData(clients: number): Promise<PreparedData> {
  const folder = join(DATA, `sqlite-${clients}-${dataVersion()}`);
  const [file, manifest] = [join(folder, 'rollcall.db'), join(folder, 'prepared.json')];
  if (!existsSync(manifest)) {
    removeOldData(`sqlite-${clients}-`);
    mkdirSync(folder, { recursive: true });
    const start = performance.now();
    const credentials = await createAccount(`sqlite:${file}`);
    await addSample(`sqlite:${file}`, clients);
    const preparedInSeconds = (performance.now() - start) / 1000;
    // Written last and then renamed, so that a folder without it is known to be incomplete.
    writeFileSync(`${manifest}.part`, JSON.stringify({ ...credentials, preparedInSeconds }));
    renameSync(`${manifest}.part`, manifest);
  }
  const kept = JSON.parse(readFileSync(manifest, 'utf8')) as Credentials & Pick<PreparedData, 'preparedInSeconds'>;
  return { clients, file, databaseUrl: `sqlite:${file}`, ...kept };
}

export async function addSample(databaseUrl: string, clients: number): Promise<void> {
  await rollcall(databaseUrl, ['sample', ...WORKSPACE, '--clients', String(clients), '--groups', String(GROUPS)]);
}

/** Changes with the tables, the index and the sample clients, so that outdated data is not measured. */
export function dataVersion(): string {
  const source = new URL('../packages/server/src/', import.meta.url);
  const migrations = readdirSync(new URL('store/migrations/', source)).sort();
  const digest = createHash('sha256').update(String(GROUPS));
  const makers = ['domain/clients/sample-clients.ts', 'store/clients/client-index/levels.ts'];
  for (const name of [...migrations.map((each) => `store/migrations/${each}`), ...makers]) {
    digest.update(readFileSync(new URL(name, source)));
  }
  return digest.digest('hex').slice(0, 12);
}

/** Removes outdated data with this prefix, and data that an interrupted run left. */
export function removeOldData(prefix: string): void {
  if (!existsSync(DATA)) return;
  for (const name of readdirSync(DATA)) {
    if (name.startsWith(prefix)) rmSync(join(DATA, name), { recursive: true, force: true });
  }
}
