import { setTimeout as sleep } from 'node:timers/promises';
import { LoopMonitor } from './event-loop.ts';
import { counter, gauge, type Metric, type ProcessMetrics, type Sample, samplesBy } from './metric.ts';
import { processCounters, processGauges } from './process-metrics.ts';
import { RequestMeter, requestMetrics } from './request-meter.ts';

/** Well below the time for which the primary process waits for a worker: a slow database must not cost it all other gauges. */
const JOBS_TIMEOUT_MS = 1000;

/** How the connections to the database are used, by what they are for. */
interface PoolUse {
  pool: string;
  used: number;
  idle: number;
  waiting: number;
  max: number;
}

interface OpenJobs {
  waiting: number;
  running: number;
}

/** What the service knows about itself. Everything is asked for only when metrics are read. */
export interface MeteredParts {
  build: { version: string; engine: string };
  pageCache: { hits: number; misses: number; readonly bytes: number };
  /** How many requests were refused, by limit. */
  limitsHit(): Readonly<Record<string, number>>;
  connections(): number;
  databaseUse(): { indexBytes: number; pools: readonly PoolUse[] };
  isDatabaseAvailable(): boolean;
  changeLagMs(): number;
  /** By kind. Fails if the database is unavailable. */
  openJobs(): Promise<Readonly<Record<string, OpenJobs>>>;
  failedJobs(): Readonly<Record<string, number>>;
  /** Only in the process that makes backups, if one does. */
  backups(): { latestAt: number; everyMs: number } | undefined;
}

/** Counts what happens in one process that serves requests. */
export class ServiceMetrics implements ProcessMetrics {
  readonly #parts: MeteredParts;
  readonly #loop = new LoopMonitor();
  readonly #meters: RequestMeter[] = [];

  constructor(parts: MeteredParts) {
    this.#parts = parts;
  }

  newRequestMeter(listener: string): RequestMeter {
    const meter = new RequestMeter(listener);
    this.#meters.push(meter);
    return meter;
  }

  counters(): Metric[] {
    const { pageCache, limitsHit, failedJobs } = this.#parts;
    return [
      ...requestMetrics(this.#meters),
      counter(
        'rollcall_limits_hit_total',
        'Requests that were refused because of a limit.',
        samplesBy('limit', limitsHit()),
      ),
      counter('rollcall_page_cache_hits_total', 'Pages that were answered from memory.', pageCache.hits),
      counter('rollcall_page_cache_misses_total', 'Pages that had to be made.', pageCache.misses),
      counter('rollcall_jobs_failed_total', 'Jobs that have failed, by kind.', samplesBy('kind', failedJobs())),
      ...processCounters(),
    ];
  }

  async gauges(): Promise<Metric[]> {
    const { build, pageCache, connections, databaseUse, isDatabaseAvailable, changeLagMs } = this.#parts;
    const { indexBytes, pools } = databaseUse();
    return [
      gauge('rollcall_build_info', 'Always 1. The labels say what is running.', 'max', [
        { labels: { ...build, node: process.versions.node }, value: 1 },
      ]),
      gauge('rollcall_serving_processes', 'Processes that answer requests.', 'sum', 1),
      gauge('rollcall_connections', 'Open connections of callers.', 'sum', connections()),
      gauge('rollcall_page_cache_bytes', 'Memory of finished pages.', 'sum', pageCache.bytes),
      gauge('rollcall_index_memory_bytes', 'Memory of counted lists.', 'sum', indexBytes),
      ...poolGauges(pools),
      gauge(
        'rollcall_database_available',
        '1 if the database can be used normally, otherwise 0.',
        'min',
        isDatabaseAvailable() ? 1 : 0,
      ),
      gauge(
        'rollcall_change_lag_seconds',
        'For how long keys and changes by other processes may have been missed.',
        'max',
        changeLagMs() / 1000,
      ),
      ...this.#backupGauges(),
      ...(await this.#jobGauges()),
      ...(await processGauges(this.#loop.delay)),
    ];
  }

  stop(): void {
    this.#loop.stop();
  }

  #backupGauges(): Metric[] {
    const state = this.#parts.backups();
    if (!state) return [];
    return [
      gauge(
        'rollcall_backup_last_success_timestamp_seconds',
        'When the newest backup was made, or 0 if there is none.',
        'max',
        state.latestAt / 1000,
      ),
      gauge('rollcall_backup_interval_seconds', 'The time between two backups.', 'max', state.everyMs / 1000),
    ];
  }

  /** The jobs are in the database. When it is slow or unavailable, nothing is known about them, and other metrics are more important. */
  async #jobGauges(): Promise<Metric[]> {
    try {
      const overdue = sleep(JOBS_TIMEOUT_MS, undefined, { ref: false });
      const jobs = await Promise.race([this.#parts.openJobs(), overdue]);
      if (!jobs) return [];
      const values = Object.entries(jobs).flatMap(([kind, { waiting, running }]): Sample[] => [
        { labels: { kind, state: 'waiting' }, value: waiting },
        { labels: { kind, state: 'running' }, value: running },
      ]);
      return [gauge('rollcall_jobs', 'Jobs of the whole installation that are not over.', 'max', values)];
    } catch {
      return [];
    }
  }
}

function poolGauges(pools: readonly PoolUse[]): Metric[] {
  const by = (value: (use: PoolUse) => number, more = {}): Sample[] =>
    pools.map((use) => ({ labels: { pool: use.pool, ...more }, value: value(use) }));
  return [
    gauge('rollcall_database_connections', 'Connections to the database.', 'sum', [
      ...by(({ used }) => used, { state: 'used' }),
      ...by(({ idle }) => idle, { state: 'idle' }),
    ]),
    gauge(
      'rollcall_database_connections_max',
      'Connections that may be open.',
      'sum',
      by(({ max }) => max),
    ),
    gauge(
      'rollcall_database_waiting',
      'Requests and jobs that wait for a connection.',
      'sum',
      by(({ waiting }) => waiting),
    ),
  ];
}
