import { defineConfig } from 'vitest/config';

/** `npm run faults`: what takes minutes, or a program that is not installed everywhere, and is therefore no part of `npm test`. */
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
