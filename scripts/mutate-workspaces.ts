// Takes the workspace out of one condition of the store after the other, and checks that a test fails each time: every client,
// group and key belongs to one workspace, and no query may forget to say so.
//
//   npm run mutate:workspaces -- [part of a path]
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type Vitest } from 'vitest/node';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STORE = 'packages/server/src/store';
/** Tests that use most of the store within seconds, and compare workspaces. */
const COMPARING_TESTS = 'packages/server/src/{api,console}/isolation.test.ts';
/** For all tests that use a file, of which some take minutes. What they do not find out in this time counts as not noticed. */
const TIMEOUT_MS = 1_800_000;

interface Mutant {
  file: string;
  line: number;
  original: string;
  /** The whole file with the mutation. */
  text: string;
}

/** `true` is added to the condition instead of removing it, so that the parameters of a statement keep their places. */
const CONDITIONS: { pattern: RegExp; without(found: RegExpExecArray): string }[] = [
  {
    pattern: /\.where\(('[\w.]*workspace_id', '=', (?:[^()]|\([^()]*\))+)\)/g,
    without: ([, condition]) => `.where(({ eb, or, lit }) => or([eb(${condition}), lit(true)]))`,
  },
  {
    pattern: /\.(on|where)Ref\('[\w.]*workspace_id', '=', '[\w.]*workspace_id'\)/g,
    without: ([, where]) => `.${where}(({ lit }) => lit(true))`,
  },
  {
    pattern: /(?<!\.)\b(\w+)\('[\w.]*workspace_id', '=', (?:[^()]|\([^()]*\))+\)/g,
    without: ([condition, builder]) => `${builder}.or([${condition}, ${builder}.lit(true)])`,
  },
  {
    pattern: /[\w.]*workspace_id = (?:\$\{[^}]*\}|[\w.]*workspace_id)/g,
    without: ([condition]) => `(${condition} or true)`,
  },
];

const only = process.argv[2] ?? '';
const copy = mkdtempSync(join(tmpdir(), 'rollcall-mutants-'));
const survivors: Mutant[] = [];
let tried = 0;
try {
  copyProject();
  // One for all mutants, so that only the changed file is loaded again.
  const vitest = await createVitest({
    root: copy,
    project: ['sqlite', 'postgres'],
    watch: false,
    bail: 1,
    reporters: [],
  });
  const mutants = sources().flatMap(mutantsOf);
  for (const mutant of mutants) {
    const isNoticed = await isNoticedBy(vitest, mutant);
    if (!isNoticed) survivors.push(mutant);
    const place = `${mutant.file}:${mutant.line}`;
    process.stdout.write(`${++tried} of ${mutants.length}  ${isNoticed ? 'noticed' : 'NOT NOTICED'}  ${place}\n`);
  }
  await vitest.close();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`\n${tried - survivors.length} of ${tried} conditions are held by a test.\n`);
for (const { file, line, original } of survivors) process.stdout.write(`${file}:${line}: ${original}\n`);
process.exitCode = survivors.length > 0 ? 1 : 0;

/** What is committed or not, without what is built; the packages are those of this folder. */
function copyProject(): void {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const file of stdout.toString().trim().split('\n')) cpSync(join(ROOT, file), join(copy, file));
  for (const folder of ['', ...globSync('packages/*', { cwd: ROOT })]) {
    if (globSync('node_modules', { cwd: join(ROOT, folder) }).length > 0) {
      symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
    }
  }
}

function sources(): string[] {
  return globSync(`${STORE}/**/*.ts`, { cwd: ROOT })
    .filter((file) => !/\.test\.ts$|\/migrations\//.test(file) && file.includes(only))
    .sort();
}

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return CONDITIONS.flatMap(({ pattern, without }) =>
    Array.from(source.matchAll(pattern), (found) => {
      const [original] = found;
      const text = source.slice(0, found.index) + without(found) + source.slice(found.index + original.length);
      return { file, line: source.slice(0, found.index).split('\n').length, original, text };
    }),
  );
}

async function isNoticedBy(vitest: Vitest, { file, text }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, text);
  vitest.invalidateFile(path);
  try {
    for (const project of file.includes('/postgres/') ? ['postgres'] : ['sqlite', 'postgres']) {
      for (const tests of [COMPARING_TESTS, testsOfSubject(file)]) {
        if (await testsFail(vitest, project, tests)) return true;
      }
      if (await relatedTestsFail(path, project)) return true;
    }
    return false;
  } finally {
    writeFileSync(path, original);
    vitest.invalidateFile(path);
  }
}

function testsOfSubject(file: string): string {
  const [first = ''] = file.slice(STORE.length + 1).split('/');
  return first.endsWith('.ts') ? `${STORE}/*.test.ts` : `packages/server/src/*/${first}/**/*.test.ts`;
}

async function testsFail(vitest: Vitest, project: string, pattern: string): Promise<boolean> {
  const files = new Set(globSync(pattern, { cwd: copy }).map((each) => join(copy, each)));
  const all = await vitest.getRelevantTestSpecifications();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    all.filter(
      ({ moduleId, project: { name } }) => name === project && files.has(moduleId) && !moduleId.includes('.property.'),
    ),
  );
  return unhandledErrors.length > 0 || testModules.some((each) => !each.ok());
}

/** Whether any test fails that uses the file. */
function relatedTestsFail(path: string, project: string): Promise<boolean> {
  const args = ['related', path, '--run', '--project', project, '--bail', '1', '--reporter', 'dot'];
  const child = spawn('vitest', args, { cwd: copy, stdio: 'ignore', timeout: TIMEOUT_MS });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code !== 0 && signal === null));
  });
}
