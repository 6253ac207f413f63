import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { ImportRunner } from '../domain/clients/run-imports.ts';
import type { Clock } from '../domain/clock.ts';
import { readImport } from '../files/read-import.ts';
import type { Store } from '../store/open-store.ts';

/** Runs imports until the end of the test. */
export function runTestImports(store: Store, clock: Clock, logger: Logger): ImportRunner {
  const runner = new ImportRunner({ ...store, clock, readRows: readImport, onDefect: (error) => logger.error(error) });
  onTestFinished(() => runner.stop());
  return runner;
}
