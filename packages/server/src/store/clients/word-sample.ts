import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { ReadOnlyDatabase, SearchEngine } from '../engines/engine.ts';
import { SEARCHED_COLUMNS } from './client-rows.ts';
import type { SearchBounds } from './search-bounds.ts';

/** Neighbouring rows are read together, so a sample consists of several clients at each of a few random places. */
const SAMPLE_PLACES = 10;
const SAMPLE_NEIGHBOURS = 20;

/** About how many clients of a workspace have words. Only the duration of a search depends on it. */
export interface WordEstimate {
  /** How many have a word, for each word. */
  each: ReadonlyMap<string, number>;
  /** The share of all clients that have all words, from 0 to 1. */
  shareWithAll: number;
}

interface SampleTask {
  db: ReadOnlyDatabase;
  engine: Pick<SearchEngine, 'listOf'>;
  bounds: SearchBounds;
  workspaceId: number;
  words: readonly string[];
}

/** Estimates from a sample, or returns `undefined` if the workspace is so small that no question takes long. */
export async function estimateWords(task: SampleTask): Promise<WordEstimate | undefined> {
  const { db, engine, bounds, workspaceId, words } = task;
  const { last } = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select('last_client_id as last')
    .executeTakeFirstOrThrow();
  if (last <= bounds.commonFrom && last * words.length <= bounds.collected) return undefined;
  const sample = await db
    .selectFrom('clients')
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.id', 'in', engine.listOf([...sampledIds(last)]))
    .select(SEARCHED_COLUMNS)
    .execute();
  const sampled = sample.map(wordsOfClient);
  const shareOf = (searched: readonly string[]) =>
    sampled.filter((own) => matchWords(own, searched)).length / Math.max(1, sampled.length);
  return { each: new Map(words.map((word) => [word, last * shareOf([word])])), shareWithAll: shareOf(words) };
}

function* sampledIds(last: number): Generator<number> {
  for (let place = 0; place < SAMPLE_PLACES; place++) {
    const first = 1 + Math.floor(Math.random() * (last - SAMPLE_NEIGHBOURS));
    for (let id = first; id < first + SAMPLE_NEIGHBOURS; id++) yield id;
  }
}
