import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../packages/client', import.meta.url));

/** An empty project with the client package installed from its tarball, as a developer would install it. */
export class InstalledClient {
  readonly folder = mkdtempSync(join(tmpdir(), 'rollcall-client-'));
  readonly project = join(this.folder, 'project');
  readonly tarballBytes: number;

  constructor() {
    const packed = npm(['pack', '--json', '--pack-destination', this.folder], PACKAGE);
    const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('[')));
    const tarball = join(this.folder, filename);
    this.tarballBytes = statSync(tarball).size;
    mkdirSync(this.project);
    this.write('package.json', JSON.stringify({ name: 'empty', private: true, type: 'module' }));
    npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], this.project);
  }

  write(name: string, text: string): string {
    const file = join(this.project, name);
    writeFileSync(file, text);
    return file;
  }

  /** A file of the installed package. */
  file(path: string): string {
    return join(this.project, 'node_modules/@rollcall/client', path);
  }

  /** All installed packages, including ours. */
  packages(): string[] {
    const lock = JSON.parse(readFileSync(join(this.project, 'package-lock.json'), 'utf8'));
    return Object.keys(lock.packages).filter((path) => path !== '');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Every Node on the path, the pinned one first. Others may be older, which is what these tests are for. */
export function nodesOnPath(): { version: string; path: string }[] {
  const distinct = new Set([process.execPath, ...findOnPath('node')].map((path) => realpathSync(path)));
  return [...distinct].map((path) => ({
    path,
    version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(),
  }));
}

function findOnPath(name: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
