import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import {
  parseRateLimit,
  RATE_LIMIT_FORM,
  type RateLimit,
  type RateLimitPolicy,
  TOKEN_MAX_SECONDS,
} from './domain/credentials/index.ts';
import { ENVIRONMENTS } from './domain/environment.ts';
import { isFailure } from './domain/failure.ts';
import { isLoopback, NetworkList } from './domain/network-address.ts';
import { InstallationSecret, SECRET_FORM } from './domain/sealed-text.ts';
import { suggest } from './domain/suggest.ts';
import { problemWithEmail } from './domain/text.ts';
import { DAY_MS } from './domain/time.ts';
import type { MailSettings } from './mail/smtp.ts';
import type { OidcSettings } from './oidc/open-id-provider.ts';

/** The listeners of one process: the APIs of the two environments, and the dashboard. */
export const LISTENERS = [...ENVIRONMENTS, 'dashboard'] as const;
export type ListenerName = (typeof LISTENERS)[number];

export interface BackupSettings {
  /** Where the service puts the backups that it makes. Without it, it makes none. */
  folder: string | undefined;
  everyMs: number;
  keep: number;
}

export interface Config {
  databaseUrl: string;
  /** The URL of a replica that may answer lists of clients. */
  readDatabaseUrl: string | undefined;
  poolSize: number;
  host: string;
  ports: Record<ListenerName, number>;
  /** The addresses at which callers reach the listeners, where they differ from the ones they listen on. */
  publicUrls: Partial<Record<ListenerName, string>>;
  /** The origins of web pages that may call the API from a browser. */
  corsOrigins: readonly string[];
  tokenTtlSeconds: number;
  /** Null means no limit. */
  rateLimits: Record<RateLimitPolicy, RateLimit | null>;
  /** The proxies that may say for whom they forward a request. */
  /** Whether the API refuses some requests when more arrive than can be answered, or lets all of them wait. */
  refusesOverload: boolean;
  trustedProxies: NetworkList;
  /** The secret that encrypts signing keys and second factors, and the next one while it is being changed. May be empty. */
  secrets: readonly InstallationSecret[];
  /** After how many days another key signs access tokens. */
  signingKeyDays: number;
  /** For how many days the activity log is kept. 0 means forever. */
  auditDays: number;
  logLevel: string;
  /** The largest file that may be sent to be imported. */
  importMaxBytes: number;
  pageCacheBytes: number;
  /** How mail is sent, if it is. */
  mail: MailSettings | undefined;
  /** The sign-in service of the firm, if there is one. */
  oidc: OidcSettings | undefined;
  backups: BackupSettings;
  /** How many processes share the listeners. */
  workers: number;
  /** Which share of the requests is traced, from 0 to 1, if traces are sent anywhere. */
  traceShare: number | undefined;
  /** Where metrics can be read, if anywhere. */
  metrics: { host: string; port: number } | undefined;
  /** How long callers are still answered after the service was asked to stop. */
  drainSeconds: number;
}

/** A setting that cannot be used. The message is one line that names the variable. */
export class ConfigError extends Error {}

