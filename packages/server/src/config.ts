import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { TOKEN_MAX_SECONDS } from './domain/credentials/index.ts';
import { ENVIRONMENTS } from './domain/environment.ts';
import { suggest } from './domain/suggest.ts';

/** The listeners of one process: the two environments' APIs and the dashboard. */
export const LISTENERS = [...ENVIRONMENTS, 'dashboard'] as const;
export type ListenerName = (typeof LISTENERS)[number];

export interface Config {
  databaseUrl: string;
  /** A replica that may answer lists of clients. */
  readDatabaseUrl: string | undefined;
  poolSize: number;
  host: string;
  ports: Record<ListenerName, number>;
  /** Where the listeners are reached from outside, when that is not where they listen. */
  publicUrls: Partial<Record<ListenerName, string>>;
  tokenTtlSeconds: number;
  logLevel: string;
  pageCacheBytes: number;
  /** How many processes share the listeners. */
  workers: number;
  /** How long callers are still answered after the service was told to stop. */
  drainSeconds: number;
}

/** A setting that cannot be used. Its message is one line and names the variable. */
export class ConfigError extends Error {}

const DEFAULT_DATABASE_URL = 'sqlite:./data/rollcall.db';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The only reader of the environment. A `.env` in the working directory fills in what is not set. */
export function loadConfig(): Config {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
  } catch (error) {
    throw new ConfigError(`The file .env cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  return readConfig(process.env);
}

const PREFIX = 'ROLLCALL_';

/** Of the client package and of those who develop it; a machine may well have them set beside ours. */
const OF_OTHERS = ['API_KEY', 'BASE_URL', 'TEST_DATABASE_URL', 'BENCH_DATABASE_URL', 'CHROMIUM'];

/** A line for every variable that looks like a setting and is none: a misspelt one would quietly have no effect. */
export function findUnknownSettings(environment: Environment = process.env): string[] {
  const known = settingNames();
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .filter((name) => !known.includes(name) && !OF_OTHERS.includes(name))
    .map((name) => {
      const meant = suggest(name, known);
      const hint = meant ? `Did you mean ${PREFIX}${meant}?` : 'The README lists all settings.';
      return `${PREFIX}${name} is not a setting and has no effect. ${hint}`;
    });
}

/** Every name that is asked for when the settings are read, so that there is no second list to keep in step. */
function settingNames(): string[] {
  const names = new Set<string>();
  const asked: ProxyHandler<Environment> = { get: (_, name) => void names.add(String(name)) };
  readConfig(new Proxy<Environment>({}, asked));
  return [...names].map((name) => name.slice(PREFIX.length));
}

export function readConfig(environment: Environment): Config {
  const database = databaseUrl(environment);
  return {
    databaseUrl: database,
    readDatabaseUrl: readDatabaseUrl(environment, database),
    poolSize: integer(environment, 'ROLLCALL_DATABASE_POOL_SIZE', 10, 1, 500),
    host: text(environment, 'ROLLCALL_HOST', '127.0.0.1'),
    ports: {
      production: integer(environment, 'ROLLCALL_PRODUCTION_PORT', 8080, 0, 65_535),
      sandbox: integer(environment, 'ROLLCALL_SANDBOX_PORT', 8081, 0, 65_535),
      dashboard: integer(environment, 'ROLLCALL_DASHBOARD_PORT', 8082, 0, 65_535),
    },
    publicUrls: publicUrls(environment),
    tokenTtlSeconds: integer(environment, 'ROLLCALL_TOKEN_TTL_SECONDS', 3600, 60, TOKEN_MAX_SECONDS),
    pageCacheBytes: integer(environment, 'ROLLCALL_PAGE_CACHE_MB', 16, 0, 65_536) * 1024 * 1024,
    workers: workers(environment, 'ROLLCALL_WORKERS'),
    drainSeconds: integer(environment, 'ROLLCALL_DRAIN_SECONDS', 8, 0, 300),
    logLevel: oneOf(environment, 'ROLLCALL_LOG_LEVEL', 'info', LOG_LEVELS),
  };
}

/** An empty variable counts as not set, as shells and container files make it easy to leave one so. */
function text(environment: Environment, name: string, fallback: string): string {
  return environment[name]?.trim() || fallback;
}

function integer(environment: Environment, name: string, fallback: number, minimum: number, maximum: number): number {
  const value = text(environment, name, String(fallback));
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new ConfigError(`${name} must be a whole number from ${minimum} to ${maximum}, not "${value}".`);
}

/** `auto` is one for every core. */
function workers(environment: Environment, name: string): number {
  if (text(environment, name, '1') === 'auto') return availableParallelism();
  return integer(environment, name, 1, 1, 256);
}

function oneOf(environment: Environment, name: string, fallback: string, words: readonly string[]): string {
  const value = text(environment, name, fallback);
  if (words.includes(value)) return value;
  throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${value}".`);
}

/** The value itself is not repeated: it may hold a password. */
function databaseUrl(environment: Environment): string {
  const value = text(environment, 'ROLLCALL_DATABASE_URL', DEFAULT_DATABASE_URL);
  if (isDatabaseUrl(value)) return value;
  throw new ConfigError(
    `ROLLCALL_DATABASE_URL must be "sqlite:" and the path of a file, such as ${DEFAULT_DATABASE_URL}, or postgres://user:password@host:5432/database.`,
  );
}

function readDatabaseUrl(environment: Environment, primary: string): string | undefined {
  const value = text(environment, 'ROLLCALL_READ_DATABASE_URL', '');
  if (value === '') return undefined;
  if (isPostgresUrl(value) && isPostgresUrl(primary)) return value;
  throw new ConfigError('ROLLCALL_READ_DATABASE_URL must be postgres://…, and so must ROLLCALL_DATABASE_URL.');
}

export function isDatabaseUrl(value: string): boolean {
  return /^sqlite:(?!\/\/)./.test(value) || isPostgresUrl(value);
}

/** A database must be named: the driver would otherwise quietly take the one that is called like the user. */
function isPostgresUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && (URL.parse(value)?.pathname.length ?? 0) > 1;
}

function publicUrls(environment: Environment): Config['publicUrls'] {
  const urls: Config['publicUrls'] = {};
  for (const listener of LISTENERS) {
    const name = `ROLLCALL_${listener.toUpperCase()}_URL`;
    const value = text(environment, name, '');
    if (value === '') continue;
    if (!URL.canParse(value) || !/^https?:\/\/[^/]+$/.test(value) || new URL(value).origin !== value.toLowerCase()) {
      throw new ConfigError(`${name} must be an origin such as https://rollcall.example, without a path.`);
    }
    urls[listener] = value.toLowerCase();
  }
  return urls;
}
