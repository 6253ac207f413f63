import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import { openApi } from './api/app.ts';
import { PageCache, RunningRequests } from './api/clients/index.ts';
import { type Config, ConfigError, type ListenerName } from './config.ts';
import { openConsole } from './console/app.ts';
import { FILE_TIMEOUTS } from './console/file-stream.ts';
import { BulkChangeRunner, ExportSlots, ImportRunner, type OpenJobs, SearchQueue } from './domain/clients/index.ts';
import { ConcurrencyLimit } from './domain/concurrency-limit.ts';
import {
  CallLeases,
  KeyDirectory,
  type KeyFacts,
  KeyUsageCounter,
  ListingCounter,
  type OnKeysChanged,
  openRateLimits,
  type RateLimits,
  type SharedBuckets,
  SigningKeyRing,
  TokenCache,
} from './domain/credentials/index.ts';
import { prepareSecret } from './domain/manage-secret.ts';
import { MemberWrites } from './domain/members/index.ts';
import { readImport } from './files/index.ts';
import { followChanges } from './follow-changes.ts';
import { Backlog } from './http/backlog.ts';
import { ForwardingNotice } from './http/forwarding-notice.ts';
import { Lifecycle, stopServers } from './http/lifecycle.ts';
import { type Log, openLog } from './http/log.ts';
import { RequestLog } from './http/request-log.ts';
import { RequestQueue } from './http/request-queue.ts';
import type { HttpServer } from './http/server.ts';
import { startMailDelivery } from './mail/mail-delivery.ts';
import { openSmtp } from './mail/smtp.ts';
import type { ProcessMetrics } from './metrics/metric.ts';
import { ServiceMetrics } from './metrics/service-metrics.ts';
import { openIdProvider } from './oidc/open-id-provider.ts';
import { PACKAGE_FOLDER, packageVersion } from './package-folder.ts';
import { startBackups } from './scheduled-backups.ts';
import type { Store } from './store/open-store.ts';
import type { Outage } from './store/outage-monitor.ts';
import type { Tracing } from './tracing/tracing.ts';
import { startUpkeep } from './upkeep.ts';

const PAGES_FOLDER = fileURLToPath(new URL('../dashboard/dist', PACKAGE_FOLDER));

/** Hashing passwords is slow on purpose. One at a time leaves the other cores to the API, and requests beyond the limit are refused. */
const SIGN_INS = {
  atOnce: 1,
  waitingMax: 100,
  refusal: 'Too many sign-ins at the moment. Try again in a few seconds.',
};

/** Limits of this process. The store can open two more snapshots, which dry runs of imports use. */
const EXPORTS = { perMember: 2, perAccount: 3, inAll: 4 };

/** What every member may change and the activity log keeps, such as their views and profile. Nobody needs more by hand. */
const MEMBER_WRITES_PER_MINUTE = 120;

/** A search that finds few clients takes milliseconds; one for a common word takes longer. A request that has to wait longer than `waitMs` is refused. */
const SEARCHES = { atOnce: 2, waitingPerMember: 4, waitingInAll: 50, waitMs: 15_000 };

export interface Service {
  /** The address of each listener. */
  addresses: Partial<Record<ListenerName, string>>;
  /** Only if metrics are on. */
  metrics: ProcessMetrics | undefined;
  /** Reports that the service is not ready and asks callers to reconnect, but keeps answering. */
  drain(): void;
  /** Stops accepting connections and finishes the requests in flight. Does not close the store. */
  stop(): Promise<void>;
}

/** The other processes on this machine that serve the same addresses. */
export interface OtherWorkers {
  /** Tells them that keys were changed. Resolves when all of them follow the change, and accept no token that has ended. */
  announceChangedKeys: OnKeysChanged;
  /** Calls the listener with the keys that another process has changed. */
  onChangedKeys(listener: (changed: readonly KeyFacts[]) => void): void;
  /** The buckets of rate limits, which the process that started the workers keeps for all of them. */
  sharedBuckets: SharedBuckets;
  /** Reports that this process may stop listening. Resolves when all processes that are stopping have stopped listening. */
  readyToClose(): Promise<void>;
}

