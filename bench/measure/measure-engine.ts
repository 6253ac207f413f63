import { createReadStream } from 'node:fs';
import { ENGINE_TITLES } from '../engines.ts';
import { MILLION } from '../options.ts';
import { preparePostgres } from '../peers/bench-postgres.ts';
import { type RollcallServer, type ServedData, startRollcall, startServers } from '../peers/servers.ts';
import type { PreparedData } from '../prepare-data.ts';
import { formatCount } from '../report/format.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import { measureLists } from './measure-lists.ts';
import { measureMemory } from './measure-memory.ts';
import { measureQuestions } from './measure-questions.ts';
import { measureSearches } from './measure-searches.ts';
import { measureWalk } from './measure-walk.ts';
import { withPostgres } from './with-postgres.ts';

/** Measures lists, questions and searches on SQLite at one size. */
export async function measureSqlite(
  bench: Bench,
  { clients, ...data }: PreparedData,
  isLargest: boolean,
): Promise<void> {
  await readIntoMemory(data.file);
  return measureSize(bench, clients, { engine: 'sqlite', ...data }, isLargest);
}

/** Otherwise what is measured first, or is the only one to read a part of the file, would wait for the disk. */
async function readIntoMemory(file: string): Promise<void> {
  for await (const _part of createReadStream(file, { highWaterMark: 1 << 20 }));
}

/** The same on PostgreSQL, up to one million clients. */
export function measurePostgres(bench: Bench, all: PreparedData[]): Promise<void> {
  return withPostgres(bench, 'lists, questions and searches', async (server) => {
    for (const prepared of all.filter(({ clients }) => clients <= MILLION)) {
      reportProgress(`Copying ${formatCount(prepared.clients)} clients to PostgreSQL`);
      await measureSize(bench, prepared.clients, await preparePostgres(server, prepared), false);
    }
  });
}

async function measureSize(bench: Bench, clients: number, data: ServedData, isLargest: boolean): Promise<void> {
  reportProgress(`${ENGINE_TITLES[data.engine]}, ${formatCount(clients)} clients`);
  const { parts } = bench.options;
  if (parts.includes('lists')) {
    const servers = await startServers(data);
    try {
      await measureLists(bench, clients, servers, data.apiKey);
      if (clients === MILLION) await measureWalk(bench, clients, servers);
      if (isLargest) measureMemory(bench.results, servers.cached);
    } finally {
      await servers.stop();
    }
  }
  if (parts.includes('questions')) {
    await withUncached(data, (server) => measureQuestions(bench, clients, server));
  }
  if (parts.includes('searches')) {
    await withUncached(data, (server) => measureSearches(bench, clients, server, data.password));
  }
}

async function withUncached(data: ServedData, measure: (server: RollcallServer) => Promise<void>): Promise<void> {
  const server = await startRollcall('uncached', data);
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
}
