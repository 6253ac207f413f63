// Joins the program into a few files in `dist`, which start in a third of the time (decision 84).
import { build } from 'rolldown';

/** Packages of hundreds of small modules. Loading these one by one takes most of the time of a command. */
const JOINED = /^(kysely|jose|typebox|commander)(\/|$)/;

/**
 * Importing a module of Node reads all its exports, and reading `WebSocket` of `node:http` loads all of undici: a tenth of the
 * time that the service takes to start. Only these are needed.
 */
const onlyServersOfHttp = {
  name: 'only-servers-of-http',
  resolveId: (id) => (id === 'node:http' ? '\0http' : null),
  load: (id) =>
    id === '\0http'
      ? 'export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http");'
      : null,
};

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
  external: (id) => /^[a-z@]/.test(id) && !JOINED.test(id) && id !== 'node:http',
  plugins: [onlyServersOfHttp],
  output: { dir: 'dist', cleanDir: true },
});
