// Makes random writes of every kind from two processes, and compares the database with a simple model after each of them.
import { randomBytes, randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { checkEveryWrite, type FreshDatabase } from '../packages/server/src/testing/every-write/check-every-write.ts';
import { copyOnServer, freshFile, migrate } from '../packages/server/src/testing/every-write/fresh-database.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { databaseOn, onServer } from '../packages/server/src/testing/postgres-setup.ts';

const HELP = `Makes random writes of every kind and compares the database with a simple model after each of them.

Usage:
  npm run soak -- [options]

Options:
  --steps N          the number of steps (default: 10000)
  --engine ENGINE    sqlite or postgres (default: sqlite)
  --seed N           the seed that an earlier run printed, to repeat it (default: random)
  --shrink SECONDS   how long to look for a shorter sequence if one fails (default: 300)
  --help             show this help

Example:
  $ npm run soak -- --engine postgres --steps 1000
`;

interface DatabaseSource {
  freshDatabase(): Promise<FreshDatabase>;
  close(): Promise<void>;
}

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '10000' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string' },
    shrink: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else
  await soak(Number(values.steps), values.engine, values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed));

async function soak(steps: number, engine: string, seed: number): Promise<void> {
  if (!Number.isInteger(steps) || !Number.isInteger(seed) || !['sqlite', 'postgres'].includes(engine)) {
    process.stderr.write(HELP);
    process.exitCode = 2;
    return;
  }
  process.stdout.write(`${engine}, seed ${seed}, ${steps} steps\n`);
  const { freshDatabase, close } =
    engine === 'sqlite' ? { freshDatabase: freshFile, close: async () => {} } : await onPostgres();
  try {
    const { tally } = await checkEveryWrite({
      seed,
      steps,
      freshDatabase,
      shrinkingSeconds: Number(values.shrink),
      onRun: (run) => process.stdout.write(`${run.steps} steps; the run with seed ${run.seed} found no difference\n`),
    });
    for (const [operation, { done, refused }] of [...tally].sort()) {
      process.stdout.write(
        `${operation.padEnd(24)}${String(done).padStart(8)} done${String(refused).padStart(8)} refused\n`,
      );
    }
  } catch (error) {
    process.stderr.write(
      `${(error as Error).message}\n\nTo repeat it: npm run soak -- --engine ${engine} --steps 1 --seed <the seed above>\n`,
    );
    process.exitCode = 1;
  } finally {
    await close();
  }
}

/** Uses the server that `ROLLCALL_TEST_DATABASE_URL` names, or starts a temporary one. */
async function onPostgres(): Promise<DatabaseSource> {
  const given = process.env.ROLLCALL_TEST_DATABASE_URL;
  const server = given ? undefined : await PostgresServer.start(['fsync=off', 'full_page_writes=off']);
  const url = given ?? server?.url() ?? '';
  const template = `rollcall_soak_${randomBytes(6).toString('hex')}`;
  await onServer(url, `create database ${template}`);
  await migrate(databaseOn(url, template));
  return {
    freshDatabase: () => copyOnServer(url, template),
    close: async () => {
      if (server) await server.stop();
      else await onServer(url, `drop database ${template} with (force)`);
    },
  };
}
