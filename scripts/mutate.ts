// Changes lines of domain/ and store/ in ways that tests should notice, and says which changes they did not notice (Stryker).
// All lines take many hours, so a random part of them is taken unless a path is given. The tests of random sequences take minutes
// for each change, so they are tried with those that no other test has noticed.
//
//   npm run mutate                                      100 lines, chosen at random
//   npm run mutate -- --lines 400 --seed 7              another choice
//   npm run mutate -- domain/clients/import-clients.ts  all lines of the files whose path contains this
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

const ENOUGH_PERCENT = 85;

/** Those that say something about the tests. The others could not be tried. */
const COUNTED = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];

/** A change that Stryker has tried. */
interface Mutant {
  file: string;
  mutatorName: string;
  replacement: string;
  location: Record<'start' | 'end', { line: number; column: number }>;
  status: string;
}

interface Report {
  files: Record<string, { mutants: Omit<Mutant, 'file'>[] }>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !LEFT_OUT.test(file));
const places = positionals.length > 0 ? filesWith(positionals) : someLines(Number(values.lines), seedOf(values.seed));
const first = await runStryker(places, 'quick');
const left = first.filter(isUnnoticed);
const second = left.length > 0 ? await runStryker(left.map(placeOf), 'sequences') : [];
// What the second run could not try was not noticed, either.
const noticed = new Set(second.filter((mutant) => !isUnnoticed(mutant)).map(nameOf));
const unnoticed = left.filter((mutant) => !noticed.has(nameOf(mutant)));
process.exitCode = print(first.length, left.length, unnoticed);

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

/** Runs the tests against every change of these places. Leaves out changes that no test can notice, of what happens at the start. */
async function runStryker(mutate: readonly string[], tests: 'quick' | 'sequences'): Promise<Mutant[]> {
  const env = { ...process.env, ROLLCALL_MUTATE_TESTS: tests };
  const child = spawn('stryker', ['run', '--mutate', mutate.join(',')], { cwd: ROOT, stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Stryker ended with ${code}.`);
  const { files }: Report = JSON.parse(readFileSync(join(ROOT, 'reports/mutation/mutation.json'), 'utf8'));
  return Object.entries(files)
    .flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ ...mutant, file })))
    .filter(({ status }) => COUNTED.includes(status));
}

function isUnnoticed({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

function placeOf({ file, location: { start, end } }: Mutant): string {
  return `${file}:${start.line}-${end.line}`;
}

/** The same in every run. */
function nameOf({ file, location: { start, end }, replacement }: Mutant): string {
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${replacement}`;
}

function print(tried: number, leftByFirst: number, unnoticed: readonly Mutant[]): number {
  for (const { file, location, mutatorName, replacement } of unnoticed) {
    process.stdout.write(`Not noticed: ${file}:${location.start.line} ${mutatorName}: ${replacement}\n`);
  }
  const noticedPercent = (100 * (tried - unnoticed.length)) / tried;
  const bySequences = leftByFirst - unnoticed.length;
  process.stdout.write(
    `${tried - unnoticed.length} of ${tried} changes were noticed (${noticedPercent.toFixed(1)}%), ${bySequences} of them only by random sequences.\n`,
  );
  return noticedPercent >= ENOUGH_PERCENT ? 0 : 1;
}
