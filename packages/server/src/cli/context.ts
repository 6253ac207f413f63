import { type Config, loadConfig } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { requireDatabase } from '../store/require-database.ts';

const CLOSE_TIMEOUT_MS = 2000;

export interface CommandContext {
  config: Config;
  store: Store;
  clock: Clock;
}

interface StoreUse {
  /** Whether requests will wait for the store. */
  serving?: boolean;
  /** Whether a database that is not there yet is made. */
  mayCreate?: boolean;
  /** Leaves the schema as it is, and therefore needs the newest. */
  asItIs?: boolean;
}

/** Runs a command on the configured store, brought up to date first and closed afterwards. */
export async function withStore<T>(work: (context: CommandContext) => Promise<T>, use: StoreUse = {}): Promise<T> {
  const { serving = false, mayCreate = false, asItIs = false } = use;
  const config = loadConfig();
  const { databaseUrl, readDatabaseUrl, poolSize } = config;
  await requireDatabase(databaseUrl, { mayCreate, upToDate: asItIs });
  const store = openStore(databaseUrl, serving ? { serving, readDatabaseUrl, poolSize } : {});
  try {
    if (!asItIs) await store.migrate();
    return await work({ config, store, clock: { now: () => Date.now() } });
  } finally {
    await closeInTime(store);
  }
}

/** The same for a command that makes the database if there is none. */
export function withStoreOrNew<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  return withStore(work, { mayCreate: true });
}

/** A file is closed, and is then one complete file; a server that no longer answers need not hear that we go. */
async function closeInTime(store: Store): Promise<void> {
  const { promise: overdue, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  try {
    await Promise.race([store.close(), overdue]);
  } finally {
    clearTimeout(timer);
  }
}