/** Connects all parts of the service. This is the only place that knows all of them. */
export async function startService(
  config: Config,
  plainStore: Store,
  only: readonly ListenerName[],
  otherWorkers?: OtherWorkers,
): Promise<Service> {
  const pageCache = openPageCache(config);
  const log = openLog(config.logLevel);
  const { logger } = log;
  const tracing = await openTracing(config, logger);
  const store = tracing ? tracing.traceStore(plainStore) : plainStore;
  const clock = { now: () => Date.now() };
  const ttlSeconds = config.tokenTtlSeconds;
  await prepareSecret({ ...store, clock });
  const signingKeys = await SigningKeyRing.open({ ...store, clock });
  await removeRemains(store, logger);
  const keyDirectory = new KeyDirectory({ keys: store.keys, clock });
  // Before the first load: changes that were made earlier are already in the store.
  otherWorkers?.onChangedKeys((changed) => keyDirectory.follow(changed));
  await keyDirectory.load();
  const compatibility = { load: () => store.requireCompatible() };
  const changes = followChanges(
    store,
    [compatibility, keyDirectory, { load: loadAndReport(signingKeys, logger) }],
    logger,
  );
  let isDatabaseAvailable = true;
  const forgetOutages = store.onOutage((outage) => {
    isDatabaseAvailable = outage.endedAfterMs !== undefined;
    logOutage(outage, logger);
  });

  const calls = new KeyUsageCounter({ keyUsage: store.keyUsage, clock });
  const listings = new ListingCounter({ keyListings: store.keyListings, clock });
  const failedJobs = { import: 0, bulk_change: 0 };
  const importRunner = new ImportRunner({
    ...store,
    clock,
    readRows: readImport,
    onDefect: (error) => logger.error({ err: error }, 'an import was interrupted by an unexpected error'),
    onFailed: () => failedJobs.import++,
  });
  const bulkChangeRunner = new BulkChangeRunner({
    ...store,
    clock,
    onDefect: (error) =>
      logger.error({ err: error }, 'a change of many clients was interrupted by an unexpected error'),
    onFailed: () => failedJobs.bulk_change++,
  });
  const lifecycle = new Lifecycle();
  const backlog = new Backlog();
  const requestQueue = openRequestQueue(config);
  const forwardingNotice = new ForwardingNotice(logger);
  const addresses: Service['addresses'] = {};
  const uploads = { importMaxBytes: config.importMaxBytes, onImportStored: () => importRunner.wake() };
  const apiDeps = {
    ...store,
    lifecycle,
    backlog,
    clock,
    ttlSeconds,
    signingKeys,
    keyDirectory,
    calls,
    listings,
    pageCache,
    runningRequests: new RunningRequests(),
    ...uploads,
    rateLimits: rateLimitsOf(config, keyDirectory, store.sharedBuckets ?? otherWorkers?.sharedBuckets, logger),
    trustedProxies: config.trustedProxies,
    forwardingNotice,
    requestQueue,
  };
  const consoleDeps = {
    ...store,
    signingKeys,
    ...uploads,
    onBulkChangeStored: () => bulkChangeRunner.wake(),
    lifecycle,
    backlog,
    clock,
    addresses,
    onKeysChanged: async (changed: readonly KeyFacts[]) => {
      keyDirectory.follow(changed);
      await otherWorkers?.announceChangedKeys(changed);
    },
    defaultRateLimit: config.rateLimits.api,
    sendsMail: config.mail !== undefined,
    auditDays: config.auditDays,
    provider: config.oidc && openIdProvider(config.oidc),
    publicUrl: config.publicUrls.dashboard,
    trustedProxies: config.trustedProxies,
    forwardingNotice,
    pagesFolder: PAGES_FOLDER,
    concurrencyLimit: new ConcurrencyLimit(SIGN_INS),
    exportSlots: new ExportSlots(EXPORTS),
    searchQueue: new SearchQueue(SEARCHES),
    fileTimeouts: FILE_TIMEOUTS,
    memberWrites: new MemberWrites(MEMBER_WRITES_PER_MINUTE),
  };
  const metrics =
    config.metrics &&
    new ServiceMetrics({
      build: { version: packageVersion(), engine: engineOf(config) },
      pageCache,
      limitsHit: () => limitsHit({ ...apiDeps, ...consoleDeps }),
      connections: () => lifecycle.connections.size,
      databaseUse: store.usage,
      isDatabaseAvailable: () => isDatabaseAvailable,
      changeLagMs: changes.lagMs,
      openJobs: () => openJobsIn(store),
      failedJobs: () => failedJobs,
    });
  const servers: HttpServer[] = [];
  let stopMail = async () => {};
  let stopUpkeep = async () => {};
  let stopBackups = async () => {};
  const drain = () => {
    lifecycle.stopping = true;
  };
  const stop = async () => {
    await stopServers(servers, lifecycle, otherWorkers?.readyToClose);
    await importRunner.stop();
    await bulkChangeRunner.stop();
    await stopMail();
    await stopBackups();
    await changes.stop();
    await stopUpkeep();
    forgetOutages();
    metrics?.stop();
    await tracing?.close();
    await log.close();
  };

  try {
    for (const name of only) {
      const watchers = {
        ...logsOf(log, name),
        requestMeter: metrics?.newRequestMeter(name),
        requestTracer: tracing?.requestTracer(name),
      };
      const open = () =>
        name === 'dashboard'
          ? openConsole({ ...consoleDeps, ...watchers })
          : openApi({
              ...apiDeps,
              ...watchers,
              environment: name,
              publicUrl: config.publicUrls[name],
              corsOrigins: config.corsOrigins,
              tokens: new TokenCache(apiDeps, name),
            });
      const server = await open();
      servers.push(server);
      const address = await listen(server, name, config);
      addresses[name] = config.publicUrls[name] ?? address;
      const otherHost = name === 'dashboard' && !config.publicUrls.dashboard && OTHER_LOOPBACK[config.host];
      if (otherHost) {
        const { port } = server.server.address() as AddressInfo;
        const other = await listenAlso(open, { host: otherHost, port }, config.ports.dashboard);
        if (other !== 'taken') addresses.dashboard = `http://localhost:${port}`;
        if (typeof other === 'object') servers.push(other);
      }
    }
    // Not before: a service that cannot start must not have removed anything.
    stopUpkeep = startUpkeep(config, { ...store, clock, calls, listings, ring: signingKeys }, logger);
    stopBackups = startBackups(config, clock, logger);
    if (config.mail && addresses.dashboard) {
      const mail = { sendsMail: true, sendMail: openSmtp(config.mail), dashboardUrl: addresses.dashboard };
      stopMail = startMailDelivery({ ...store, clock, ...mail }, logger);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses, metrics, drain, stop };
}

/** Loaded only if traces are on. */
async function openTracing({ traceShare }: Config, logger: Logger): Promise<Tracing | undefined> {
  if (traceShare === undefined) return undefined;
  const { Tracing } = await import('./tracing/tracing.ts');
  const events = {
    onFailing: (reason: string) => logger.warn({ reason }, 'traces cannot be sent and are dropped'),
    onWorking: () => logger.info('traces are sent again'),
  };
  return new Tracing({ version: packageVersion(), share: traceShare, events });
}

/** On PostgreSQL, requests wait for its connections. There, the one that is first in the queue is served next, whoever sent it. */
function openRequestQueue(config: Config): RequestQueue {
  const underWayMax = engineOf(config) === 'postgres' ? 2 * config.poolSize : undefined;
  return new RequestQueue({ underWayMax, refuses: config.refusesOverload });
}

function engineOf({ databaseUrl }: Config): 'sqlite' | 'postgres' {
  return databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
}

interface Limits {
  rateLimits: RateLimits;
  backlog: Backlog;
  requestQueue: RequestQueue;
  concurrencyLimit: ConcurrencyLimit;
  exportSlots: ExportSlots;
  searchQueue: SearchQueue;
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

async function openJobsIn({ imports, bulkChanges, mailQueue }: Store): Promise<Record<string, OpenJobs>> {
  return {
    import: await imports.countOpen(),
    bulk_change: await bulkChanges.countOpen(),
    mail: { waiting: await mailQueue.count(), running: 0 },
  };
}

/** Refuses a cache that could outgrow the memory of the process, which would end it hours after the start. */
function openPageCache({ pageCacheBytes }: Config): PageCache {
  const maxMb = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20 / 2);
  if (pageCacheBytes <= maxMb * 2 ** 20) return new PageCache(pageCacheBytes);
  throw new ConfigError(
    `ROLLCALL_PAGE_CACHE_MB may be at most ${maxMb} here, half of the memory that Node may use. For a larger cache, allow Node at least twice as many megabytes, for example with NODE_OPTIONS=--max-old-space-size=1024.`,
  );
}

/** The clock is one that does not jump when the time of day is set. */
function rateLimitsOf(
  { rateLimits }: Config,
  keyDirectory: KeyDirectory,
  shared: SharedBuckets | undefined,
  logger: Logger,
): RateLimits {
  const now = () => performance.now();
  const leases =
    shared &&
    new CallLeases(shared, now, {
      onUnreachable: (error) =>
        logger.warn({ err: error }, 'rate limits cannot be shared; this process counts calls by itself'),
      onReachable: () => logger.info('rate limits are shared again'),
    });
  return openRateLimits({ limits: rateLimits, limitOf: (keyId) => keyDirectory.limitOf(keyId), now, leases });
}

/** Logs once that no access tokens can be signed, and once that they can be again. */
function loadAndReport(signingKeys: SigningKeyRing, logger: Logger): () => Promise<void> {
  let isFailing = false;
  return async () => {
    await signingKeys.load();
    try {
      signingKeys.current();
      if (isFailing) logger.info('access tokens can be signed again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.error({ err: error }, 'access tokens cannot be signed');
      isFailing = true;
    }
  };
}

/** Every log line of a listener contains its name. */
function logsOf({ logger, lines }: Log, listener: ListenerName) {
  const isOn = logger.isLevelEnabled('info');
  return { logger: logger.child({ listener }), requestLog: new RequestLog(isOn ? lines : undefined, listener) };
}

/** Nothing depends on it, so a failure, for example because the disk is too full for a second copy, does not prevent the start. */
async function removeRemains({ sealed }: Store, logger: Logger): Promise<void> {
  try {
    await sealed.removeRemains();
  } catch (error) {
    const message = 'cannot remove what was stored before encryption from the database; the next start tries again';
    logger.warn({ reason: error instanceof Error ? error.message : String(error) }, message);
  }
}

/** Logs an outage once when it begins, for each reason, and once when it ends. */
function logOutage({ reason, endedAfterMs }: Outage, logger: Logger): void {
  if (endedAfterMs === undefined) logger.error({ reason }, 'the database cannot be used normally');
  else logger.info({ reason, seconds: Math.round(endedAfterMs / 100) / 10 }, 'the database can be used again');
}

/**
 * The dashboard is reached by the name `localhost`, because passkeys need a name. Browsers may take either address for it, and
 * nobody else should listen on the other one.
 */
const OTHER_LOOPBACK: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };

/**
 * A machine may have only one of the two addresses. If somebody else listens on the other one, browsers could take them for us.
 * Then the service does not start, or, on a port that nobody has chosen, does not use the name.
 */
async function listenAlso(
  open: () => Promise<HttpServer>,
  place: { host: string; port: number },
  chosenPort: number,
): Promise<HttpServer | 'missing' | 'taken'> {
  const server = await open();
  try {
    await server.listen(place);
    return server;
  } catch (error) {
    await server.close();
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) return 'missing';
    if (code !== 'EADDRINUSE') throw error;
    if (chosenPort === 0) return 'taken';
    throw new ConfigError(
      `Port ${place.port} on ${place.host} is already in use by another program; set ROLLCALL_DASHBOARD_PORT to a free one.`,
    );
  }
}

async function listen(server: HttpServer, name: ListenerName, { host, ports }: Config): Promise<string> {
  const variable = `ROLLCALL_${name.toUpperCase()}_PORT`;
  try {
    return await server.listen({ host, port: ports[name] });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`Port ${ports[name]} on ${host} is already in use; set ${variable} to a free one.`);
    }
    if (code === 'EACCES') throw new ConfigError(`Port ${ports[name]} may not be used by this user; set ${variable}.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError(`ROLLCALL_HOST must be an address of this machine, not "${host}".`);
    }
    throw error;
  }
}
