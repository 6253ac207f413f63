import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { BackupTotals } from '../../../domain/backup-schedule.ts';
import { Failure } from '../../../domain/failure.ts';
import { isTime } from '../../../domain/time.ts';

// A backup is the database, compressed by zstd, between two frames that zstd skips: `zstd -d` unpacks it, too. The first one
// describes the backup. The last one is the SHA-256 of everything before it, so that a file without it is incomplete.
const SKIPPED_FRAME = 0x184d2a50;
const FRAME_HEADER_BYTES = 8;
const DIGEST_BYTES = 32;

const FORMAT = 'rollcall-backup';
const FORMAT_VERSION = 1;

/** A description takes a few hundred bytes. A larger one is not ours. */
const MANIFEST_MAX_BYTES = 64 * 1024;

const CHUNK_BYTES = 1024 * 1024;

export interface BackupManifest {
  /** The database has every change that was acknowledged before this time. */
  madeAt: number;
  /** The size of the database. */
  databaseBytes: number;
  totals: BackupTotals;
}

/** Called with the number of bytes that have been processed, and of how many. */
export type ByteProgress = (bytes: number, total: number) => void;

export interface BackupWork {
  signal: AbortSignal;
  progress: ByteProgress;
}

/** Compresses a database into a new file, and returns its size. The file has reached the disk then. */
export async function packBackup(
  database: string,
  manifest: BackupManifest,
  target: string,
  { signal, progress }: BackupWork,
): Promise<number> {
  const [source, file] = [await open(database, 'r'), await open(target, 'wx', 0o600)];
  try {
    const hash = createHash('sha256');
    const write = async (bytes: Buffer) => {
      hash.update(bytes);
      await file.writeFile(bytes);
    };
    const description = Buffer.from(JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...manifest }));
    await write(Buffer.concat([frameHeader(description.length), description]));
    await pipeline(
      readChunks(source, 0, manifest.databaseBytes),
      counted(manifest.databaseBytes, progress),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      hashed(hash),
      writeChunks(file),
      { signal },
    );
    await write(frameHeader(DIGEST_BYTES));
    await file.writeFile(hash.digest());
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await Promise.all([source.close(), file.close()]);
  }
}

/** A backup that is open for reading, so that what is verified is also what is unpacked. */
export class BackupFile {
  readonly manifest: BackupManifest;
  readonly size: number;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #start: number;

  private constructor(
    path: string,
    file: FileHandle,
    found: { manifest: BackupManifest; size: number; start: number },
  ) {
    this.#path = path;
    this.#file = file;
    this.manifest = found.manifest;
    this.size = found.size;
    this.#start = found.start;
  }

  static async open(path: string): Promise<BackupFile> {
    // Before it is opened, because opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) throw notABackup(path);
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      return new BackupFile(path, file, { size, ...(await readManifest(path, file)) });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Fails unless every byte is as it was written. */
  async verify({ signal, progress }: BackupWork): Promise<void> {
    const hash = createHash('sha256');
    const end = this.size - DIGEST_BYTES;
    if (end < this.#start + FRAME_HEADER_BYTES) throw this.#damaged();
    await pipeline(
      readChunks(this.#file, 0, end),
      counted(end, progress),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) hash.update(chunk);
      },
      { signal },
    );
    const digest = await readBytes(this.#file, end, DIGEST_BYTES);
    if (!digest.equals(hash.digest())) throw this.#damaged();
  }

  /** Writes the database to a new file. */
  async unpack(target: string, { signal, progress }: BackupWork): Promise<void> {
    const { databaseBytes } = this.manifest;
    const end = this.size - DIGEST_BYTES - FRAME_HEADER_BYTES;
    const file = await open(target, 'wx', 0o600);
    try {
      await pipeline(
        readChunks(this.#file, this.#start, end),
        createZstdDecompress(),
        counted(databaseBytes, (bytes, total) => {
          // Before it fills the disk.
          if (bytes > total) throw this.#damaged();
          progress(bytes, total);
        }),
        writeChunks(file),
        { signal },
      );
      await file.sync();
      if ((await file.stat()).size !== databaseBytes) throw this.#damaged();
    } finally {
      await file.close();
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #damaged(): Failure {
    return new Failure(
      'conflict',
      `The backup ${this.#path} is damaged or incomplete: its digest is wrong. It was not used; take another backup.`,
    );
  }
}

async function readManifest(path: string, file: FileHandle): Promise<{ manifest: BackupManifest; start: number }> {
  const header = await readBytes(file, 0, FRAME_HEADER_BYTES);
  const length = header.length === FRAME_HEADER_BYTES ? header.readUInt32LE(4) : 0;
  if (length === 0 || header.readUInt32LE(0) !== SKIPPED_FRAME || length > MANIFEST_MAX_BYTES) throw notABackup(path);
  const description = parse(await readBytes(file, FRAME_HEADER_BYTES, length));
  if (description?.format !== FORMAT) throw notABackup(path);
  if (description.version !== FORMAT_VERSION) {
    throw new Failure('conflict', `The backup ${path} was made by a newer version of Rollcall. Update Rollcall.`);
  }
  const manifest = manifestOf(description);
  if (!manifest) throw notABackup(path);
  return { manifest, start: FRAME_HEADER_BYTES + length };
}

/** Anybody can write a description with a correct digest, so nothing in it is believed before it was looked at. */
function manifestOf({ madeAt, databaseBytes, totals }: Description): BackupManifest | undefined {
  const { workspaces, groups, clients } = Object(totals) as Description;
  if (typeof madeAt !== 'number' || !isTime(madeAt) || !isCount(databaseBytes)) return undefined;
  if (!isCount(workspaces) || !isCount(groups) || !isCount(clients)) return undefined;
  return { madeAt, databaseBytes, totals: { workspaces, groups, clients } };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

type Description = Record<string, unknown>;

function parse(bytes: Buffer): Description | undefined {
  try {
    return Object(JSON.parse(bytes.toString()));
  } catch {
    // It is the file of another program, or damaged.
    return undefined;
  }
}

function notABackup(path: string): Failure {
  return new Failure('bad_parameter', `${path} is not a backup that \`rollcall backup\` has made. It was not used.`);
}

function frameHeader(length: number): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt32LE(SKIPPED_FRAME, 0);
  header.writeUInt32LE(length, 4);
  return header;
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function* readChunks(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const chunk = await readBytes(file, position, Math.min(CHUNK_BYTES, end - position));
    // The file has become shorter. What is missing is noticed by its size or its digest.
    if (chunk.length === 0) return;
    yield chunk;
    position += chunk.length;
  }
}

function writeChunks(file: FileHandle) {
  return async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) await file.writeFile(chunk);
  };
}

function counted(total: number, progress: ByteProgress) {
  return async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      progress(bytes, total);
      yield chunk;
    }
  };
}

function hashed(hash: Hash) {
  return async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
}
