import { type Config, loadConfig } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { requireDatabase } from '../store/require-database.ts';
import { missingSecret } from '../store/secret-source.ts';
import { MigrationReport, type ReportForm, reportForm } from './migration-report.ts';

const CLOSE_TIMEOUT_MS = 2000;

export interface CommandContext {
  config: Config;
  store: Store;
  clock: Clock;
}

interface StoreOptions {
  /** Opens the store for a service that answers requests. */
  serving?: boolean;
  /** Creates the database if it does not exist. */
  mayCreate?: boolean;
  /** Leaves the schema unchanged, and therefore requires the newest one. */
  skipMigrations?: boolean;
  /** Fails at once if the secret of the installation is missing, before a migration could stop nodes of an older version. */
  needsSecret?: boolean;
}

/** Runs a command on the configured store. Migrates the store first, and closes it afterwards. */
export async function withStore<T>(
  work: (context: CommandContext) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  const { serving = false, mayCreate = false, skipMigrations = false, needsSecret = false } = options;
  const config = loadConfig();
  const { databaseUrl, readDatabaseUrl, poolSize, secrets } = config;
  if (needsSecret && secrets.length === 0 && !databaseUrl.startsWith('sqlite:')) throw missingSecret();
  await requireDatabase(databaseUrl, { mayCreate, upToDate: skipMigrations, withoutSecret: secrets.length === 0 });
  const store = openStore(databaseUrl, { secrets, ...(serving && { serving, readDatabaseUrl, poolSize }) });
  try {
    if (!skipMigrations) await migrate(store, reportForm(serving, config.logLevel));
    return await work({ config, store, clock: { now: () => Date.now() } });
  } finally {
    await closeWithTimeout(store);
  }
}

async function migrate(store: Store, form: ReportForm): Promise<void> {
  const report = new MigrationReport(form);
  try {
    await store.migrate(report);
  } finally {
    await report.close();
  }
}

/** The same for a command that creates the database if it does not exist. */
export function withStoreOrCreate<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  return withStore(work, { mayCreate: true });
}

/** Closing an SQLite database leaves one complete file. A PostgreSQL server that no longer answers is not waited for. */
async function closeWithTimeout(store: Store): Promise<void> {
  const { promise: overdue, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  try {
    await Promise.race([store.close(), overdue]);
  } finally {
    clearTimeout(timer);
  }
}
