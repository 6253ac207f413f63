import { createReadStream, openAsBlob } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Import } from '../generated/api.ts';
import type { ImportRequest } from '../imports.ts';
import type { Rollcall } from '../rollcall.ts';
import { FAILED, SOME_REJECTED, SUCCESS } from './exit-codes.ts';
import type { ImportCommand } from './import-command.ts';
import { write } from './output.ts';
import type { ProcessIo } from './process-io.ts';
import { ERASE_LINE } from './progress.ts';
import { printable } from './text-width.ts';
import { UsageError } from './usage-error.ts';

const TYPES: Record<string, string> = {
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  gz: 'application/gzip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Sends a file, waits until it is imported, prints the result and returns the exit code. */
export async function importFile({ imports }: Rollcall, command: ImportCommand, io: ProcessIo): Promise<number> {
  const { stdout, stderr } = io;
  await requireOtherFile(command);
  const { file, type, fileName } = await openFile(command.file, io);
  const started = await imports.create(file, { ...command.request, type, fileName });
  const live = stderr.isTTY === true && !command.quiet;
  const ended = await imports.wait(started, {
    onProgress: (current) => live && stderr.write(`${ERASE_LINE}${progressOf(current)}`),
  });
  if (live) stderr.write(ERASE_LINE);
  if (command.rejects !== undefined) {
    await writeTo(command.rejects, ended.rejected > 0 ? await imports.rejects(ended.import_id) : '');
  }
  await write(stdout, `${JSON.stringify(ended, null, 2)}\n`);
  return exitCodeFor(ended, io);
}

/** What is imported must not be overwritten by what is left of it, under whatever name. */
async function requireOtherFile({ file, rejects }: ImportCommand): Promise<void> {
  if (rejects === undefined || file === '-') return;
  const [imported, written] = await Promise.all([file, rejects].map((path) => stat(path).catch(() => undefined)));
  if (!imported || !written || imported.ino !== written.ino || imported.dev !== written.dev) return;
  throw new UsageError('--rejects is the same file as the imported one; choose another one.');
}

async function openFile(path: string, { stdin }: ProcessIo): Promise<{ file: Blob } & ImportRequest> {
  if (path === '-') return { file: new Blob([await buffer(stdin)]) };
  const ending = path.toLowerCase().split('.').at(-1) ?? '';
  try {
    return { file: await blobOf(path), type: TYPES[ending] ?? 'text/csv', fileName: basename(path) };
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

/** Empty if no row was rejected, so that an old file never looks like the current one. */
async function writeTo(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function progressOf({ state, rows_read, rows_per_second }: Import): string {
  return state === 'queued' ? 'Waiting for earlier imports' : `${rows_read} rows, ${rows_per_second}/s`;
}

function exitCodeFor({ state, reason, rejected }: Import, { stderr }: ProcessIo): number {
  if (state !== 'completed') {
    const why = reason === null ? '' : `: ${printable(reason)}`;
    stderr.write(`rollcall-clients: The import ${state === 'failed' ? 'has failed' : 'was cancelled'}${why}\n`);
    return FAILED;
  }
  return rejected > 0 ? SOME_REJECTED : SUCCESS;
}
