import { forkScript, nextMessage, stop } from '../child-processes.ts';
import type { EngineName } from '../engines.ts';
import type { MeasuredProcesses } from '../measure/load-generator.ts';
import type { ServerName } from '../report/results.ts';
import { bearer, exchange } from './api-calls.ts';
import { type Credentials, serve } from './rollcall.ts';

/** A database with an account, and how the servers reach it. */
export interface ServedData extends Credentials {
  engine: EngineName;
  databaseUrl: string;
  /** The database file, on SQLite. */
  file?: string;
  /** The first process of the database server, if there is one on this machine. */
  databasePid?: number | undefined;
}

/** A server that is measured. */
export interface BenchServer extends MeasuredProcesses {
  engine: EngineName;
  row: ServerName;
  address: string;
  token: string;
  emptyLog(): void;
  stop(): Promise<void>;
}

const PAGE_CACHE_OFF = { ROLLCALL_PAGE_CACHE_MB: '0' };
/** Headers that Node adds itself. */
const AUTOMATIC_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** The service itself, which also has a dashboard. */
export interface RollcallServer extends BenchServer {
  dashboard: string;
}

export async function startRollcall(
  row: 'cached' | 'uncached',
  data: Omit<ServedData, 'password'>,
): Promise<RollcallServer> {
  const { engine, databaseUrl, apiKey, databasePid } = data;
  const serving = await serve(`${engine}-${row}`, databaseUrl, row === 'cached' ? {} : PAGE_CACHE_OFF);
  return { engine, row, databasePid, ...serving, token: await exchange(serving.address, apiKey) };
}

export function startUsualServer(file: string, token: string): Promise<BenchServer> {
  return startPeer('usual', 'usual-server.ts', [file, token], { engine: 'sqlite', token });
}

/** Reads the same rows as the service with the same driver, and does nothing else. */
export function startBareQueryServer(data: ServedData, token: string): Promise<BenchServer> {
  return startPeer('query', 'bare-query-server.ts', [data.databaseUrl], { ...data, token });
}

async function startPeer(
  row: ServerName,
  script: string,
  args: string[],
  { engine, token, databasePid }: Pick<BenchServer, 'engine' | 'token' | 'databasePid'>,
): Promise<BenchServer> {
  const child = forkScript(new URL(script, import.meta.url), args);
  const address = await nextMessage<string>(child);
  const pid = child.pid ?? 0;
  return { engine, row, address, pid, databasePid, token, emptyLog: () => {}, stop: () => stop(child) };
}

export interface Ceiling extends BenchServer {
  /** Makes it answer every request with the response that the given server sends for this path. */
  answerLike(address: string, path: string, headers: Record<string, string>): Promise<void>;
}

export async function startCeilingServer(engine: EngineName, token: string): Promise<Ceiling> {
  const child = forkScript(new URL('ceiling-server.ts', import.meta.url));
  const address = await nextMessage<string>(child);
  return {
    engine,
    row: 'ceiling',
    address,
    pid: child.pid ?? 0,
    token,
    emptyLog: () => {},
    stop: () => stop(child),
    answerLike: async (model, path, headers) => {
      const response = await fetch(model + path, { headers });
      const kept = [...response.headers].filter(([name]) => !AUTOMATIC_HEADERS.has(name));
      const confirmed = nextMessage(child);
      child.send({ body: await response.text(), headers: kept });
      await confirmed;
    },
  };
}

export interface ServerSet {
  ceiling: Ceiling;
  /** Only on SQLite: it shows what a list costs that is not counted, which is the same on both engines. */
  usual?: BenchServer;
  query: BenchServer;
  cached: BenchServer;
  uncached: BenchServer;
  stop(): Promise<void>;
}

/** Starts all servers at once on one database. Idle servers cost nothing. */
export async function startServers(data: ServedData): Promise<ServerSet> {
  const cached = await startRollcall('cached', data);
  const uncached = await startRollcall('uncached', data);
  const query = await startBareQueryServer(data, cached.token);
  const ceiling = await startCeilingServer(data.engine, cached.token);
  const usual = data.file === undefined ? undefined : await startUsualServer(data.file, cached.token);
  const all = [ceiling, query, cached, uncached, ...(usual ? [usual] : [])];
  return {
    ceiling,
    ...(usual && { usual }),
    query,
    cached,
    uncached,
    stop: async () => {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}

export function authorizationOf({ token }: BenchServer): Record<string, string> {
  return bearer(token);
}
