import type { PageCache } from './api/clients/index.ts';
import { type Config, engineOf } from './config.ts';
import type { ExportSlots, OpenJobs, SearchQueue } from './domain/clients/index.ts';
import type { ConcurrencyLimit } from './domain/concurrency-limit.ts';
import type { RateLimits } from './domain/credentials/index.ts';
import type { Backlog } from './http/backlog.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import type { RequestQueue } from './http/request-queue.ts';
import { type MeteredParts, ServiceMetrics } from './metrics/service-metrics.ts';
import { packageVersion } from './package-folder.ts';
import type { Store } from './store/open-store.ts';

/** What may refuse requests. */
interface Limits {
  rateLimits: RateLimits;
  backlog: Backlog;
  requestQueue: RequestQueue;
  concurrencyLimit: ConcurrencyLimit;
  exportSlots: ExportSlots;
  searchQueue: SearchQueue;
}

interface MeteredService {
  store: Pick<Store, 'usage'> & CountedJobs;
  pageCache: PageCache;
  limits: Limits;
  lifecycle: Lifecycle;
  changeLagMs(): number;
  isDatabaseAvailable(): boolean;
  failedJobs: Readonly<Record<string, number>>;
  backups: MeteredParts['backups'];
}

/** Connects metrics with the parts of the service that know the numbers, if metrics are on. */
export function meterService(config: Config, service: MeteredService): ServiceMetrics | undefined {
  if (!config.metrics) return undefined;
  const { store, pageCache, limits, lifecycle, changeLagMs, isDatabaseAvailable, failedJobs, backups } = service;
  return new ServiceMetrics({
    build: { version: packageVersion(), engine: engineOf(config) },
    pageCache,
    limitsHit: () => limitsHit(limits),
    connections: () => lifecycle.connections.size,
    databaseUse: store.usage,
    isDatabaseAvailable,
    changeLagMs,
    openJobs: () => openJobsIn(store),
    failedJobs: () => failedJobs,
    backups,
  });
}

/** How many requests each limit has refused, by the names that metrics have for them. */
function limitsHit({
  rateLimits,
  backlog,
  requestQueue,
  concurrencyLimit,
  exportSlots,
  searchQueue,
}: Limits): Record<string, number> {
  return {
    api_calls: rateLimits.api.refused,
    token_exchanges: rateLimits.token.refused,
    failed_exchanges: rateLimits.failed.refused,
    overload: requestQueue.refused,
    unread_answers: backlog.refused.unreadAnswers,
    waiting_requests: backlog.refused.waitingRequests,
    arriving_bodies: backlog.refused.arrivingBodies,
    sign_ins: concurrencyLimit.refused,
    exports: exportSlots.refused,
    searches: searchQueue.refused,
  };
}

interface CountedJobs {
  imports: Pick<Store['imports'], 'countOpen'>;
  bulkChanges: Pick<Store['bulkChanges'], 'countOpen'>;
  mailQueue: Pick<Store['mailQueue'], 'count'>;
}

/** All are counted at the same time, because metrics do not wait for long. */
export async function openJobsIn({ imports, bulkChanges, mailQueue }: CountedJobs): Promise<Record<string, OpenJobs>> {
  const [ofImports, ofChanges, mails] = await Promise.all([
    imports.countOpen(),
    bulkChanges.countOpen(),
    mailQueue.count(),
  ]);
  return { import: ofImports, bulk_change: ofChanges, mail: { waiting: mails, running: 0 } };
}
