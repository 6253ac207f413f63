import { createHash } from 'node:crypto';
import type { Actor } from '../change.ts';
import type { Clock } from '../clock.ts';
import { type ImportJobs, type ImportRequest, makeJobId } from './import-job.ts';

/** A transaction stores one piece, so it is small, and large enough that the file is read quickly. */
const PIECE_BYTES = 1024 * 1024;

export interface StoredFile {
  /** The id of the import that can be made of it. */
  id: string;
  /** SHA-256 of its bytes. */
  digest: string;
}

/** Stores the bytes of a file as they arrive. If that fails, nothing of it is left. */
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
      await imports.addPiece(workspaceId, id, number++, piece);
    }
    return { id, digest: hash.digest('base64url') };
  } catch (error) {
    await imports.discard(workspaceId, id);
    throw error;
  }
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(held);
}
