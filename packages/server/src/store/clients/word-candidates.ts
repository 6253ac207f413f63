import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { AdaptiveSliceSize } from './adaptive-slice-size.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS } from './client-rows.ts';
import type { RowPosition } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { estimateWords, type WordEstimate } from './word-sample.ts';

const ABOUT_AS_RARE = 4;

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

/**
 * Both engines collect all clients with a word before they intersect them with those of the next word, and a word that is in
 * every email would take longer than everything else. So the index is first asked without the common words, and not at all
 * if it is faster to read the list until enough clients are found.
 */
export async function findCandidates(task: WordTask): Promise<Candidates> {
  const { words, bounds } = task;
  if (words.length === 0) return { ids: [], unchecked: [] };
  const estimate = await estimateWords(task);
  if (estimate && isReadFaster(estimate, bounds)) return { ids: undefined, isCertain: false };
  const common = estimate ? commonWords(estimate, bounds) : [];
  if (common.length > 0) {
    const rare = words.filter((word) => !common.includes(word));
    const ids = await ask(task, rare);
    if (ids.length <= bounds.candidates) return { ids, unchecked: common };
  }
  const ids = await ask(task, words);
  if (ids.length <= bounds.candidates) return { ids, unchecked: [] };
  return { ids: undefined, isCertain: ids.length > bounds.found };
}

/** Never all words: one that is about as rare as the rarest helps to find few clients. */
function commonWords({ each }: WordEstimate, { commonFrom }: SearchBounds): string[] {
  const most = Math.max(commonFrom, ABOUT_AS_RARE * Math.min(...each.values()));
  return [...each].filter(([, clients]) => clients > most).map(([word]) => word);
}

function isReadFaster({ each, shareWithAll }: WordEstimate, { found, collectedPerRead }: SearchBounds): boolean {
  const collected = each.values().reduce((sum, clients) => sum + clients, 0);
  return shareWithAll > 0 && collected > (collectedPerRead * found) / shareWithAll;
}

function ask({ db, engine, workspaceId, bounds }: WordTask, words: readonly string[]): Promise<number[]> {
  return engine.words.find(db, workspaceId, words, bounds.candidates + 1);
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
