import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { SEARCHED_COLUMNS } from './client-rows.ts';
import type { SearchBounds } from './search-bounds.ts';

/** Neighbouring rows are read together, so a sample consists of several clients at each of a few random places. */
const SAMPLE_PLACES = 10;
const SAMPLE_NEIGHBOURS = 20;
/** The share of the sample that makes a word common. */
const COMMON_SHARE = 0.1;

interface SampleTask {
  db: ReadOnlyDatabase;
  engine: Engine;
  bounds: SearchBounds;
  workspaceId: number;
  words: readonly string[];
}

/**
 * The words that many clients of a large workspace have, by a sample. It is better not to ask the index for them: both engines
 * collect all clients with a word before they intersect them with those of the next, and a word that is in every email would
 * take longer than everything else. Only the duration of a search depends on the sample.
 */
export async function findCommonWords({ db, engine, bounds, workspaceId, words }: SampleTask): Promise<string[]> {
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
