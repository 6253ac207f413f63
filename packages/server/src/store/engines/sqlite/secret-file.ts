import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Failure } from '../../../domain/failure.ts';
import type { KeptSecret, SecretSource } from '../../../domain/installation-secrets.ts';
import { InstallationSecret, SECRET_FORM } from '../../../domain/sealed-text.ts';
import { syncFolderOf } from './sync-folder.ts';

const NAME = 'rollcall.secret';

const MODE = 0o600;

/** The name of a file in which a secret is written before it gets its own name. */
const TEMPORARY = /^rollcall\.secret(\.next)?\.[0-9a-f]{12}\.tmp$/;

/** Writing a secret takes a moment. The process that has left an older temporary file was killed. */
const ABANDONED_AFTER_MS = 60_000;

/** Another process may have removed the file, or the folder may be protected. */
const CANNOT_REMOVE = ['ENOENT', 'EACCES', 'EPERM', 'EROFS'];

/** Anything else that a damaged database says must not become part of the name of a file. */
const ID = /^[0-9a-f]{16}$/;

/**
 * The secret in a file beside the database. During a rotation, the next secret is in a second file until the database uses it,
 * so that after a crash one of the two files always has the secret of the database. Former secrets are kept in files that are
 * named after their ids, because databases in the same folder share these files but are rotated one by one.
 */
export class SecretFile implements SecretSource {
  readonly #file: string;
  readonly #nextFile: string;

  constructor(databaseFile: string) {
    // As SQLite does for its own files: beside the target of a symbolic link.
    const real = existsSync(databaseFile) ? realpathSync(databaseFile) : databaseFile;
    this.#file = join(dirname(real), NAME);
    this.#nextFile = `${this.#file}.next`;
  }

  /** A file that has another secret must not be replaced, because the other databases in the folder use it. */
  placeFor(id: string): string {
    const file = existsSync(this.#file) && ID.test(id) ? this.#keptFile(id) : this.#file;
    return `ROLLCALL_SECRET or in the file ${file}`;
  }

  read(): InstallationSecret[] {
    return [readSecret(this.#file), readSecret(this.#nextFile)].filter((secret) => secret !== undefined);
  }

  make(): InstallationSecret {
    return makeSecret(this.#file);
  }

  /** If an earlier rotation was interrupted before the database was changed, its secret is used. */
  next(): InstallationSecret {
    return readSecret(this.#nextFile) ?? makeSecret(this.#nextFile);
  }

  /** Several processes may do this at once. */
  complete(id: string): void {
    removeAbandoned(dirname(this.#file));
    if (readSecret(this.#nextFile)?.id !== id) return;
    const former = readSecret(this.#file);
    if (former && former.id !== id) ignoring('EEXIST', () => linkSync(this.#file, this.#keptFile(former.id)));
    ignoring('ENOENT', () => renameSync(this.#nextFile, this.#file));
    syncFolderOf(this.#file);
  }

  kept(id: string): KeptSecret | undefined {
    if (!ID.test(id)) return undefined;
    const file = this.#keptFile(id);
    const secret = readSecret(file);
    return secret?.id === id ? { secret, file } : undefined;
  }

  #keptFile(id: string): string {
    return `${this.#file}.${id}`;
  }
}

function readSecret(file: string): InstallationSecret | undefined {
  const text = withReason(file, 'read', () => ignoring('ENOENT', () => readFileSync(file, 'utf8')));
  if (text === undefined) return undefined;
  const secret = InstallationSecret.parse(text.trim());
  if (secret) return secret;
  throw new Failure(
    'bad_parameter',
    `The file ${file} does not contain a secret: ${SECRET_FORM}. Restore it from your copy, or, if it is lost, remove the file and run \`rollcall secret reset\`.`,
  );
}

/** The file gets its name only when it is complete, and only if no other process has been faster. */
function makeSecret(file: string): InstallationSecret {
  removeAbandoned(dirname(file));
  const secret = InstallationSecret.generate();
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  withReason(file, 'created', () => {
    try {
      writeNewFile(temporary, `${secret.reveal()}\n`);
      ignoring('EEXIST', () => linkSync(temporary, file));
    } finally {
      rmSync(temporary, { force: true });
    }
    syncFolderOf(file);
  });
  const made = readSecret(file);
  if (made) return made;
  // A link to a place that is not there, such as a disk that is not mounted. A secret that nobody can read again loses data.
  throw new Failure(
    'unavailable',
    `The file ${file} is a link to a file that does not exist. Restore that file first.`,
  );
}

/** Removes temporary files of processes that were killed. A folder in which this is not possible is no reason not to start. */
function removeAbandoned(folder: string): void {
  const names = ignoring(CANNOT_REMOVE, () => readdirSync(folder)) ?? [];
  for (const name of names.filter((each) => TEMPORARY.test(each))) {
    const file = join(folder, name);
    ignoring(CANNOT_REMOVE, () => {
      if (isAbandoned(file)) rmSync(file);
    });
  }
}

function isAbandoned(file: string): boolean {
  const { mode, mtimeMs } = lstatSync(file);
  // Windows has no such modes.
  const isOurs = process.platform === 'win32' || mode === (constants.S_IFREG | MODE);
  return isOurs && mtimeMs < Date.now() - ABANDONED_AFTER_MS;
}

function writeNewFile(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', MODE);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function ignoring<T>(codes: string | readonly string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ([codes].flat().includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function withReason<T>(file: string, what: 'read' | 'created', work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (typeof errno !== 'number') throw error;
    throw new Failure(
      'unavailable',
      `The file ${file} cannot be ${what}: ${getSystemErrorMessage(errno)}. It holds the secret of this installation; you can set ROLLCALL_SECRET instead.`,
      { cause: error },
    );
  }
}
