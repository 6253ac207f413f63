import { defineConfig } from 'vitest/config';

const ONLY_SQLITE = 'packages/server/src/store/engines/sqlite/*.test.ts';
/** What is about PostgreSQL, and what is about both engines at once. */
const ONLY_POSTGRES = [
  'packages/server/src/store/engines/postgres/*.test.ts',
  'packages/server/src/store/copy-database.test.ts',
  'packages/server/src/api/same-on-both-engines.test.ts',
];
/** What the browser does by itself, with the same pages whatever they are filled from. */
const ONLY_BROWSER = 'e2e/dashboard/{accessibility,files,sign-in}.test.ts';

export default defineConfig({
  test: {
    // Real databases and real processes on a small, busy machine: slow is not wrong.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          provide: { engine: 'sqlite' },
          include: ['packages/*/src/**/*.test.ts', 'scripts/*.test.ts'],
          exclude: ONLY_POSTGRES,
        },
      },
      {
        // The same files again: whatever is promised about the store is promised on both engines.
        extends: true,
        test: {
          name: 'postgres',
          provide: { engine: 'postgres' },
          include: ['packages/server/src/{api,cli,console,domain,store}/**/*.test.ts'],
          exclude: [ONLY_SQLITE],
          globalSetup: 'packages/server/src/testing/postgres-setup.ts',
        },
      },
      {
        // These start programs, servers and browsers, so they run after the others.
        extends: true,
        test: {
          name: 'e2e',
          provide: { engine: 'sqlite' },
          include: ['e2e/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The browser's tests again: whatever the dashboard promises is promised on both engines.
        extends: true,
        test: {
          name: 'e2e-postgres',
          provide: { engine: 'postgres' },
          include: ['e2e/dashboard/**/*.test.ts'],
          exclude: [ONLY_BROWSER],
          globalSetup: 'packages/server/src/testing/postgres-setup.ts',
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
