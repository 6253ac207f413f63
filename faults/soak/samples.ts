import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cpuSeconds, residentMb } from '../../bench/measure/process-usage.ts';
import type { PostgresServer } from '../../packages/server/src/testing/postgres-server.ts';
import type { Node } from './service.ts';
import type { Tally } from './statistics.ts';

/** One process of the service. */
export interface ProcessSample {
  pid: number;
  residentMb: number;
  handles: number;
  threads: number;
}

export interface StorageSample {
  databaseMb: number;
  /** The write-ahead log. */
  logMb: number;
  /** On PostgreSQL: the connections of the service. */
  connections?: number;
}

/** The state of a run at the end of a minute. */
export interface Sample extends Tally {
  minute: number;
  clients: number;
  processes: ProcessSample[];
  storage: StorageSample;
  /** The share of one core that all processes of the service used. */
  cores: number;
}

/** The processes that are running; one that is being started or ends right now is left out. */
export function sampleProcesses(nodes: readonly Node[]): ProcessSample[] {
  return nodes.flatMap((node) => node.pids.flatMap(sampleProcess));
}

function sampleProcess(pid: number): ProcessSample[] {
  try {
    const threads = Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const handles = readdirSync(`/proc/${pid}/fd`).length;
    return [{ pid, residentMb: residentMb(pid)?.now ?? 0, handles, threads }];
  } catch {
    return [];
  }
}

/** The processor time of all processes of the service, in seconds. A restarted node begins again. */
export function cpuOf(nodes: readonly Node[]): Map<number, number> {
  return new Map(nodes.map(({ pids: [pid = 0] }) => [pid, cpuSeconds(pid) ?? 0]));
}

export function coresBetween(before: Map<number, number>, after: Map<number, number>, seconds: number): number {
  const used = [...after].reduce((sum, [pid, now]) => sum + Math.max(0, now - (before.get(pid) ?? 0)), 0);
  return Number((used / seconds).toFixed(3));
}

export function sampleFile(path: string): StorageSample {
  return { databaseMb: megabytes(sizeOf(path)), logMb: megabytes(sizeOf(`${path}-wal`)) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export async function sampleServer(server: PostgresServer): Promise<StorageSample> {
  const admin = await server.connect();
  try {
    const { rows } = await admin.query<{ database: string; log: string; connections: number }>(
      `select pg_database_size(current_database()) as database, (select sum(size) from pg_ls_waldir()) as log,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') - 1 as connections`,
    );
    const { database = 0, log = 0, connections = 0 } = rows[0] ?? {};
    return { databaseMb: megabytes(Number(database)), logMb: megabytes(Number(log)), connections };
  } finally {
    await admin.end();
  }
}

function megabytes(bytes: number): number {
  return Number((bytes / 2 ** 20).toFixed(1));
}
