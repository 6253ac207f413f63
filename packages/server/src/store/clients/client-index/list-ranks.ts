import { comparePositions, type FilterCombination, type Position, type PositionRange } from './combination.ts';
import type { CountedList } from './page-finder.ts';

/** A part of a list that is shorter than a run. */
export interface ListPart extends PositionRange {
  combination: FilterCombination;
}

/** What may be read from the database to compute ranks. */
export interface RankReads {
  /** Loads the runs of the lists around the positions, and returns whether some were not in memory yet. */
  loadRuns?(lists: readonly CountedList[], positions: readonly Position[]): Promise<boolean>;
  /** The number of clients of each part, or `undefined` if the data has changed since the page finders were loaded. */
  count(parts: readonly ListPart[]): Promise<number[] | undefined>;
}

/**
 * How many clients of each list are before each of the positions: `ranks[list][position]`. The number before the run that
 * contains the position is in memory, and one statement counts the rest, for all lists and positions at once. Returns
 * `undefined` if something is not in memory and cannot be loaded.
 */
export async function ranksOf(
  lists: readonly CountedList[],
  positions: readonly Position[],
  reads: RankReads,
): Promise<number[][] | undefined> {
  await reads.loadRuns?.(lists, positions);
  const ranks: number[][] = [];
  const parts: (ListPart & { list: number; position: number })[] = [];
  for (const [list, counted] of lists.entries()) {
    const own: number[] = [];
    for (const [position, until] of positions.entries()) {
      const run = counted.pageFinder.runAt(until);
      if (!run) return undefined;
      own.push(run.before);
      if (comparePositions(run.start, until) === 0) continue;
      parts.push({ list, position, combination: counted.combination, from: run.start, until });
    }
    ranks.push(own);
  }
  const counts = parts.length === 0 ? [] : await reads.count(parts);
  if (!counts) return undefined;
  for (const [number, { list, position }] of parts.entries()) {
    const own = ranks[list] as number[];
    own[position] = (own[position] as number) + (counts[number] as number);
  }
  return ranks;
}
