// Makes a fresh clone runnable, and prints nothing if nothing is missing. It is plain JavaScript, because it runs on the
// Node of the machine, before the pinned one is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.rollcall-setup');

/** The dashboard shares forms and rules with the server, so these are part of its sources. */
const SOURCES = {
  dashboard: ['dashboard', 'server/src/console/contract', 'server/src/domain', 'server/src/files'],
  server: ['server'],
};

installDependencies();
build('dashboard', '@rollcall/dashboard', 'Building the dashboard…');
build('server', 'rollcall', 'Building the server…');
preferBuiltServer();
if (process.argv.includes('--browser')) await findBrowser();

function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  printMessage('Installing dependencies (once)…');
  // No dependency needs an install script, so none is run.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

/** Builds a package again if any of its sources has changed. */
function build(name, workspace, message) {
  const built = join(root, 'packages', name, 'dist', '.built-from');
  const wanted = hashOfSources(SOURCES[name]);
  if (existsSync(built) && readFileSync(built, 'utf8') === wanted) return;
  printMessage(message);
  run('npm', ['run', '--silent', 'build', '-w', workspace]);
  writeFileSync(built, wanted);
}

/** The program prefers newer sources to what was built. After a change and back, they are newer and yet the same. */
function preferBuiltServer() {
  try {
    utimesSync(join(root, 'packages', 'server', 'dist', 'main.js'), new Date(), new Date());
  } catch (error) {
    // An installation that only its owner may write. Where its sources are newer they are run: the same, started slower.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

function hashOfSources(folders) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const folder of folders) {
    for (const file of filesIn(join(root, 'packages', folder))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'dist' || entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** For the tests only: finds Chromium and writes its path to the file that e2e/browser.ts reads. */
async function findBrowser() {
  const found = givenBrowser() ?? browserOnPath() ?? (await downloadedBrowser()) ?? (await installBrowser());
  if (!found) {
    printMessage(
      'The tests need Chromium. Install it (Debian: `apt-get install chromium`) or set ROLLCALL_CHROMIUM to its path.',
    );
    process.exit(1);
  }
  writeFileSync(join(root, 'node_modules', '.rollcall-chromium'), found);
}

function givenBrowser() {
  const given = process.env.ROLLCALL_CHROMIUM;
  if (!given) return undefined;
  if (existsSync(given)) return given;
  printMessage(`ROLLCALL_CHROMIUM is ${given}, but there is no such file.`);
  return process.exit(1);
}

function browserOnPath() {
  // First the one without the windows of a browser, which takes a third less time.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome.exe',
  ];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

async function downloadedBrowser() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

async function installBrowser() {
  printMessage('Installing Chromium for the tests (once)…');
  const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  const installs = (name) => succeeds('apt-get', ['install', '-y', name]);
  if (isDebian && succeeds('apt-get', ['update']) && (installs('chromium-headless-shell') || installs('chromium'))) {
    return browserOnPath();
  }
  return succeeds('npx', ['playwright-core', 'install', 'chromium']) ? downloadedBrowser() : undefined;
}

function succeeds(command, args) {
  return spawn(command, args).status === 0;
}

function spawn(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
}

function run(command, args) {
  const { status, error } = spawn(command, args);
  if (status === 0) return;
  printMessage(`\`${command} ${args.join(' ')}\` failed${error ? `: ${error.message}` : '.'}`);
  process.exit(1);
}

function printMessage(message) {
  process.stderr.write(`${message}\n`);
}
