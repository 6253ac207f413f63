import { defineConfig } from 'vitest/config';

/** Tests of which `npm test` runs a short form. They run with these settings here, unless others are given. */
const LONG_FORMS = ['database-network', 'exactly-once', 'failing-fsync'].map((name) => `e2e/${name}.test.ts`);
const SETTINGS = {
  ROLLCALL_TEST_DATABASE_FAULTS: '5',
  ROLLCALL_TEST_FSYNC_FAULTS: '40',
  ROLLCALL_TEST_KILLS: '50',
  ROLLCALL_TEST_PAUSE_MS: '0',
  ROLLCALL_TEST_WRITERS: '200',
};

/** `npm run faults`: tests that take minutes or need programs that are not installed everywhere, so `npm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['faults/**/*.test.ts', ...LONG_FORMS],
    env: Object.fromEntries(Object.entries(SETTINGS).map(([name, value]) => [name, process.env[name] ?? value])),
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    provide: { engine: 'sqlite' },
  },
});
