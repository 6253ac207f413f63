import { forkScript, nextMessage, stop } from '../child-processes.ts';
import type { Prepared } from '../prepare-data.ts';
import type { Row } from '../report/results.ts';
import { bearer, exchange } from './api.ts';
import { type Serving, serve } from './rollcall.ts';

/** A server that is measured. */
export interface Contender {
  row: Row;
  address: string;
  pid: number;
  token: string;
  emptyLog(): void;
  stop(): Promise<void>;
}

const PAGE_CACHE_OFF = { ROLLCALL_PAGE_CACHE_MB: '0' };
/** Node adds these by itself. */
const AUTOMATIC_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length']);

export async function startOurs(
  row: 'cached' | 'uncached' | 'postgres',
  { databaseUrl, apiKey }: Pick<Prepared, 'databaseUrl' | 'apiKey'>,
): Promise<Contender> {
  const serving: Serving = await serve(row, databaseUrl, row === 'cached' ? {} : PAGE_CACHE_OFF);
  return { row, ...serving, token: await exchange(serving.address, apiKey) };
}

export async function startUsual(file: string, token: string): Promise<Contender> {
  const child = forkScript(new URL('usual-server.ts', import.meta.url), [file, token]);
  const address = await nextMessage<string>(child);
  return { row: 'usual', address, pid: child.pid ?? 0, token, emptyLog: () => {}, stop: () => stop(child) };
}

export interface Ceiling extends Contender {
  /** From now on it answers everything as this server answers this. */
  answerLike(address: string, path: string, headers: Record<string, string>): Promise<void>;
}

export async function startCeiling(token: string): Promise<Ceiling> {
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
      const told = nextMessage(child);
      child.send({ body: await response.text(), headers: kept });
      await told;
    },
  };
}

export interface Field {
  ceiling: Ceiling;
  usual: Contender;
  cached: Contender;
  uncached: Contender;
  stop(): Promise<void>;
}

/** All of them at once, on one database; those that are not asked cost nothing. */
export async function startField(prepared: Prepared): Promise<Field> {
  const cached = await startOurs('cached', prepared);
  const uncached = await startOurs('uncached', prepared);
  const usual = await startUsual(prepared.file, cached.token);
  const ceiling = await startCeiling(cached.token);
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

export function headersFor({ token }: Contender): Record<string, string> {
  return bearer(token);
}