const DEFAULT_DATABASE_URL = 'sqlite:./data/rollcall.db';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads all settings. A `.env` file in the working directory supplies variables that are not set. */
export function loadConfig(): Config {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
  } catch (error) {
    throw new ConfigError(`The file .env cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  return readConfig(process.env);
}

/** Unless it was set: a line for each request would soon push the password of the demo account, which is shown once, off the screen. */
export function withDemoLog(config: Config, variables: Variables = process.env): Config {
  return variables.ROLLCALL_LOG_LEVEL ? config : { ...config, logLevel: 'warn' };
}

const PREFIX = 'ROLLCALL_';

/** Variables of the client package and of the tests, which may be set on the same machine. */
const OTHER_VARIABLES = ['API_KEY', 'BASE_URL', 'TEST_DATABASE_URL', 'BENCH_DATABASE_URL', 'CHROMIUM'];

/** A line for every variable that looks like a setting but is not: a misspelt one would silently have no effect. */
export function findUnknownSettings(variables: Variables = process.env): string[] {
  const known = settingNames();
  return Object.keys(variables)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .filter((name) => !known.includes(name) && !OTHER_VARIABLES.includes(name))
    .map((name) => {
      const meant = suggest(name, known);
      const hint = meant ? `Did you mean ${PREFIX}${meant}?` : 'The README lists all settings.';
      return `${PREFIX}${name} is not a setting and has no effect. ${hint}`;
    });
}

/** What is dangerous about the settings, though they can be used. */
export function findRiskySettings(config: Config, listeners: readonly ListenerName[]): string[] {
  return [
    ...findOpenListeners(config, listeners),
    ...findLocalLinks(config, listeners),
    ...findBackupsBesideSecret(config),
  ];
}

function findBackupsBesideSecret({ backups, databaseUrl, secrets }: Config): string[] {
  if (secrets.length > 0 || backups.folder !== dirname(resolve(databaseUrl.slice('sqlite:'.length)))) return [];
  return [
    `${PREFIX}BACKUP_DIR is the folder of the database and of its secret, so one broken disk, or one thief, gets all three. Choose a folder elsewhere.`,
  ];
}

function findLocalLinks({ mail, publicUrls }: Config, listeners: readonly ListenerName[]): string[] {
  if (!mail || publicUrls.dashboard || !listeners.includes('dashboard')) return [];
  return [
    `Links in mails lead to the address on which the dashboard listens. Set ${PREFIX}DASHBOARD_URL to the one that members use.`,
  ];
}

function findOpenListeners({ host, publicUrls }: Config, listeners: readonly ListenerName[]): string[] {
  if (isLoopback(host)) return [];
  const open = listeners.filter((name) => !publicUrls[name]?.startsWith('https:'));
  if (open.length === 0) return [];
  const settings = open.map((name) => `${PREFIX}${name.toUpperCase()}_URL`).join(', ');
  return [
    `Other machines can reach ${open.join(', ')} without encryption. Put a proxy with HTTPS in front (docs/tls-proxy.md) and set ${settings} to the https address, or listen on 127.0.0.1 only (${PREFIX}HOST).`,
  ];
}

/** All names that `readConfig` asks for, so that there is no second list to keep up to date. */
function settingNames(): string[] {
  const names = new Set<string>();
  const asked: ProxyHandler<Variables> = { get: (_, name) => void names.add(String(name)) };
  readConfig(new Proxy<Variables>({}, asked));
  return [...names].filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
}

export function readConfig(variables: Variables): Config {
  const database = databaseUrl(variables);
  return {
    databaseUrl: database,
    readDatabaseUrl: readDatabaseUrl(variables, database),
    poolSize: integer(variables, 'ROLLCALL_DATABASE_POOL_SIZE', 10, 1, 500),
    host: text(variables, 'ROLLCALL_HOST', '127.0.0.1'),
    ports: {
      production: integer(variables, 'ROLLCALL_PRODUCTION_PORT', 8080, 0, 65_535),
      sandbox: integer(variables, 'ROLLCALL_SANDBOX_PORT', 8081, 0, 65_535),
      dashboard: integer(variables, 'ROLLCALL_DASHBOARD_PORT', 8082, 0, 65_535),
    },
    publicUrls: publicUrls(variables),
    corsOrigins: origins(variables, 'ROLLCALL_CORS_ORIGINS'),
    tokenTtlSeconds: integer(variables, 'ROLLCALL_TOKEN_TTL_SECONDS', 3600, 60, TOKEN_MAX_SECONDS),
    rateLimits: {
      api: rateLimit(variables, 'ROLLCALL_RATE_LIMIT_API', '100/s,200'),
      token: rateLimit(variables, 'ROLLCALL_RATE_LIMIT_TOKEN', '60/m,60'),
      failed: rateLimit(variables, 'ROLLCALL_RATE_LIMIT_FAILED', '10/m,10'),
    },
    refusesOverload: oneOf(variables, 'ROLLCALL_OVERLOAD', 'refuse', ['refuse', 'wait']) === 'refuse',
    trustedProxies: networks(variables, 'ROLLCALL_TRUSTED_PROXIES'),
    secrets: secrets(variables),
    signingKeyDays: integer(variables, 'ROLLCALL_SIGNING_KEY_DAYS', 90, 1, 3650),
    auditDays: integer(variables, 'ROLLCALL_AUDIT_DAYS', 0, 0, 36_500),
    importMaxBytes: integer(variables, 'ROLLCALL_IMPORT_MAX_MB', 512, 1, 1_000_000) * 1024 * 1024,
    pageCacheBytes: integer(variables, 'ROLLCALL_PAGE_CACHE_MB', 16, 0, 65_536) * 1024 * 1024,
    mail: mail(variables),
    oidc: oidc(variables),
    backups: backups(variables, database),
    workers: workers(variables, 'ROLLCALL_WORKERS'),
    metrics: metrics(variables),
    traceShare: traceShare(variables),
    drainSeconds: integer(variables, 'ROLLCALL_DRAIN_SECONDS', 8, 0, 300),
    logLevel: oneOf(variables, 'ROLLCALL_LOG_LEVEL', 'info', LOG_LEVELS),
  };
}

/** An empty variable counts as not set, because shells and container files often leave one empty. */
function text(variables: Variables, name: string, fallback: string): string {
  return variables[name]?.trim() || fallback;
}

function integer(variables: Variables, name: string, fallback: number, minimum: number, maximum: number): number {
  const value = text(variables, name, String(fallback));
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new ConfigError(`${name} must be a whole number from ${minimum} to ${maximum}, not "${value}".`);
}

/** `auto` means one worker for each core. */
function workers(variables: Variables, name: string): number {
  if (text(variables, name, '1') === 'auto') return availableParallelism();
  return integer(variables, name, 1, 1, 256);
}

/** Off unless a port is set. */
function metrics(variables: Variables): Config['metrics'] {
  const [host, port] = [text(variables, 'ROLLCALL_METRICS_HOST', '127.0.0.1'), 'ROLLCALL_METRICS_PORT'];
  return text(variables, port, '') === '' ? undefined : { host, port: integer(variables, port, 0, 0, 65_535) };
}

/** Variables with the names that OpenTelemetry has given them. Its library reads the address itself, and more of them. */
function traceShare(variables: Variables): number | undefined {
  const [endpoint, share] = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER_ARG'];
  const [url, value] = [text(variables, endpoint, ''), text(variables, share, '1')];
  if (url === '') return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new ConfigError(`${endpoint} must be the address of a collector, such as http://127.0.0.1:4318.`);
  }
  if (/^(0|1|0?\.\d{1,9}|1\.0+)$/.test(value)) return Number(value);
  throw new ConfigError(`${share} must be a number from 0 to 1, such as 0.1, not "${value}".`);
}

