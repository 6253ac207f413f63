// Joins the program into a few files in `dist`, which start in a third of the time (decision 84).
import { build } from 'rolldown';

/** Packages of hundreds of small modules. Loading these one by one takes most of the time of a command. */
const JOINED = /^(kysely|jose|typebox|commander)(\/|$)/;

await build({
  cwd: import.meta.dirname,
  // The second one runs in a process of its own, and the others in threads.
  input: [
    'src/main.ts',
    'src/files/spreadsheet-reader.ts',
    'src/store/clients/search-thread.ts',
    'src/cli/migration-thread.ts',
  ],
  platform: 'node',
  external: (id) => /^[a-z@]/.test(id) && !JOINED.test(id),
  output: { dir: 'dist', cleanDir: true },
});
