import { type Config, loadConfig } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { openStore, type Store } from '../store/open-store.ts';

export interface CommandContext {
  config: Config;
  store: Store;
  clock: Clock;
}

/** Runs a command on the configured store, brought up to date first and closed afterwards. */
export async function withStore<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const store = openStore(config.databaseUrl);
  try {
    await store.migrate();
    return await work({ config, store, clock: { now: () => Date.now() } });
  } finally {
    await store.close();
  }
}
