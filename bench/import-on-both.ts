// Measures an import on both engines in turn, and how it slows requests down on PostgreSQL:
// `node bench/import-on-both.ts [clients] [turns]`. Other programs on the machine slow both down, so compare only the two.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { probeDuring } from './measure/probe-during.ts';
import { SCRATCH } from './paths.ts';
import { exchange } from './peers/api-calls.ts';
import { createAccount, rollcall, serve, WORKSPACE } from './peers/rollcall.ts';
import { addSample } from './prepare-data.ts';
import { reportProgress } from './report/progress.ts';

const CLIENTS = Number(process.argv[2] ?? 100_000);
const TURNS = Number(process.argv[3] ?? 3);
const UNDISTURBED_MS = 10_000;

mkdirSync(SCRATCH, { recursive: true });
const folder = mkdtempSync(join(SCRATCH, 'import-'));
const server = await PostgresServer.start();
try {
  const file = await writeClients();
  for (let turn = 1; turn <= TURNS; turn++) {
    const sqlite = await importInto('SQLite', `sqlite:${join(folder, `turn-${turn}`, 'rollcall.db')}`, file);
    const postgres = await importInto('PostgreSQL', await newDatabase(), file);
    reportProgress(`turn ${turn}: ${(postgres / sqlite).toFixed(2)} times as long on PostgreSQL`);
  }
  await readDuringImport(file);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function writeClients(): Promise<string> {
  const databaseUrl = `sqlite:${join(folder, 'source', 'rollcall.db')}`;
  await createAccount(databaseUrl);
  await addSample(databaseUrl, CLIENTS);
  const file = join(folder, 'clients.csv');
  const output = openSync(file, 'w');
  await rollcall(databaseUrl, ['export', ...WORKSPACE], { output });
  closeSync(output);
  rmSync(join(folder, 'source'), { recursive: true });
  return file;
}

async function newDatabase(): Promise<string> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = await server.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return server.url(name);
}

async function importInto(engine: string, databaseUrl: string, file: string): Promise<number> {
  await createAccount(databaseUrl);
  const { seconds, cpuSeconds, peakMb } = await rollcall(databaseUrl, ['import', file, ...WORKSPACE, '--json']);
  reportProgress(
    `${engine}: ${seconds.toFixed(1)} s; the command itself used ${cpuSeconds.toFixed(1)} s of processor time and ${peakMb} MB`,
  );
  return seconds;
}

async function readDuringImport(file: string): Promise<void> {
  const databaseUrl = await newDatabase();
  const { apiKey } = await createAccount(databaseUrl);
  const serving = await serve('import-on-both', databaseUrl, { ROLLCALL_PAGE_CACHE_MB: '0' });
  try {
    const token = await exchange(serving.address, apiKey);
    const service = { address: serving.address, token };
    const during = await probeDuring(service, () => rollcall(databaseUrl, ['import', file, ...WORKSPACE, '--json']));
    const after = await probeDuring(service, () => sleep(UNDISTURBED_MS));
    for (const [when, waits] of Object.entries({ 'during an import': during, undisturbed: after })) {
      reportProgress(
        `a page ${when}: median ${waits.medianMs.toFixed(1)} ms, mean ${waits.meanMs.toFixed(1)} ms, ${waits.requests} requests`,
      );
    }
    reportProgress(`${(during.medianMs / after.medianMs).toFixed(2)} times as long during an import, by the median`);
  } finally {
    await serving.stop();
  }
}
