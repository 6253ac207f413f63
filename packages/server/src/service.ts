import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { openApi } from './api/app.ts';
import { RunningRequests } from './api/clients/index.ts';
import type { Config, ListenerName } from './config.ts';
import { openConsole } from './console/app.ts';
import { FILE_TIMEOUTS } from './console/file-stream.ts';
import {
  KeyDirectory,
  type KeyFacts,
  KeyUsageCounter,
  ListingCounter,
  type OnKeysChanged,
  type SharedBuckets,
  SigningKeyRing,
  TokenCache,
} from './domain/credentials/index.ts';
import { prepareSecret } from './domain/manage-secret.ts';
import { followChanges } from './follow-changes.ts';
import { Backlog } from './http/backlog.ts';
import { ForwardingNotice } from './http/forwarding-notice.ts';
import { Lifecycle, type ReadyToClose, stopServers } from './http/lifecycle.ts';
import { type Log, openLog } from './http/log.ts';
import { RequestLog } from './http/request-log.ts';
import type { HttpServer } from './http/server.ts';
import { startListening } from './listen.ts';
import { startMailDelivery } from './mail/mail-delivery.ts';
import { openSmtp } from './mail/smtp.ts';
import { meterService } from './meter-service.ts';
import type { ProcessMetrics } from './metrics/metric.ts';
import { openIdProvider } from './oidc/open-id-provider.ts';
import { PACKAGE_FOLDER, packageVersion } from './package-folder.ts';
import { openMemberLimits, openPageCache, openRequestQueue, rateLimitsOf } from './process-limits.ts';
import { runJobs } from './run-jobs.ts';
import { type RunningBackups, startBackups } from './scheduled-backups.ts';
import type { Store } from './store/open-store.ts';
import type { Outage } from './store/outage-monitor.ts';
import type { Tracing } from './tracing/tracing.ts';
import { startUpkeep } from './upkeep.ts';

const PAGES_FOLDER = fileURLToPath(new URL('../dashboard/dist', PACKAGE_FOLDER));

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
  readyToClose: ReadyToClose;
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
  const jobs = runJobs(store, clock, logger);
  const lifecycle = new Lifecycle();
  const backlog = new Backlog();
  const requestQueue = openRequestQueue(config);
  const forwardingNotice = new ForwardingNotice(logger);
  const addresses: Service['addresses'] = {};
  const uploads = { importMaxBytes: config.importMaxBytes, onImportStored: jobs.onImportStored };
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
    onBulkChangeStored: jobs.onBulkChangeStored,
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
    ...openMemberLimits(),
    fileTimeouts: FILE_TIMEOUTS,
  };
  let backups: RunningBackups | undefined;
  const metrics = meterService(config, {
    store,
    pageCache,
    limits: { ...apiDeps, ...consoleDeps },
    lifecycle,
    changeLagMs: changes.lagMs,
    isDatabaseAvailable: () => isDatabaseAvailable,
    failedJobs: jobs.failed,
    backups: () => backups?.state(),
  });
  const servers: HttpServer[] = [];
  let stopMail = async () => {};
  let stopUpkeep = async () => {};
  const drain = () => {
    lifecycle.stopping = true;
  };
  const stop = async () => {
    await stopServers(servers, lifecycle, otherWorkers?.readyToClose);
    await jobs.stop();
    await stopMail();
    await backups?.stop();
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
      const onOpened = (server: HttpServer) => servers.push(server);
      addresses[name] = await startListening({ name, open, onOpened }, config);
    }
    // Not before: a service that cannot start must not have removed anything.
    stopUpkeep = startUpkeep(config, { ...store, clock, calls, listings, ring: signingKeys }, logger);
    backups = startBackups(config, clock, logger);
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
