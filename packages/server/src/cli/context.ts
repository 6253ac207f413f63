import { type Config, loadConfig } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { openStore, type Store } from '../store/open-store.ts';

const CLOSE_TIMEOUT_MS = 2000;

export interface CommandContext {
  config: Config;
  store: Store;
  clock: Clock;
}

/** Runs a command on the configured store, brought up to date first and closed afterwards. */
export async function withStore<T>(
  work: (context: CommandContext) => Promise<T>,
  { serving = false } = {},
): Promise<T> {
  const config = loadConfig();
  const { databaseUrl, readDatabaseUrl, poolSize } = config;
  const store = openStore(databaseUrl, serving ? { serving, readDatabaseUrl, poolSize } : {});
  try {
    await store.migrate();
    return await work({ config, store, clock: { now: () => Date.now() } });
  } finally {
    await closeInTime(store);
  }
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
