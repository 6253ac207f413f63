import { createHash } from 'node:crypto';
import type { Actor, ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { type ImportChanges, type ImportJob, type ImportJobs, type ImportRequest, makeJobId } from './import-job.ts';

/** A transaction stores one piece, so it is small, and large enough that the file is read quickly. */
export const PIECE_BYTES = 1024 * 1024;

/** Each upload holds a piece of its file in memory. */
const UPLOADS_MAX = 16;
/** So that one account cannot keep the others from sending files. */
const UPLOADS_OF_ACCOUNT_MAX = 4;

/**
 * Limits how many files arrive at the same time, in all and for an account, which is given by any number of its own: that of
 * its workspace where only one environment is served.
 */
export class Uploads {
  readonly #max: { inAll: number; ofAccount: number };
  readonly #running = new Map<number, number>();
  #inAll = 0;

  constructor(max = { inAll: UPLOADS_MAX, ofAccount: UPLOADS_OF_ACCOUNT_MAX }) {
    this.#max = max;
  }

  async run<T>(account: number, work: () => Promise<T>): Promise<T> {
    const own = this.#running.get(account) ?? 0;
    if (own >= this.#max.ofAccount || this.#inAll >= this.#max.inAll) {
      const message = 'Too many requests: too many files are arriving at the same time. Try again in a few seconds.';
      throw new Failure('rate_limited', message, { retryAfterSeconds: 3 });
    }
    this.#running.set(account, own + 1);
    this.#inAll++;
    try {
      return await work();
    } finally {
      this.#inAll--;
      const left = (this.#running.get(account) ?? 1) - 1;
      if (left > 0) this.#running.set(account, left);
      else this.#running.delete(account);
    }
  }
}

export interface StartImportDeps {
  imports: ImportJobs;
  changeWorkspace: ChangeWorkspace<{ imports: ImportChanges }>;
  clock: Clock;
}

/** Stores the bytes of a file, and lets the service import it, as the actor or as `runAs`. */
export async function startImport(
  deps: StartImportDeps,
  by: ChangeBy,
  request: ImportRequest,
  bytes: AsyncIterable<Uint8Array>,
  runAs = by.actor,
): Promise<ImportJob> {
  const { id } = await storeFile(deps, { ...by, actor: runAs }, request, bytes);
  try {
    return await deps.changeWorkspace({ ...by, at: deps.clock.now() }, ({ imports }) => imports.enqueue(id));
  } catch (error) {
    // What remains if this fails is removed later.
    await deps.imports.discard(by.workspaceId, id).catch(() => {});
    throw error;
  }
}

export interface StoredFile {
  /** The id of the import that can be made of it. */
  id: string;
  /** SHA-256 of its bytes. */
  digest: string;
}

/** Stores the bytes of a file as they arrive. If that fails, it is removed. */
export async function storeFile(
  { imports, clock }: { imports: ImportJobs; clock: Clock },
  { workspaceId, actor }: { workspaceId: number; actor: Actor },
  request: ImportRequest,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const id = makeJobId();
  const hash = createHash('sha256');
  await imports.begin({ workspaceId, id, request, actor, createdAt: clock.now() });
  try {
    let number = 0;
    for await (const piece of inPieces(bytes)) {
      hash.update(piece);
      await imports.addPiece(workspaceId, id, { number: number++, bytes: piece, at: clock.now() });
    }
    return { id, digest: hash.digest('base64url') };
  } catch (error) {
    // If this fails as well, the first error is the one to report, and what is left is removed within an hour or two.
    await imports.discard(workspaceId, id).catch(() => {});
    throw error;
  }
}

/** One piece of memory for each file, however small the chunks are. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES);
  let size = 0;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + PIECE_BYTES - size);
      piece.set(part, size);
      size += part.length;
      start += part.length;
      if (size < PIECE_BYTES) continue;
      yield piece;
      piece = Buffer.allocUnsafe(PIECE_BYTES);
      size = 0;
    }
  }
  if (size > 0) yield piece.subarray(0, size);
}
