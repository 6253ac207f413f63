import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { AdaptiveSliceSize } from './adaptive-slice-size.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS } from './client-rows.ts';
import { findCommonWords } from './common-words.ts';
import type { RowPosition } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';

export interface WordTask {
  db: ReadOnlyDatabase;
  engine: Engine;
  bounds: SearchBounds;
  workspaceId: number;
  words: readonly string[];
  signal: AbortSignal | undefined;
}

/** What the index of words says about a search. */
export type Candidates =
  | {
      /** Few enough to read all of them. */
      ids: readonly number[];
      /** The words that these clients need not have. */
      unchecked: readonly string[];
    }
  | {
      ids: undefined;
      /** Whether it is certain that more clients have all words than are counted. */
      isCertain: boolean;
    };

/** Asks the index for the words that are not common. */
export async function findCandidates(task: WordTask): Promise<Candidates> {
  const { db, engine, bounds, workspaceId, words } = task;
  if (words.length === 0) return { ids: [], unchecked: [] };
  const common = await findCommonWords(task);
  const asked = words.filter((word) => !common.includes(word));
  if (asked.length === 0) return { ids: undefined, isCertain: false };
  const ids = await engine.words.find(db, workspaceId, asked, bounds.candidates + 1);
  if (ids.length <= bounds.candidates) return { ids, unchecked: common };
  return { ids: undefined, isCertain: common.length === 0 && ids.length > bounds.found };
}

/** The positions of the candidates that match the whole search, in any order. */
export async function positionsOf(
  { db, engine, workspaceId, signal }: WordTask,
  { ids, unchecked }: { ids: readonly number[]; unchecked: readonly string[] },
  filter: ClientFilter,
): Promise<RowPosition[]> {
  const positions: RowPosition[] = [];
  const size = new AdaptiveSliceSize(engine.sliceMs);
  for (let start = 0; start < ids.length; ) {
    signal?.throwIfAborted();
    const slice = await size.measure((rows) => {
      const some = ids.slice(start, start + rows);
      start += rows;
      return readPositions({ db, engine, workspaceId, filter }, some, unchecked);
    });
    for (const { id, created_at } of slice) positions.push({ id, created_at });
    // Shorter than the pause between the slices of a list, because these are few.
    await nextTurn();
  }
  return positions;
}

async function readPositions(
  { db, engine, workspaceId, filter }: Pick<WordTask, 'db' | 'engine' | 'workspaceId'> & { filter: ClientFilter },
  ids: readonly number[],
  unchecked: readonly string[],
): Promise<RowPosition[]> {
  const query = db
    .selectFrom('clients')
    .where(matchesFilter(workspaceId, filter))
    .where('clients.id', 'in', engine.listOf(ids))
    .select(['clients.id', 'clients.created_at']);
  if (unchecked.length === 0) return query.execute();
  const rows = await query.select(SEARCHED_COLUMNS).execute();
  return rows.filter((row) => matchWords(wordsOfClient(row), unchecked));
}
