import type { Logger } from 'pino';
import { BulkChangeRunner } from '../domain/clients/run-bulk-changes.ts';
import { ImportRunner } from '../domain/clients/run-imports.ts';
import type { Clock } from '../domain/clock.ts';
import { readImport } from '../files/read-import.ts';
import type { Store } from '../store/open-store.ts';
import { whenFinished } from './when-finished.ts';

/** Runs imports until the end of the test. */
export function runTestImports(store: Store, clock: Clock, logger: Logger): ImportRunner {
  const runner = new ImportRunner({ ...store, clock, readRows: readImport, onDefect: (error) => logger.error(error) });
  whenFinished(() => runner.stop());
  return runner;
}

/** Makes changes of many clients until the end of the test. */
export function runTestBulkChanges(store: Store, clock: Clock, logger: Logger): BulkChangeRunner {
  const runner = new BulkChangeRunner({ ...store, clock, onDefect: (error) => logger.error(error) });
  whenFinished(() => runner.stop());
  return runner;
}
