import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests of random sequences, which take minutes. */
const SEQUENCES = process.env.ROLLCALL_MUTATE_TESTS === 'sequences' ? [] : ['**/*.property.test.ts'];

/** `npm run mutate`: the tests that Stryker runs against every change, on SQLite. */
export default defineConfig({
  resolve: { alias: { '#contract': fileURLToPath(new URL('packages/server/src/console/contract', import.meta.url)) } },
  test: {
    include: ['packages/server/src/{api,cli,console,domain,store}/**/*.test.ts'],
    exclude: [
      'packages/server/src/store/engines/postgres/*.test.ts',
      'packages/server/src/store/copy-database.test.ts',
      'packages/server/src/api/{fuzz,same-on-both-engines}.test.ts',
      ...SEQUENCES,
      '**/{list-cache,page-cache,token-cache,sqlite-thread,search-thread,fuzz}.test.ts',
    ],
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    setupFiles: 'packages/server/src/testing/workspace-setup.ts',
    provide: { engine: 'sqlite' },
  },
});
