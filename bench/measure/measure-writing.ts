import { closeSync, mkdirSync, openAsBlob, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Rollcall } from '../../packages/client/src/index.ts';
import { forkScript, nextMessage } from '../child-processes.ts';
import { type EngineName, onEngine } from '../engines.ts';
import { SCRATCH } from '../paths.ts';
import { bearer, exchange } from '../peers/api-calls.ts';
import { withNewDatabase } from '../peers/bench-postgres.ts';
import { createAccount, rollcall, serve, WORKSPACE } from '../peers/rollcall.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import { SERIAL } from './load.ts';
import { probeDuring } from './probe-during.ts';
import { withPostgres } from './with-postgres.ts';
import { writeShuffled } from './write-shuffled.ts';

export const CREATES = 'clients created one by one, relative to bare inserts';
export const IMPORT_OVER_HTTP = 'import over HTTP, relative to rollcall import';
export const LONGEST_CHANGE = 'longest wait of a change during an import over HTTP';
export const LONGEST_RARE_CHANGE = 'longest wait of a rare change during an import of shuffled rows over HTTP';

/** Enough callers that changes share their commits, and that some are answered while those of others are written. */
const CONNECTIONS = 200;
const IMPORTED_MAX = 100_000;

/** So rarely that an import forgets in between that somebody waits. */
const RARE_MS = 400;

type WithDatabase = (work: (databaseUrl: string) => Promise<void>) => Promise<void>;

