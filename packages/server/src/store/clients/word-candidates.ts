import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { AdaptiveSliceSize } from './adaptive-slice-size.ts';
import { matchesFilter } from './client-filter.ts';
import type { RowPosition } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { SEARCHED_COLUMNS } from './searched-columns.ts';

/** Neighbouring rows are read together, so a sample consists of several clients at each of a few random places. */
const SAMPLE_PLACES = 10;
const SAMPLE_NEIGHBOURS = 20;
/** The share of the sample that makes a word common. */
const COMMON_SHARE = 0.1;

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
 * Asks the index for the words that are not common. Both engines collect all clients with a word that begins alike before they
 * intersect them, so the letter with which most emails end would take longer than everything else.
 */
export async function findCandidates(task: WordTask): Promise<Candidates> {
  const { db, engine, bounds, workspaceId, words } = task;
  if (words.length === 0) return { ids: [], unchecked: [] };
  const common = await commonWords(task);
  const asked = words.filter((word) => !common.includes(word));
  if (asked.length === 0) return { ids: undefined, isCertain: false };
  const ids = await engine.words.find(db, workspaceId, asked, bounds.candidates + 1);
  if (ids.length <= bounds.candidates) return { ids, unchecked: common };
  return { ids: undefined, isCertain: common.length === 0 && ids.length > bounds.found };
}

/** An estimate, on which only the duration of a search depends. */
async function commonWords({ db, engine, bounds, workspaceId, words }: WordTask): Promise<string[]> {
  const { last } = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select('last_client_id as last')
    .executeTakeFirstOrThrow();
  if (last < bounds.sampledFrom) return [];
  const sample = await db
    .selectFrom('clients')
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.id', 'in', engine.listOf([...sampledIds(last)]))
    .select(SEARCHED_COLUMNS)
    .execute();
  const sampled = sample.map(wordsOfClient);
  return words.filter((word) => {
    const found = sampled.filter((own) => matchWords(own, [word])).length;
    return found > sampled.length * COMMON_SHARE;
  });
}

function* sampledIds(last: number): Generator<number> {
  for (let place = 0; place < SAMPLE_PLACES; place++) {
    const first = 1 + Math.floor(Math.random() * (last - SAMPLE_NEIGHBOURS));
    for (let id = first; id < first + SAMPLE_NEIGHBOURS; id++) yield id;
  }
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
