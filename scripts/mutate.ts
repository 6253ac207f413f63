// Changes lines of domain/ and store/ in ways that tests should notice, and says which changes they did not notice (Stryker).
// All lines take many hours, so a random part of them is taken unless a path is given.
//
//   npm run mutate                                      100 lines, chosen at random
//   npm run mutate -- --lines 400 --seed 7              another choice
//   npm run mutate -- domain/clients/import-clients.ts  all lines of the files whose path contains this
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = 'packages/server/src/{domain,store}/**/*.ts';
/** Migrations were made once and have tests of their own; what is only for PostgreSQL is not reached by tests on SQLite. */
const LEFT_OUT = /\.test\.ts$|\/migrations\/|\/postgres\//;
/** A line without anything that Stryker would change. */
const NO_CODE = /^\s*($|\/\/|\/?\*|import |export \{|[)\]}]+[;,]?$|(export )?(interface|type) )/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !LEFT_OUT.test(file));
const places = positionals.length > 0 ? filesWith(positionals) : someLines(Number(values.lines), seedOf(values.seed));
process.exitCode = await runStryker(places);

function seedOf(given: string | undefined): number {
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  process.stdout.write(`Seed ${seed}\n`);
  return seed;
}

function filesWith(parts: readonly string[]): string[] {
  const found = files.filter((file) => parts.some((part) => file.includes(part)));
  if (found.length === 0) throw new Error(`No file of domain/ or store/ has a path with ${parts.join(' or ')}.`);
  return found;
}

/** Places such as `file.ts:12-12`. Every line of code is equally likely. */
function someLines(count: number, seed: number): string[] {
  const lines = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (NO_CODE.test(line) ? [] : [`${file}:${index + 1}-${index + 1}`])),
  );
  const chosen = Math.min(count, lines.length);
  const [some = []] = fc.sample(fc.shuffledSubarray(lines, { minLength: chosen, maxLength: chosen }), {
    seed,
    numRuns: 1,
  });
  return some;
}

function runStryker(mutate: readonly string[]): Promise<number> {
  const child = spawn('stryker', ['run', '--mutate', mutate.join(',')], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
