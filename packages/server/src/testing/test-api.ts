import { pino } from 'pino';
import { openApi } from '../api/app.ts';
import { PageCache } from '../api/clients/page-cache.ts';
import { RunningRequests } from '../api/clients/running-requests.ts';
import { KeyDirectory } from '../domain/credentials/key-directory.ts';
import { ListingCounter } from '../domain/credentials/key-listings.ts';
import { KeyUsageCounter } from '../domain/credentials/key-usage.ts';
import { openRateLimits, type RateLimits } from '../domain/credentials/rate-limiter.ts';
import { SigningKeyRing } from '../domain/credentials/signing-keys.ts';
import { TokenCache } from '../domain/credentials/token-cache.ts';
import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import type { NetworkList } from '../domain/network-address.ts';
import { followChanges } from '../follow-changes.ts';
import { Backlog, type BacklogLimits } from '../http/backlog.ts';
import { ForwardingNotice } from '../http/forwarding-notice.ts';
import { Lifecycle } from '../http/lifecycle.ts';
import { RequestLog } from '../http/request-log.ts';
import type { Store } from '../store/open-store.ts';
import { TestClock } from './builders.ts';
import { listenAnywhere } from './listen.ts';
import { runTestImports } from './test-imports.ts';
import { openTestStore } from './test-store.ts';
import { whenFinished } from './when-finished.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: { status_code: number; message: string; data: Record<string, unknown> | null };
}

/** The APIs of both environments on real sockets and a real store; only the clock is a test clock. */
export interface TestApi {
  store: Store;
  clock: TestClock;
  signingKeys: SigningKeyRing;
  keyDirectory: KeyDirectory;
  rateLimits: RateLimits;
  /** What keys have asked for, which is stored when it is flushed. */
  listings: ListingCounter;
  /** How often keys were used, which is stored when it is flushed. */
  calls: KeyUsageCounter;
  address: Record<Environment, string>;
  /** All log lines. */
  log: string[];
  get(path: string, headers?: Record<string, string>, environment?: Environment): Promise<Answer>;
  /** An access token for the secret, from the environment of the secret. */
  token(secret: string): Promise<string>;
}

export const TOKEN_PATH = '/api/v1/generate-access-token/';
export const LIST_PATH = '/api/v1/clients-list/';
export const SUMMARY_PATH = '/api/v1/clients-summary/';

export interface TestApiOptions {
  clock?: TestClock;
  ttlSeconds?: number;
  publicUrl?: string;
  corsOrigins?: readonly string[];
  limits?: Partial<BacklogLimits>;
  writeTimeoutMs?: number;
  /** By default, only keys with a limit of their own are limited. */
  rateLimits?: RateLimits;
  trustedProxies?: NetworkList;
  importMaxBytes?: number;
}

const UNLIMITED = { api: null, token: null, failed: null };

/** Uses a new database of the engine under test, a SQLite database in a folder, or an open store. */
export async function openTestApi(
  place?: string | Store,
  {
    clock = new TestClock(),
    ttlSeconds = 3600,
    publicUrl,
    corsOrigins = [],
    limits,
    writeTimeoutMs,
    trustedProxies,
    importMaxBytes = 1024 * 1024,
    ...options
  }: TestApiOptions = {},
): Promise<TestApi> {
  const store = typeof place === 'object' ? place : await openTestStore(place);
  const log: string[] = [];
  const lines = { write: (line: string) => log.push(line) };
  const logger = pino({ level: 'debug' }, lines);
  const forwardingNotice = new ForwardingNotice(logger);
  const signingKeys = await SigningKeyRing.open({ ...store, clock });
  const keyDirectory = new KeyDirectory({ keys: store.keys, clock });
  await keyDirectory.load();
  const limitOf = (keyId: string) => keyDirectory.limitOf(keyId);
  const { rateLimits = openRateLimits({ limits: UNLIMITED, limitOf, now: () => clock.now() }) } = options;
  whenFinished(followChanges(store, [keyDirectory, signingKeys], logger).stop);

  const pageCache = new PageCache(1024 * 1024);
  const runningRequests = new RunningRequests();
  const importRunner = runTestImports(store, clock, logger);
  const lifecycle = new Lifecycle();
  const backlog = new Backlog(limits);
  const calls = new KeyUsageCounter({ keyUsage: store.keyUsage, clock });
  const listings = new ListingCounter({ keyListings: store.keyListings, clock });
  const address = {} as Record<Environment, string>;
  for (const environment of ENVIRONMENTS) {
    const server = await openApi({
      ...store,
      clock,
      ttlSeconds,
      signingKeys,
      keyDirectory,
      tokens: new TokenCache({ signingKeys, clock }, environment),
      environment,
      publicUrl,
      corsOrigins,
      logger,
      requestLog: new RequestLog(lines, environment),
      lifecycle,
      backlog,
      writeTimeoutMs,
      pageCache,
      runningRequests,
      importMaxBytes,
      onImportStored: () => importRunner.wake(),
      calls,
      listings,
      rateLimits,
      trustedProxies,
      forwardingNotice,
    });
    address[environment] = await listenAnywhere(server);
  }

  const get: TestApi['get'] = (path, headers = {}, environment = 'production') =>
    send(address[environment] + path, { headers });
  return {
    store,
    clock,
    signingKeys,
    keyDirectory,
    rateLimits,
    listings,
    calls,
    address,
    log,
    get,
    token: async (secret) => {
      const environment = secret.startsWith('rc_sandbox') ? 'sandbox' : 'production';
      const { body } = await get(TOKEN_PATH, { 'api-key': secret }, environment);
      return String(body.data?.access_token);
    },
  };
}

export interface ListedRecord {
  reference_id: string;
  client_name: string;
  external_id?: string | null;
  updated_at?: string;
}

export function resultsOf(body: Answer['body']): ListedRecord[] {
  if (!body.data) throw new Error(body.message);
  return body.data.results as ListedRecord[];
}

export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  };
}