function oneOf(variables: Variables, name: string, fallback: string, words: readonly string[]): string {
  const value = text(variables, name, fallback);
  if (words.includes(value)) return value;
  throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${value}".`);
}

function rateLimit(variables: Variables, name: string, fallback: string): RateLimit | null {
  const value = text(variables, name, fallback);
  const limit = parseRateLimit(value);
  if (limit !== undefined) return limit;
  throw new ConfigError(`${name} must be ${RATE_LIMIT_FORM}, not "${value}".`);
}

function networks(variables: Variables, name: string): NetworkList {
  try {
    return NetworkList.parse(text(variables, name, ''));
  } catch (error) {
    if (!isFailure(error, 'bad_parameter')) throw error;
    throw new ConfigError(`${name} must be a list of addresses and networks, separated by commas: ${error.message}`);
  }
}

function secrets(variables: Variables): InstallationSecret[] {
  const [present, next] = [secret(variables, 'ROLLCALL_SECRET'), secret(variables, 'ROLLCALL_NEXT_SECRET')];
  if (next && !present) {
    throw new ConfigError('ROLLCALL_NEXT_SECRET is used only together with ROLLCALL_SECRET, which is not set.');
  }
  return [present, next].filter((each) => each !== undefined);
}

/** The message does not repeat the value. */
function secret(variables: Variables, name: string): InstallationSecret | undefined {
  const value = text(variables, name, '');
  if (value === '') return undefined;
  const parsed = InstallationSecret.parse(value);
  if (parsed) return parsed;
  throw new ConfigError(`${name} must be ${SECRET_FORM}.`);
}

/** The message does not repeat the value, which may contain a password. */
function databaseUrl(variables: Variables): string {
  const value = text(variables, 'ROLLCALL_DATABASE_URL', DEFAULT_DATABASE_URL);
  if (isDatabaseUrl(value)) return value;
  throw new ConfigError(
    `ROLLCALL_DATABASE_URL must be "sqlite:" followed by the path of a file, such as ${DEFAULT_DATABASE_URL}, or a URL such as postgres://user:password@host:5432/database.`,
  );
}

function readDatabaseUrl(variables: Variables, primary: string): string | undefined {
  const value = text(variables, 'ROLLCALL_READ_DATABASE_URL', '');
  if (value === '') return undefined;
  if (isPostgresUrl(value) && isPostgresUrl(primary)) return value;
  throw new ConfigError('ROLLCALL_READ_DATABASE_URL must be a postgres:// URL, and so must ROLLCALL_DATABASE_URL.');
}

export function engineOf({ databaseUrl }: Config): 'sqlite' | 'postgres' {
  return databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
}

export function isDatabaseUrl(value: string): boolean {
  return /^sqlite:(?!\/\/)./.test(value) || isPostgresUrl(value);
}

/** The URL must name a database: the driver would otherwise silently use the one that is named like the user. */
function isPostgresUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && (URL.parse(value)?.pathname.length ?? 0) > 1;
}

