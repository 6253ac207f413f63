// `npm run soak:hour`: serves real callers for an hour on both engines at the same time, kills and restarts processes meanwhile,
// and compares everything with a plain model.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineKind } from '../../bench/report/machine.ts';
import { drawSoak } from './plot.ts';
import type { Sample } from './samples.ts';
import type { EngineName } from './service.ts';
import { type SoakResult, soak } from './soak.ts';

const HELP = `Serves callers for an hour on both engines at the same time: two workers on SQLite, two nodes on PostgreSQL.
Meanwhile clients arrive, change and are erased, files are imported and exported, keys are rolled and revoked, workers and
nodes are killed and restarted. Every list is compared with a plain model.

Usage:
  npm run soak:hour -- [options]

Options:
  --minutes N        how long (default: 60)
  --engine ENGINE    sqlite or postgres (default: both)
  --reads N          requests that read, per second and engine (default: 50)
  --writes N         requests that change something, per second and engine (default: 4)
  --results FOLDER   where the results and plots are written (default: docs/soak)
  --help             show this help

Example:
  $ npm run soak:hour -- --minutes 2 --engine sqlite --results /tmp/soak
`;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    reads: { type: 'string', default: '50' },
    writes: { type: 'string', default: '4' },
    results: { type: 'string', default: fileURLToPath(new URL('../../docs/soak', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
});
const numbers = [values.minutes, values.reads, values.writes].map(Number);
const isRight = numbers.every((each) => each > 0) && values.engine.every((each) => /^(sqlite|postgres)$/.test(each));
if (values.help) process.stdout.write(HELP);
else if (isRight) await soakAll(values.engine as EngineName[], numbers as [number, number, number]);
else {
  process.stderr.write(HELP);
  process.exitCode = 2;
}

async function soakAll(engines: EngineName[], [minutes, readsPerSecond, writesPerSecond]: [number, number, number]) {
  const results = await Promise.allSettled(
    engines.map((engine) =>
      soak({
        engine,
        minutes,
        readsPerSecond,
        writesPerSecond,
        onSample: (sample) => process.stdout.write(`${engine}: ${describe(sample)}\n`),
      }),
    ),
  );
  for (const [index, result] of results.entries()) {
    const engine = engines[index] as EngineName;
    if (result.status === 'fulfilled') report(result.value);
    else fail(`${engine}: ${result.reason instanceof Error ? result.reason.stack : result.reason}`);
  }
}

function describe({
  minute,
  answers,
  shed,
  serverErrors,
  cut,
  refused,
  skipped,
  p50Ms,
  p99Ms,
  ...sample
}: Sample): string {
  const memory = sample.processes.map(({ residentMb, handles }) => `${residentMb} MB ${handles} handles`).join(', ');
  const { databaseMb, logMb } = sample.storage;
  return (
    `minute ${minute}: ${answers} answers, p50 ${p50Ms} ms, p99 ${p99Ms} ms, 5xx ${serverErrors}, shed ${shed}, cut ${cut}, ` +
    `refused ${refused}, skipped ${skipped}; ${memory}; database ${databaseMb} MB, log ${logMb} MB; ${sample.cores} cores`
  );
}

function report(result: SoakResult): void {
  const folder = resolve(values.results);
  mkdirSync(folder, { recursive: true });
  const { samples, ...summary } = result;
  const rows = samples.map((sample) => JSON.stringify(sample)).join(',\n    ');
  const head = JSON.stringify({ machine: machineKind(), ...summary }, null, 2).slice(0, -2);
  writeFileSync(join(folder, `${result.engine}.json`), `${head},\n  "samples": [\n    ${rows}\n  ]\n}\n`);
  writeFileSync(join(folder, `${result.engine}.svg`), drawSoak(result));
  process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  if (result.failures > 0) fail(`${result.engine}: ${result.failures} failures`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
