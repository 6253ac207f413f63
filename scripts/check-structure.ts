// Checks that the source follows ARCHITECTURE.md: the layers, the folders by subject, and the packages of each layer.
// Circular imports are found by Biome (noImportCycles).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = 'packages/server/src/';
const DASHBOARD = 'packages/dashboard/src/';
const CONTRACT = `${SERVER}console/contract/`;

/** The layers that each layer of the server may import. Files at the top, such as `main.ts` and `service.ts`, may import any. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  domain: [],
  store: ['domain'],
  files: ['domain'],
  http: ['domain'],
  mail: ['domain'],
  oidc: ['domain'],
  metrics: [],
  tracing: [],
  api: ['domain', 'http', 'files', 'package-folder.ts'],
  console: ['domain', 'http', 'files'],
  cli: ['domain', 'files', 'http', 'store', 'metrics', 'service.ts', 'config.ts', 'package-folder.ts'],
};

/** Packages that only some layers may use. */
const ONLY_IN: [packages: RegExp, layers: readonly string[]][] = [
  [/^(kysely|pg|pg-copy-streams)(\/|$)|^node:sqlite$/, ['store']],
  [/^(fastify|@fastify|@scalar|find-my-way|cookie)(\/|$)/, ['http', 'api', 'console']],
  [/^node:(http|https|http2)$/, ['http', 'api', 'console', 'metrics']],
  [
    /^pino(\/|$)/,
    [
      'http',
      'api',
      'console',
      'cli',
      'service.ts',
      'follow-changes.ts',
      'upkeep.ts',
      'regularly.ts',
      'scheduled-backups.ts',
      'process-limits.ts',
      'run-jobs.ts',
      'mail',
    ],
  ],
  [/^@opentelemetry\//, ['tracing']],
  [/^nodemailer(\/|$)/, ['mail']],
  [/^openid-client(\/|$)/, ['oidc']],
  [/^commander(\/|$)/, ['cli', 'main.ts']],
];

/** The only package that code for the browser and for the server share. */
const BROWSER_PACKAGES = ['typebox'];

const SUBJECTS = ['clients', 'credentials', 'members'];

/** The folders of these two layers besides those of the subjects. */
const OTHER_FOLDERS: Record<string, readonly string[]> = { domain: [], store: ['engines', 'migrations'] };

/** The files that may be directly in these two layers, because all subjects share them. Others belong in a subject's folder. */
const SHARED: Record<string, readonly string[]> = {
  domain: [
    'action.ts',
    'backup-schedule.ts',
    'change.ts',
    'check-schema.ts',
    'checksum.ts',
    'clock.ts',
    'concurrency-limit.ts',
    'environment.ts',
    'epoch.ts',
    'failure.ts',
    'installation-secrets.ts',
    'manage-secret.ts',
    'network-address.ts',
    'one-at-a-time.ts',
    'overload.ts',
    'repeated-name.ts',
    'retire-signing-key.ts',
    'sealed-text.ts',
    'secret.ts',
    'suggest.ts',
    'text.ts',
    'time.ts',
    'workspace.ts',
  ],
  store: [
    'adaptive-slice-size.ts',
    'back-up-database.ts',
    'change.ts',
    'compatibility.ts',
    'copy-database.ts',
    'check-consistency.ts',
    'installation.ts',
    'locks.ts',
    'open-store.ts',
    'outage-monitor.ts',
    'require-database.ts',
    'restore-database.ts',
    'sealed-columns.ts',
    'secret-source.ts',
    'stamp.ts',
    'tables.ts',
    'unit-of-work.ts',
    'workspace-queue.ts',
    'workspace-versions.ts',
  ],
};

/** Finds forbidden imports and misplaced files, and describes each in one sentence. Takes the source files by path. */
export function structureProblems(sources: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  for (const [path, text] of sources) {
    const misplaced = misplacedFile(path);
    if (misplaced) problems.push(misplaced);
    for (const { target } of importsOf(path, text)) {
      const reason = target.startsWith('packages/') ? forbiddenFile(path, target) : forbiddenPackage(path, target);
      if (reason) problems.push(`${path} imports ${target}: ${reason}`);
    }
  }
  return [...problems, ...browserProblems(sources)];
}

/** Whatever the contract loads is loaded by the browser, too, however many files are in between. */
function browserProblems(sources: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const loaded = new Set([...sources.keys()].filter((path) => path.startsWith(CONTRACT)));
  for (const path of loaded) {
    for (const { target, isType } of importsOf(path, sources.get(path) ?? '')) {
      if (isType) continue;
      if (target.startsWith('packages/')) loaded.add(target);
      else if (!BROWSER_PACKAGES.includes(target)) {
        problems.push(`${path} imports ${target}: the browser loads this file through console/contract.`);
      }
    }
  }
  return problems;
}

function misplacedFile(path: string): string | undefined {
  const [layer = '', file = '', ...deeper] = path.startsWith(SERVER) ? path.slice(SERVER.length).split('/') : [];
  if (SHARED[layer] === undefined) return undefined;
  if (deeper.length > 0) {
    const isKnown = [...SUBJECTS, ...(OTHER_FOLDERS[layer] ?? [])].includes(file);
    return isKnown ? undefined : `${path} is in ${layer}/${file}/, which is the folder of no subject.`;
  }
  if (SHARED[layer].includes(file)) return undefined;
  return `${path} is directly in ${layer}/: move it to the folder of its subject, or add it to the shared files in scripts/check-structure.ts.`;
}

interface Import {
  /** A path from the root of the repository, or the name of a package. */
  target: string;
  /** Whether only types are imported, which do not exist when the program runs. */
  isType: boolean;
}

/** What a file imports and re-exports. The formatter has given every import its usual form. */
function importsOf(path: string, text: string): Import[] {
  const found = text.matchAll(/(?:^((?:import|export)\b[^'";]*?)from\s*|^import\s*|\bimport\(\s*)(['`])([^'`]+)\2/gm);
  return [...found].map(([, clause, , specifier = '']) => ({
    target: resolveImport(path, specifier),
    isType: clause !== undefined && importsOnlyTypes(clause),
  }));
}

function resolveImport(path: string, specifier: string): string {
  if (specifier.startsWith('#contract/')) return posix.join(CONTRACT, specifier.slice('#contract/'.length));
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : specifier;
}

function importsOnlyTypes(clause: string): boolean {
  if (/^(import|export) type\b/.test(clause)) return true;
  const names = /\{([^}]*)\}/
    .exec(clause)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return names?.every((name) => name.trim().startsWith('type ')) ?? false;
}

function forbiddenFile(path: string, imported: string): string | undefined {
  if (/\.test\.tsx?$|\/testing\//.test(imported)) return 'the product may not import from its tests.';
  return forbiddenByLayer(path, imported) ?? forbiddenBySubject(path, imported);
}

function forbiddenByLayer(path: string, imported: string): string | undefined {
  if (!path.startsWith(SERVER)) {
    const isOwn = packageOf(path) === packageOf(imported);
    if (isOwn || (path.startsWith(DASHBOARD) && imported.startsWith(CONTRACT))) return undefined;
    return 'a package may import only its own files, and the dashboard also console/contract.';
  }
  if (!imported.startsWith(SERVER)) return 'the server may not import from the other packages.';
  const [from, to] = [layerOf(path), layerOf(imported)];
  if (path.startsWith(CONTRACT) && !imported.startsWith(CONTRACT) && !['domain', 'files'].includes(to)) {
    return 'console/contract also runs in the browser, so it may import only domain and files.';
  }
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined || from === to || allowed.includes(to)) return undefined;
  return `${from}/ may import only ${[from, ...allowed].join(', ')}.`;
}

/** Files outside a subject's folder may import only its `index.ts`. */
function forbiddenBySubject(path: string, imported: string): string | undefined {
  const subject = subjectOf(imported);
  if (subject === undefined || imported.endsWith(`/${subject}/index.ts`)) return undefined;
  if (imported === `${SERVER}files/index.ts`) return undefined;
  if (subjectOf(path) === subject || isLazyPage(path, imported)) return undefined;
  return `outside ${subject}/, import from its index.ts.`;
}

/** The dashboard's router imports pages directly, so that each is loaded only when it is opened. */
function isLazyPage(path: string, imported: string): boolean {
  return path === `${DASHBOARD}router.tsx` && imported.endsWith('-page.tsx');
}

function forbiddenPackage(path: string, imported: string): string | undefined {
  if (/^(@rollcall\/|rollcall(\/|$))/.test(imported))
    return 'packages of this repository do not import each other by name.';
  if (path.startsWith(DASHBOARD))
    return imported.startsWith('node:') ? 'a browser does not have Node modules.' : undefined;
  if (!path.startsWith(SERVER)) return undefined;
  const layers = ONLY_IN.find(([packages]) => packages.test(imported))?.[1];
  if (layers === undefined || layers.includes(layerOf(path))) return undefined;
  return `only ${layers.join(', ')} may use it.`;
}

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** The top-level folder of the server's source that contains the file, or the file itself. */
function layerOf(path: string): string {
  return path.slice(SERVER.length).split('/')[0] ?? '';
}

/** All of `files/` belongs to the clients, because it reads and writes files of clients. */
function subjectOf(path: string): string | undefined {
  if (path.startsWith(`${SERVER}files/`)) return 'clients';
  return path
    .split('/')
    .slice(0, -1)
    .find((folder) => SUBJECTS.includes(folder));
}

function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  for (const folder of ['packages/server/src', 'packages/dashboard/src', 'packages/client/src']) {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })) {
      const path = relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
      const isProduct = /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('/testing/');
      if (entry.isFile() && isProduct) sources.set(path, readFileSync(join(ROOT, path), 'utf8'));
    }
  }
  return sources;
}

if (import.meta.main) {
  const sources = readSources();
  const problems = structureProblems(sources);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write(`The structure of ${sources.size} files is correct.\n`);
}
