import type { Logger } from 'pino';
import { BulkChangeRunner, ImportRunner } from './domain/clients/index.ts';
import type { Clock } from './domain/clock.ts';
import { readImport } from './files/index.ts';
import type { Store } from './store/open-store.ts';

export interface RunningJobs {
  /** A job was stored, so there is something to do. */
  onImportStored(): void;
  onBulkChangeStored(): void;
  /** How many jobs have failed in this process, by the names that metrics have for them. */
  failed: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Runs imports and changes of many clients, and logs what should not have happened. */
export function runJobs(store: Store, clock: Clock, logger: Logger): RunningJobs {
  const failed = { import: 0, bulk_change: 0 };
  const imports = new ImportRunner({
    ...store,
    clock,
    readRows: readImport,
    onDefect: (error) => logger.error({ err: error }, 'an import was interrupted by an unexpected error'),
    onFailed: () => failed.import++,
  });
  const bulkChanges = new BulkChangeRunner({
    ...store,
    clock,
    onDefect: (error) =>
      logger.error({ err: error }, 'a change of many clients was interrupted by an unexpected error'),
    onFailed: () => failed.bulk_change++,
  });
  return {
    onImportStored: () => imports.wake(),
    onBulkChangeStored: () => bulkChanges.wake(),
    failed,
    stop: async () => {
      await imports.stop();
      await bulkChanges.stop();
    },
  };
}
