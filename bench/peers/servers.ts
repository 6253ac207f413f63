import { forkScript, nextMessage, stop } from '../child-processes.ts';
import type { PreparedData } from '../prepare-data.ts';
import type { ServerName } from '../report/results.ts';
import { bearer, exchange } from './api-calls.ts';
import { type RunningService, serve } from './rollcall.ts';

/** A server that is measured. */
export interface BenchServer {
  row: ServerName;
  address: string;
  pid: number;
  token: string;
  emptyLog(): void;
  stop(): Promise<void>;
}

const PAGE_CACHE_OFF = { ROLLCALL_PAGE_CACHE_MB: '0' };
/** Headers that Node adds itself. */
const AUTOMATIC_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length']);

export async function startRollcall(
  row: 'cached' | 'uncached' | 'postgres',
  { databaseUrl, apiKey }: Pick<PreparedData, 'databaseUrl' | 'apiKey'>,
): Promise<BenchServer> {
  const serving: RunningService = await serve(row, databaseUrl, row === 'cached' ? {} : PAGE_CACHE_OFF);
  return { row, ...serving, token: await exchange(serving.address, apiKey) };
}

export async function startUsualServer(file: string, token: string): Promise<BenchServer> {
  const child = forkScript(new URL('usual-server.ts', import.meta.url), [file, token]);
  const address = await nextMessage<string>(child);
  return { row: 'usual', address, pid: child.pid ?? 0, token, emptyLog: () => {}, stop: () => stop(child) };
}

export interface Ceiling extends BenchServer {
  /** Makes it answer every request with the response that the given server sends for this path. */
  answerLike(address: string, path: string, headers: Record<string, string>): Promise<void>;
}

export async function startCeilingServer(token: string): Promise<Ceiling> {
  const child = forkScript(new URL('ceiling-server.ts', import.meta.url));
  const address = await nextMessage<string>(child);
  return {
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
  usual: BenchServer;
  cached: BenchServer;
  uncached: BenchServer;
  stop(): Promise<void>;
}

/** Starts all servers at once on one database. Idle servers cost nothing. */
export async function startServers(prepared: PreparedData): Promise<ServerSet> {
  const cached = await startRollcall('cached', prepared);
  const uncached = await startRollcall('uncached', prepared);
  const usual = await startUsualServer(prepared.file, cached.token);
  const ceiling = await startCeilingServer(cached.token);
  const all = [ceiling, usual, cached, uncached];
  return {
    ceiling,
    usual,
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
