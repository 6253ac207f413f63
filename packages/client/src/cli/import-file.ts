import { constants, createReadStream, fstatSync, openAsBlob } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Import } from '../generated/api.ts';
import type { Rollcall } from '../rollcall.ts';
import { FAILED, SOME_REJECTED, SUCCESS } from './exit-codes.ts';
import type { ImportCommand } from './import-command.ts';
import { isClosedPipe, write } from './output.ts';
import type { ProcessIo } from './process-io.ts';
import { ERASE_LINE } from './progress.ts';
import { printable } from './text-width.ts';
import { UsageError } from './usage-error.ts';

/** Sends a file, waits until it is imported, prints the result and returns the exit code. */
export async function importFile(rollcall: Rollcall, command: ImportCommand, io: ProcessIo): Promise<number> {
  const { imports } = rollcall;
  const { stdout, stderr } = io;
  if (command.rejects !== undefined) await requireWritable(command.rejects, command.file, io);
  const started = await imports.create(await openFile(command.file, io), {
    ...command.request,
    fileName: command.file === '-' ? undefined : basename(command.file),
  });
  const live = stderr.isTTY === true && !command.quiet;
  const ended = await imports.wait(started, {
    onProgress: (current) => live && stderr.write(`${ERASE_LINE}${progressOf(current)}`),
  });
  if (live) stderr.write(ERASE_LINE);
  await write(stdout, `${JSON.stringify(ended, null, 2)}\n`).catch((error) => {
    // Whether rows were rejected matters also if the reader of the output has left.
    if (!isClosedPipe(error)) throw error;
  });
  if (command.rejects !== undefined) {
    await writeTo(command.rejects, ended.rejected > 0 ? await imports.rejects(ended.import_id) : '');
  }
  return exitCodeFor(ended, command, io);
}

/** Before anything is imported. What is imported must not be overwritten by what is left of it, under whatever name. */
async function requireWritable(rejects: string, file: string, { stdin }: ProcessIo): Promise<void> {
  try {
    await access(dirname(rejects), constants.W_OK);
  } catch (cause) {
    throw new UsageError(`${rejects} cannot be written: ${reasonOf(cause)}.`, { cause });
  }
  const descriptor = (stdin as { fd?: number }).fd;
  const imported = file === '-' ? descriptor !== undefined && fstatSync(descriptor) : await statOf(file);
  const written = await statOf(rejects);
  if (!imported || !written || imported.ino !== written.ino || imported.dev !== written.dev) return;
  throw new UsageError('--rejects is the same file as the imported one; choose another one.');
}

function statOf(path: string) {
  return stat(path).catch(() => undefined);
}

async function openFile(path: string, { stdin }: ProcessIo): Promise<Blob> {
  if (path === '-') return new Blob([await buffer(stdin)]);
  try {
    return await blobOf(path);
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

/** A file is not held in memory, but a pipe can be read only once and must be. */
async function blobOf(path: string): Promise<Blob> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new Error('it is a folder');
  return stats.isFile() ? openAsBlob(path) : new Blob([await buffer(createReadStream(path))]);
}

/** Only for its owner, because it has personal data. Empty if no row was rejected, so that an old file never looks current. */
async function writeTo(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  }
}

/** Without the name of the function and the path, which the message has already. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file or folder';
  return code === 'EACCES' ? 'you are not allowed to' : message;
}

function progressOf({ state, rows_read, rows_per_second }: Import): string {
  return state === 'queued' ? 'Waiting for earlier imports' : `${rows_read} rows, ${rows_per_second}/s`;
}

function exitCodeFor(
  { import_id, state, reason, rejected }: Import,
  { rejects, quiet }: ImportCommand,
  { stderr }: ProcessIo,
): number {
  if (state !== 'completed') {
    const why = reason === null ? '' : `: ${printable(reason)}`;
    stderr.write(`rollcall-clients: The import ${state === 'failed' ? 'has failed' : 'was cancelled'}${why}\n`);
    return FAILED;
  }
  if (rejected === 0) return SUCCESS;
  if (rejects === undefined && !quiet) {
    const path = `/api/v1/clients-imports/${import_id}/rejects/`;
    stderr.write(
      `Rejected: ${rejected}. The rows and the reasons are at ${path}, and --rejects writes them to a file.\n`,
    );
  }
  return SOME_REJECTED;
}