function backups(variables: Variables, database: string): BackupSettings {
  const folder = text(variables, 'ROLLCALL_BACKUP_DIR', '');
  const everyMs = duration(variables, 'ROLLCALL_BACKUP_EVERY', '6h');
  const keep = integer(variables, 'ROLLCALL_BACKUP_KEEP', 28, 1, 100_000);
  if (folder !== '' && isPostgresUrl(database)) {
    throw new ConfigError(
      'ROLLCALL_BACKUP_DIR is for SQLite. Back up a PostgreSQL database with pg_dump, or with base backups for point-in-time recovery, as docs/backup.md describes.',
    );
  }
  return { folder: folder === '' ? undefined : resolve(folder), everyMs, keep };
}

const DURATION_MAX_MS = 365 * DAY_MS;
const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: DAY_MS };

function duration(variables: Variables, name: string, fallback: string): number {
  const value = text(variables, name, fallback);
  const [, number = '', unit = ''] = /^(\d{1,9})([mhd])$/.exec(value) ?? [];
  const milliseconds = Number(number) * (UNIT_MS[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= DURATION_MAX_MS) return milliseconds;
  throw new ConfigError(
    `${name} must be a whole number of minutes, hours or days up to 365d, such as 30m, 6h or 1d, not "${value}".`,
  );
}

/** The message does not repeat the URL, which may contain a password. */
function mail(variables: Variables): MailSettings | undefined {
  const [smtpUrl, from] = [text(variables, 'ROLLCALL_SMTP_URL', ''), text(variables, 'ROLLCALL_MAIL_FROM', '')];
  if (smtpUrl === '' && from === '') return undefined;
  if (smtpUrl === '' || from === '') {
    throw new ConfigError('ROLLCALL_SMTP_URL and ROLLCALL_MAIL_FROM are used together; only one of them is set.');
  }
  const address = /^[^<>]*<([^<>]+)>$/.exec(from)?.[1] ?? from;
  if (problemWithEmail(address)) {
    throw new ConfigError('ROLLCALL_MAIL_FROM must be an email address, such as "Rollcall <rollcall@firm.example>".');
  }
  return { ...smtpServer(smtpUrl), from };
}

function smtpServer(url: string): Omit<MailSettings, 'from'> {
  const { protocol = '', hostname = '', port = '', username = '', password = '' } = URL.parse(url) ?? {};
  const [name, secret] = [username, password].map(decoded);
  if (!/^smtps?:$/.test(protocol) || hostname === '' || name === undefined || secret === undefined) {
    throw new ConfigError(
      'ROLLCALL_SMTP_URL must be a URL such as smtps://user:password@mail.example:465, with signs such as @ and % written as %40 and %25.',
    );
  }
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    user: name === '' ? undefined : { name, password: secret },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that does not begin an escaped character.
    return undefined;
  }
}

function oidc(variables: Variables): OidcSettings | undefined {
  const names = ['ROLLCALL_OIDC_ISSUER', 'ROLLCALL_OIDC_CLIENT_ID', 'ROLLCALL_OIDC_CLIENT_SECRET'] as const;
  const [issuer = '', clientId = '', clientSecret = ''] = names.map((name) => text(variables, name, ''));
  const missing = names.filter((name) => text(variables, name, '') === '');
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new ConfigError(`${names.join(', ')} are used together; ${missing.join(', ')} is not set.`);
  const url = issuer.includes('/.well-known/') ? null : URL.parse(issuer);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) {
    return { issuer, clientId, clientSecret };
  }
  throw new ConfigError(
    'ROLLCALL_OIDC_ISSUER must be the https address of the issuer itself, such as https://login.example.',
  );
}

function publicUrls(variables: Variables): Config['publicUrls'] {
  const urls: Config['publicUrls'] = {};
  for (const listener of LISTENERS) {
    const name = `ROLLCALL_${listener.toUpperCase()}_URL`;
    const value = text(variables, name, '');
    if (value === '') continue;
    if (!isOrigin(value)) {
      throw new ConfigError(`${name} must be an origin such as https://rollcall.example, without a path.`);
    }
    urls[listener] = value.toLowerCase();
  }
  return urls;
}

function origins(variables: Variables, name: string): string[] {
  const values = text(variables, name, '')
    .split(',')
    .map((value) => value.trim());
  const given = values.filter((value) => value !== '');
  // An origin is compared as a whole, so a pattern would never match.
  const wrong = given.find((value) => !isOrigin(value) || value.includes('*'));
  if (wrong === undefined) return given.map((value) => value.toLowerCase());
  throw new ConfigError(
    `${name} must be origins separated by commas, such as https://app.example,http://localhost:5173, without paths; "${wrong}" is not one.`,
  );
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:\/\/[^/]+$/.test(value) && new URL(value).origin === value.toLowerCase();
}
