import { keyOf, type Reading } from './reading.ts';

const REQUESTS = 'rollcall_http_requests_total';
const BUCKETS = 'rollcall_http_request_duration_seconds_bucket';
const LIMITS = 'rollcall_limits_hit_total';
const ROUTE = ['listener', 'route'];
const SERIES = [...ROUTE, 'method', 'status'];
const BOUND = [...ROUTE, 'le'];

export interface RouteView {
  listener: string;
  route: string;
  perSecond: number;
  errorsPerSecond: number;
  /** Undefined without requests, infinite beyond the last bound. */
  p50Seconds: number | undefined;
  p99Seconds: number | undefined;
}

/** What has happened between two readings, and what is true at the second. */
export interface View {
  version: string;
  engine: string;
  node: string;
  upSeconds: number;
  processes: number;
  requestsPerSecond: number;
  /** The share of answers with a status of 500 or more. */
  errorShare: number;
  /** Undefined if no page was asked for. */
  pageCacheHitShare: number | undefined;
  pageCacheBytes: number;
  indexBytes: number;
  connections: number;
  cores: number;
  memoryBytes: number;
  heapShare: number;
  loopDelaySeconds: number;
  lagSeconds: number;
  isDatabaseAvailable: boolean;
  waitingForDatabase: number;
  jobs: { waiting: number; running: number; failed: number };
  /** Refused requests per second, by limit. */
  limits: { limit: string; perSecond: number }[];
  /** The busiest first. */
  routes: RouteView[];
}

export function viewOf(before: Reading, now: Reading, epochSeconds: number): View {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  const rate = (name: string, labels = {}) => grown(before.sum(name, labels), now.sum(name, labels)) / seconds;
  const build = now.samples('rollcall_build_info')[0]?.labels ?? {};
  const routes = routesOf(before, now, seconds);
  const requests = rate(REQUESTS);
  const errors = routes.reduce((sum, { errorsPerSecond }) => sum + errorsPerSecond, 0);
  const [hits, misses] = [rate('rollcall_page_cache_hits_total'), rate('rollcall_page_cache_misses_total')];
  return {
    version: build.version ?? '',
    engine: build.engine ?? '',
    node: build.node ?? '',
    upSeconds: Math.max(0, epochSeconds - now.sum('process_start_time_seconds')),
    processes: now.sum('rollcall_serving_processes'),
    requestsPerSecond: requests,
    errorShare: requests === 0 ? 0 : errors / requests,
    pageCacheHitShare: hits + misses === 0 ? undefined : hits / (hits + misses),
    pageCacheBytes: now.sum('rollcall_page_cache_bytes'),
    indexBytes: now.sum('rollcall_index_memory_bytes'),
    connections: now.sum('rollcall_connections'),
    cores: rate('process_cpu_seconds_total'),
    memoryBytes: now.sum('process_resident_memory_bytes'),
    heapShare: now.sum('rollcall_heap_used_bytes') / (now.sum('rollcall_heap_limit_bytes') || 1),
    loopDelaySeconds: now.sum('rollcall_event_loop_delay_seconds', { percentile: '99' }),
    lagSeconds: now.sum('rollcall_change_lag_seconds'),
    isDatabaseAvailable: now.sum('rollcall_database_available') === 1,
    waitingForDatabase: now.sum('rollcall_database_waiting'),
    jobs: {
      waiting: now.sum('rollcall_jobs', { state: 'waiting' }),
      running: now.sum('rollcall_jobs', { state: 'running' }),
      failed: now.sum('rollcall_jobs_failed_total'),
    },
    limits: limitsOf(before, now, seconds),
    routes,
  };
}

function limitsOf(before: Reading, now: Reading, seconds: number): View['limits'] {
  const growth = growthOf(before, now, LIMITS, ['limit']);
  return now
    .samples(LIMITS)
    .map(({ labels }) => ({ limit: labels.limit ?? '', perSecond: growth(labels) / seconds }))
    .filter(({ perSecond }) => perSecond > 0);
}

function routesOf(before: Reading, now: Reading, seconds: number): RouteView[] {
  const requests = growthOf(before, now, REQUESTS, SERIES);
  const durations = growthOf(before, now, BUCKETS, BOUND);
  const byRoute = Map.groupBy(now.samples(REQUESTS), ({ labels }) => keyOf(labels, ROUTE));
  const bucketsByRoute = Map.groupBy(now.samples(BUCKETS), ({ labels }) => keyOf(labels, ROUTE));
  return [...byRoute]
    .map(([key, samples]): RouteView => {
      const { listener = '', route = '' } = samples[0]?.labels ?? {};
      const bounds = new Set(bucketsByRoute.get(key)?.map(({ labels }) => labels.le ?? ''));
      const buckets = bucketsOf(bounds, (le) => durations({ listener, route, le }));
      const perSecond = ({ labels }: (typeof samples)[number]) => requests(labels) / seconds;
      return {
        listener,
        route,
        perSecond: samples.reduce((sum, sample) => sum + perSecond(sample), 0),
        errorsPerSecond: samples
          .filter(({ labels }) => labels.status?.startsWith('5'))
          .reduce((sum, sample) => sum + perSecond(sample), 0),
        p50Seconds: quantile(0.5, buckets),
        p99Seconds: quantile(0.99, buckets),
      };
    })
    .filter(({ perSecond }) => perSecond > 0)
    .sort((a, b) => b.perSecond - a.perSecond || a.route.localeCompare(b.route));
}

/** How much the counters with the same values of these labels have grown. All are added up at once, because there can be many. */
function growthOf(
  before: Reading,
  now: Reading,
  name: string,
  labelNames: readonly string[],
): (labels: Readonly<Record<string, string>>) => number {
  const [sumsBefore, sums] = [before.sums(name, labelNames), now.sums(name, labelNames)];
  return (labels) => {
    const key = keyOf(labels, labelNames);
    return grown(sumsBefore.get(key) ?? 0, sums.get(key) ?? 0);
  };
}

export interface Bucket {
  upToSeconds: number;
  /** How many took no longer than that. */
  count: number;
}

function bucketsOf(bounds: Iterable<string>, countOf: (le: string) => number): Bucket[] {
  return [...bounds]
    .map((le) => ({ upToSeconds: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count: countOf(le) }))
    .sort((a, b) => a.upToSeconds - b.upToSeconds);
}

/** As Prometheus estimates it: within a bucket, durations are assumed to be spread evenly. */
export function quantile(share: number, buckets: readonly Bucket[]): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (total === 0) return undefined;
  const rank = share * total;
  const index = buckets.findIndex(({ count }) => count >= rank);
  const { upToSeconds, count } = buckets[index] ?? { upToSeconds: Number.POSITIVE_INFINITY, count: total };
  if (upToSeconds === Number.POSITIVE_INFINITY) return upToSeconds;
  const lower = buckets[index - 1] ?? { upToSeconds: 0, count: 0 };
  const part = (rank - lower.count) / (count - lower.count);
  return lower.upToSeconds + part * (upToSeconds - lower.upToSeconds);
}

/** A counter that has fallen began again at zero, because the service was restarted. */
function grown(before: number, now: number): number {
  return now >= before ? now - before : now;
}
