import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { IdSet } from '../../domain/clients/id-set.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import { AdaptiveSliceSize, SlicePauses } from '../adaptive-slice-size.ts';
import type { ReadOnlyDatabase, SearchEngine } from '../engines/engine.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS } from './client-rows.ts';
import type { RowPosition } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { estimateWords, type WordEstimate } from './word-sample.ts';

const ABOUT_AS_RARE = 4;

/** Nearly always, the first of them is enough to know that there are any. */
const ROWS_AT_ONCE = 100;

export interface WordTask {
  db: ReadOnlyDatabase;
  engine: SearchEngine;
  bounds: SearchBounds;
  workspaceId: number;
  words: readonly string[];
  signal: AbortSignal | undefined;
}

/** The clients that have some of the words of a search, or all of them, according to the index. */
export interface Candidates {
  ids: readonly number[];
  /** The words that these clients need not have. */
  unchecked: readonly string[];
}

/**
 * Both engines collect all clients with a word before they intersect them with those of the next word, and a word that is in
 * every email would take longer than everything else. So the index is asked without the common words. Returns `undefined` if
 * it is faster to read the list until enough clients are found, or if the index would have to collect too many.
 */
export async function findCandidates(task: WordTask): Promise<Candidates | undefined> {
  const { words, bounds } = task;
  if (words.length === 0) return { ids: [], unchecked: [] };
  const estimate = await estimateWords(task);
  if (!estimate) return candidatesWith(task, words);
  if (isReadFaster(estimate, bounds)) return undefined;
  const asked = wordsToAsk(estimate, bounds);
  const candidates = asked.length > 0 ? await candidatesWith(task, asked) : undefined;
  if (!candidates || candidates.unchecked.length === 0 || candidates.ids.length <= bounds.candidates) return candidates;
  // So many rows take longer to read than all words take to collect.
  if (collectedFor(estimate, words) <= bounds.collected) return candidatesWith(task, words);
  const fewer = await withFurtherWords(task, estimate, candidates);
  return fewer.ids.length < bounds.found / estimate.shareWithAll ? fewer : undefined;
}

/**
 * Asks the index for one word after the other, the rarest first, until few clients are left. Together, the words would keep a
 * process from answering for too long; one by one, others are let in between. Without this, the rows of hundreds of thousands of
 * clients were read for two names in ten million, which took twelve seconds.
 */
async function withFurtherWords(task: WordTask, estimate: WordEstimate, candidates: Candidates): Promise<Candidates> {
  const { bounds, signal } = task;
  const sizeOf = (word: string) => estimate.each.get(word) ?? 0;
  let { ids, unchecked } = candidates;
  for (const word of unchecked.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    if (ids.length <= bounds.candidates || sizeOf(word) > bounds.collected) break;
    await nextTurn();
    signal?.throwIfAborted();
    const others = await candidatesWith(task, [word]);
    if (!others) break;
    const hasWord = new IdSet(others.ids);
    ids = ids.filter((id) => hasWord.has(id));
    unchecked = unchecked.filter((each) => each !== word);
  }
  return { ids, unchecked };
}

/** The rarest words, as far as the index can collect them. One that is about as rare as the rarest helps to find few clients. */
function wordsToAsk(estimate: WordEstimate, { commonFrom, collected }: SearchBounds): string[] {
  const rarestFirst = [...estimate.each].sort(([, a], [, b]) => a - b);
  const most = Math.max(commonFrom, ABOUT_AS_RARE * (rarestFirst[0]?.[1] ?? 0));
  const words: string[] = [];
  for (const [word, clients] of rarestFirst) {
    if (clients <= most && collectedFor(estimate, [...words, word]) <= collected) words.push(word);
  }
  return words;
}

function isReadFaster({ each, shareWithAll }: WordEstimate, { found, collectedPerRead }: SearchBounds): boolean {
  const collected = each.values().reduce((sum, clients) => sum + clients, 0);
  return shareWithAll > 0 && collected > (collectedPerRead * found) / shareWithAll;
}

function collectedFor({ each }: WordEstimate, words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (each.get(word) ?? 0), 0);
}

/** `undefined` if there are too many, which is possible in spite of the estimate. */
async function candidatesWith(
  { db, engine, workspaceId, bounds, words }: WordTask,
  asked: readonly string[],
): Promise<Candidates | undefined> {
  const ids = await engine.words.find(db, workspaceId, asked, bounds.collected + 1);
  if (!ids || ids.length > bounds.collected) return undefined;
  return { ids, unchecked: words.filter((word) => !asked.includes(word)) };
}

/** Whether a search finds anybody. */
export async function findsAnybody(task: WordTask): Promise<boolean> {
  const candidates = await findCandidates(task);
  // So many have the words, or words that are so common, that the index is not asked.
  if (!candidates) return true;
  const { ids, unchecked } = candidates;
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    const some = ids.slice(start, start + ROWS_AT_ONCE);
    if ((await readPositions({ ...task, filter: {} }, some, unchecked)).length > 0) return true;
  }
  return false;
}

/** The positions of the candidates that match the whole search, in any order, some at a time. */
export async function* positionsOf(
  { db, engine, workspaceId, signal }: WordTask,
  { ids, unchecked }: Candidates,
  filter: ClientFilter,
): AsyncGenerator<RowPosition[]> {
  const size = new AdaptiveSliceSize(engine.sliceMs);
  const pauses = new SlicePauses(engine.pauseMs);
  for (let start = 0; start < ids.length; ) {
    signal?.throwIfAborted();
    const slice = await size.measure((rows) => {
      const some = ids.slice(start, start + rows);
      start += rows;
      return readPositions({ db, engine, workspaceId, filter }, some, unchecked);
    });
    yield slice.map(({ id, created_at }) => ({ id, created_at }));
    await pauses.afterSlice();
  }
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
