import { sql } from 'kysely';
import { PIECE_BYTES } from '../../domain/clients/store-import.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { KeepBooks } from '../unit-of-work.ts';

/** These hold no more than a few megabytes in memory. */
const PIECES_AT_ONCE = 8;

/** In several transactions, so that no other one waits for long. */
export async function removePieces(keepBooks: KeepBooks, workspaceId: number, id: string): Promise<void> {
  for (let removed = PIECES_AT_ONCE; removed === PIECES_AT_ONCE; ) {
    removed = await keepBooks(async (db) => {
      const pieces = await db
        .selectFrom('import_pieces')
        .where('workspace_id', '=', workspaceId)
        .where('import_id', '=', id)
        .select('number')
        // The first one goes last: as long as it exists, the others are found.
        .orderBy('number', 'desc')
        .limit(PIECES_AT_ONCE)
        .execute();
      for (const { number } of pieces) {
        await db
          .deleteFrom('import_pieces')
          .where('workspace_id', '=', workspaceId)
          .where('import_id', '=', id)
          .where('number', '=', number)
          .execute();
      }
      return pieces.length;
    });
  }
}

export async function storedBytes(reads: ReadOnlyDatabase, workspaceId: number, id: string): Promise<number> {
  const last = await reads
    .selectFrom('import_pieces')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .select(['number', sql<number>`length(bytes)`.as('bytes')])
    .executeTakeFirst();
  // All others have the same size.
  return last ? last.number * PIECE_BYTES + last.bytes : 0;
}

/** Removes what a process that was killed has left: pieces of imports that are over, or of which there is no import. */
export async function removeUnusedPieces(reads: ReadOnlyDatabase, keepBooks: KeepBooks): Promise<void> {
  const unused = await reads
    .selectFrom('import_pieces')
    .leftJoin('import_jobs', (join) =>
      join
        .onRef('import_jobs.workspace_id', '=', 'import_pieces.workspace_id')
        .onRef('import_jobs.id', '=', 'import_pieces.import_id'),
    )
    .where('import_pieces.number', '=', 0)
    .where(({ or, eb }) => or([eb('import_jobs.id', 'is', null), eb('import_jobs.ended_at', 'is not', null)]))
    .select(['import_pieces.workspace_id', 'import_pieces.import_id'])
    .execute();
  for (const { workspace_id, import_id } of unused) await removePieces(keepBooks, workspace_id, import_id);
}
