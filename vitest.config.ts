import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ONLY_SQLITE = 'packages/server/src/store/engines/sqlite/*.test.ts';
/** Tests of PostgreSQL, and tests that use both engines at once. */
const ONLY_POSTGRES = [
  'packages/server/src/store/engines/postgres/*.test.ts',
  'packages/server/src/store/copy-database.test.ts',
  'packages/server/src/api/fuzz.test.ts',
  'packages/server/src/api/same-on-both-engines.test.ts',
];
/** Tests of a server, of which the project `postgres` runs those that may use a database. */
const OF_THE_SERVER = 'packages/server/src/{api,cli,console,domain,store}/**/*.test.ts';
/** They reach a database only through the helpers of `testing/`, and without one they would do the same again. */
const WITHOUT_DATABASE = globSync(OF_THE_SERVER, { cwd: fileURLToPath(new URL('.', import.meta.url)) }).filter(
  (file) => !readFileSync(new URL(file, import.meta.url), 'utf8').includes('/testing/'),
);
/**
 * Tests of caches, which measure the memory that these take. What else a process has loaded and thrown away would disturb them,
 * and no cache depends on the engine.
 */
const MEASURE_MEMORY = [
  'packages/server/src/api/clients/page-cache.test.ts',
  'packages/server/src/domain/credentials/token-cache.test.ts',
  'packages/server/src/store/clients/client-index/list-cache.test.ts',
];
/** Tests of the browser's own behaviour, which does not depend on the engine. */
const ONLY_BROWSER = 'e2e/dashboard/{accessibility,files,sign-in}.test.ts';

/** Looks at every statement of the store, whatever a test is about. */
const WORKSPACE_SETUP = 'packages/server/src/testing/workspace-setup.ts';

/** As the build of the dashboard resolves it. */
const CONTRACT = fileURLToPath(new URL('packages/server/src/console/contract', import.meta.url));

export default defineConfig({
  resolve: { alias: { '#contract': CONTRACT } },
  test: {
    // Long, because the tests use real databases and processes and may run on a small, busy machine.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // More than the cores of a small machine, because the tests often wait for a disk or another process: with three, two cores
    // were idle for 40 % of the time, and with five they were busy.
    maxWorkers: 5,
    // Files share the modules of their worker. No module does work when it is imported, and loading takes a third of the time.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          provide: { engine: 'sqlite' },
          include: ['packages/*/src/**/*.test.ts', 'scripts/*.test.ts', 'deploy/*.test.ts'],
          exclude: [...ONLY_POSTGRES, ...MEASURE_MEMORY],
          setupFiles: WORKSPACE_SETUP,
        },
      },
      {
        // The same files again, because all promises about the store hold on both engines.
        extends: true,
        test: {
          name: 'postgres',
          provide: { engine: 'postgres' },
          include: [OF_THE_SERVER],
          exclude: [ONLY_SQLITE, ...WITHOUT_DATABASE, ...MEASURE_MEMORY],
          setupFiles: WORKSPACE_SETUP,
          globalSetup: 'packages/server/src/testing/postgres-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'memory',
          provide: { engine: 'sqlite' },
          include: MEASURE_MEMORY,
          isolate: true,
        },
      },
      {
        // These tests start programs, servers and browsers, so they run after the others.
        extends: true,
        test: {
          name: 'e2e',
          provide: { engine: 'sqlite' },
          include: ['e2e/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The tests of the dashboard again, because all its promises hold on both engines.
        extends: true,
        test: {
          name: 'e2e-postgres',
          provide: { engine: 'postgres' },
          include: ['e2e/dashboard/**/*.test.ts', 'e2e/sign-in-attacks.test.ts', 'e2e/canary.test.ts'],
          exclude: [ONLY_BROWSER],
          globalSetup: 'packages/server/src/testing/postgres-setup.ts',
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