/** Measures changes over HTTP beside the least that they could cost, in turns, each time on new databases. */
export async function measureWriting(bench: Bench): Promise<void> {
  const folder = join(SCRATCH, 'writing');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const file = await writeFile(folder, Math.min(IMPORTED_MAX, bench.options.sizes.at(-1) ?? 0));
    if (bench.options.engines.includes('sqlite')) await measureOn(bench, 'sqlite', newFiles(folder), file);
    if (bench.options.engines.includes('postgres')) {
      await withPostgres(bench, CREATES, (server) =>
        measureOn(bench, 'postgres', (work) => withNewDatabase(server, work), file),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file of clients that an import adds all of. */
interface ClientsFile {
  path: string;
  shuffled: string;
  clients: number;
}

async function writeFile(folder: string, clients: number): Promise<ClientsFile> {
  const databaseUrl = `sqlite:${join(folder, 'sample', 'rollcall.db')}`;
  await createAccount(databaseUrl);
  await rollcall(databaseUrl, ['sample', ...WORKSPACE, '--clients', String(clients)]);
  const path = join(folder, 'clients.csv');
  const output = openSync(path, 'w');
  await rollcall(databaseUrl, ['export', ...WORKSPACE], { output });
  closeSync(output);
  const shuffled = join(folder, 'shuffled.csv');
  writeShuffled(path, shuffled);
  return { path, shuffled, clients };
}

function newFiles(folder: string): WithDatabase {
  return async (work) => {
    await work(`sqlite:${join(folder, 'database', 'rollcall.db')}`);
    rmSync(join(folder, 'database'), { recursive: true });
  };
}

async function measureOn(
  bench: Bench,
  engine: EngineName,
  withDatabase: WithDatabase,
  file: ClientsFile,
): Promise<void> {
  reportProgress(onEngine(engine, 'writing over HTTP'));
  await measureCreates(bench, engine, withDatabase);
  await measureImportOverHttp(bench, engine, withDatabase, file);
  await measureWaits(bench, onEngine(engine, LONGEST_CHANGE), withDatabase, file);
  const shuffled = { ...file, path: file.shuffled };
  await measureWaits(bench, onEngine(engine, LONGEST_RARE_CHANGE), withDatabase, shuffled, RARE_MS);
}

async function measureCreates(bench: Bench, engine: EngineName, withDatabase: WithDatabase): Promise<void> {
  const { options, results } = bench;
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 1; round <= options.rounds; round++) {
    await withDatabase(async (databaseUrl) => {
      await createAccount(databaseUrl);
      bare.push(await bareRate([databaseUrl, String(options.seconds), String(round)]));
    });
    await withDatabase((databaseUrl) =>
      withService(databaseUrl, async (service) => {
        // V8 compiles the hot code first, as in the other measurements.
        await createOverHttp(bench, service, 0);
        ours.push(await createOverHttp(bench, service, round));
      }),
    );
  }
  const note = `${median(ours).toFixed(0)} and ${median(bare).toFixed(0)} a second`;
  results.addFigure(onEngine(engine, CREATES), median(ours) / median(bare), '×', note);
  reportProgress(`  ${CREATES}: ${(median(ours) / median(bare)).toFixed(2)} (${note})`);
}

async function createOverHttp(
  { generator, options }: Bench,
  { address, token, pid }: WritingService,
  seed: number,
): Promise<number> {
  const client = {
    email: `c${SERIAL}@mail.example`,
    client_name: 'Ada Abebe',
    client_type: 'individual',
    group_name: 'Small business',
  };
  const load = {
    address,
    choices: [{ path: '/api/v1/clients/', body: JSON.stringify(client) }],
    headers: { ...bearer(token), 'content-type': 'application/json' },
    connections: CONNECTIONS,
    seconds: options.seconds,
    seed,
  };
  return (await generator.run(load, { pid })).perSecond;
}

async function bareRate(args: string[]): Promise<number> {
  const child = forkScript(new URL('../peers/bare-creates.ts', import.meta.url), args);
  const { perSecond } = await nextMessage<{ perSecond: number }>(child);
  return perSecond;
}

async function measureImportOverHttp(
  { options, results }: Bench,
  engine: EngineName,
  withDatabase: WithDatabase,
  file: ClientsFile,
): Promise<void> {
  const [overHttp, byCommand]: [number[], number[]] = [[], []];
  for (let round = 1; round <= options.rounds; round++) {
    await withDatabase(async (databaseUrl) => {
      await createAccount(databaseUrl);
      byCommand.push((await rollcall(databaseUrl, ['import', file.path, ...WORKSPACE, '--json'])).seconds);
    });
    await withDatabase((databaseUrl) =>
      withService(databaseUrl, async (service) => {
        const start = performance.now();
        await importOverHttp(service, file);
        overHttp.push((performance.now() - start) / 1000);
      }),
    );
  }
  const note = `${file.clients} clients in ${median(overHttp).toFixed(1)} and ${median(byCommand).toFixed(1)} s`;
  results.addFigure(onEngine(engine, IMPORT_OVER_HTTP), median(byCommand) / median(overHttp), '×', note);
  reportProgress(`  ${IMPORT_OVER_HTTP}: ${(median(byCommand) / median(overHttp)).toFixed(2)} (${note})`);
}

async function measureWaits(
  { results }: Bench,
  name: string,
  withDatabase: WithDatabase,
  file: ClientsFile,
  restMs?: number,
): Promise<void> {
  await withDatabase((databaseUrl) =>
    withService(databaseUrl, async (service) => {
      const { longestMs, medianMs, requests } = await probeDuring(
        service,
        () => importOverHttp(service, file),
        'probe-changes.ts',
        restMs,
      );
      const note = `of ${requests} changes, median ${medianMs.toFixed(1)} ms`;
      results.addFigure(name, longestMs, 'ms', note);
      reportProgress(`  ${name}: ${longestMs.toFixed(0)} ms (${note})`);
    }),
  );
}

interface WritingService {
  address: string;
  token: string;
  apiKey: string;
  pid: number;
}

async function withService(databaseUrl: string, work: (service: WritingService) => Promise<void>): Promise<void> {
  const { apiKey } = await createAccount(databaseUrl);
  const serving = await serve('writing', databaseUrl);
  try {
    const { address, pid } = serving;
    await work({ address, pid, apiKey, token: await exchange(address, apiKey) });
  } finally {
    await serving.stop();
  }
}

async function importOverHttp({ address, apiKey }: WritingService, { path, clients }: ClientsFile): Promise<void> {
  const { imports } = new Rollcall({ apiKey, baseUrl: address });
  const { inserted } = await imports.wait(await imports.create(await openAsBlob(path)), { pollMs: 100 });
  if (inserted !== clients) throw new Error(`${inserted} of ${clients} clients were inserted.`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
