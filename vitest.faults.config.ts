import { defineConfig } from 'vitest/config';

/** `npm run faults`: tests that take minutes or need programs that are not installed everywhere, so `npm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['faults/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    provide: { engine: 'sqlite' },
  },
});
