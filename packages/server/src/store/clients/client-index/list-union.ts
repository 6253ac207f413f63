import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import { comparePositions, type FilterCombination, LIST_END, LIST_START, type Position } from './combination.ts';
import type { PageFinder, PageStart } from './page-finder.ts';

/** A counted list: a filter combination and its page finder. */
export interface CountedList {
  combination: FilterCombination;
  pageFinder: PageFinder;
}

/** From one position, inclusive, to another, exclusive. */
export interface PositionRange {
  from: Position;
  until: Position;
}

export const WHOLE_LIST: PositionRange = { from: LIST_START, until: LIST_END };

/** A part of a list that is shorter than a run. */
export interface ListPart extends PositionRange {
  combination: FilterCombination;
}

/** What a union may read from the database to locate a page. */
export interface UnionReads {
  /** Loads the runs of the list around the position, and returns whether they were not in memory yet. */
  loadRuns?(list: CountedList, position: Position): Promise<boolean>;
  /** The number of clients of each part, or `undefined` if the data has changed since the page finders were loaded. */
  count(parts: readonly ListPart[]): Promise<number[] | undefined>;
}

/** The slice of a list that makes up a page. */
export interface LocatedPage extends PageStart {
  limit: number;
}

/** How many clients of the lists are before the beginning and before the end of the range. */
export interface Ends {
  first: number;
  end: number;
}

/**
 * The clients of several lists that have none in common, within a range of positions. Everything is computed from ranks: how
 * many clients of the lists stand before a position. The ranks of a union are the sums of those of its lists, its total is
 * the difference of the ranks at both ends, and page N is found by searching for the position with its rank.
 *
 * What is not in memory makes the methods return `undefined`, unless `reads` can load it.
 */
export class ListUnion {
  readonly range: PositionRange;
  /** The lists that contain any clients, the largest first. */
  readonly lists: readonly CountedList[];
  #ends: Ends | undefined;

  constructor(lists: readonly CountedList[], range: PositionRange, ends?: Ends) {
    this.range = range;
    this.lists = lists
      .filter(({ pageFinder }) => pageFinder.total > 0)
      .sort((a, b) => b.pageFinder.total - a.pageFinder.total);
    this.#ends = ends;
    if (range === WHOLE_LIST) this.#ends = { first: 0, end: this.#sum(({ pageFinder }) => pageFinder.total) };
    else if (comparePositions(range.from, range.until) >= 0) this.#ends = { first: 0, end: 0 };
  }

  /** Known after the first page or total. */
  get ends(): Ends | undefined {
    return this.#ends;
  }

  async total(reads: UnionReads): Promise<number | undefined> {
    const ends = await this.#measure(reads);
    return ends && ends.end - ends.first;
  }

  /** Finds the page of `limit` clients after the first `offset` ones in this order. */
  async locate(
    { offset, limit, order }: { offset: number; limit: number; order: 'newest' | 'oldest' },
    reads: UnionReads,
  ): Promise<LocatedPage | undefined> {
    const ends = await this.#measure(reads);
    if (!ends) return undefined;
    const rows = Math.min(limit, ends.end - ends.first - offset);
    if (rows <= 0) return { direction: 'older', from: this.range.until, skip: 0, limit: 0 };
    const fromNewest = order === 'newest' ? offset : ends.end - ends.first - offset - rows;
    const start = this.#startInMemory(fromNewest, rows);
    if (start) return { ...start, limit: rows };
    const newest = ends.end - 1 - fromNewest;
    if (newest === ends.end - 1) return { direction: 'older', from: this.range.until, skip: 0, limit: rows };
    if (newest + 1 - rows === ends.first) {
      return { direction: 'newer', from: justBefore(this.range.from), skip: 0, limit: rows };
    }
    const boundary = await this.#boundaryAfter(newest, ends, reads);
    return boundary && { direction: 'older', from: boundary.position, skip: boundary.rank - 1 - newest, limit: rows };
  }

  /** In a single whole list, the boundaries of runs are exact, and a page can be read from either end of its run. */
  #startInMemory(fromNewest: number, rows: number): PageStart | undefined {
    const [list] = this.lists;
    return this.range === WHOLE_LIST && this.lists.length === 1 ? list?.pageFinder.locate(fromNewest, rows) : undefined;
  }

  async #measure(reads: UnionReads): Promise<Ends | undefined> {
    if (!this.#ends) {
      const [first, end] = (await this.#ranks([this.range.from, this.range.until], reads)) ?? [];
      if (first !== undefined && end !== undefined) this.#ends = { first, end };
    }
    return this.#ends;
  }

  /** The next start of a run, in any of the lists, after the client with this rank, and the rank at this position. */
  async #boundaryAfter(
    rank: number,
    ends: Ends,
    reads: UnionReads,
  ): Promise<{ position: Position; rank: number } | undefined> {
    for (let wanted = rank + 1; ; ) {
      const { before, position } = this.#boundaryNear(wanted);
      // With these runs the estimates are better, so another boundary may be nearer.
      if (await this.#loadAt(before, reads)) continue;
      if (!this.lists.every(({ pageFinder }) => pageFinder.runAt(before))) return undefined;
      if (!position || comparePositions(position, this.range.until) >= 0) {
        return { position: this.range.until, rank: ends.end };
      }
      const [exact] = (await this.#ranks([position], reads)) ?? [];
      if (exact === undefined) return undefined;
      if (exact > rank) return { position, rank: exact };
      // More than the estimate of this boundary, so that the next one is later.
      wanted = this.#estimate(position) + rank + 1 - exact;
    }
  }

  /**
   * By estimate: the first start of a run or section, in any of the lists, with at least this many clients before it, and
   * the last one with fewer. There is none between them, except in runs that are not in memory.
   */
  #boundaryNear(rank: number): { before: Position; position: Position | undefined } {
    let before = LIST_START;
    let position: Position | undefined;
    // The largest list narrows the search, so that few estimates are needed for the others.
    const reaches = (start: Position) => {
      if (position && comparePositions(start, position) >= 0) return true;
      if (comparePositions(start, before) <= 0) return false;
      const isReached = this.#estimate(start) >= rank;
      if (isReached) position = start;
      else before = start;
      return isReached;
    };
    for (const { pageFinder } of this.lists) pageFinder.findStart(reaches);
    return { before, position };
  }

  #estimate(position: Position): number {
    return this.#sum(({ pageFinder }) => pageFinder.estimate(position));
  }

  async #loadAt(position: Position, { loadRuns }: UnionReads): Promise<boolean> {
    let isLoaded = false;
    for (const list of this.lists) isLoaded = ((await loadRuns?.(list, position)) ?? false) || isLoaded;
    return isLoaded;
  }

  /** How many clients are before each of these positions. */
  async #ranks(positions: readonly Position[], reads: UnionReads): Promise<number[] | undefined> {
    const parts: (ListPart & { index: number })[] = [];
    const ranks = positions.map(() => 0);
    for (const [index, position] of positions.entries()) {
      await this.#loadAt(position, reads);
      for (const { combination, pageFinder } of this.lists) {
        const run = pageFinder.runAt(position);
        if (!run) return undefined;
        ranks[index] = (ranks[index] as number) + run.before;
        if (comparePositions(run.start, position) === 0) continue;
        parts.push({ index, combination, from: run.start, until: position });
      }
    }
    const counts = parts.length === 0 ? [] : await reads.count(parts);
    if (!counts) return undefined;
    for (const [number, { index }] of parts.entries())
      ranks[index] = (ranks[index] as number) + (counts[number] as number);
    return ranks;
  }

  #sum(of: (list: CountedList) => number): number {
    let sum = 0;
    for (const list of this.lists) sum += of(list);
    return sum;
  }
}

/** The range of the creation times, which begin with the lowest id. */
export function rangeOf({ createdFrom, createdUntil }: ClientFilter): PositionRange {
  if (createdFrom === undefined && createdUntil === undefined) return WHOLE_LIST;
  return {
    from: createdFrom === undefined ? LIST_START : { createdAt: createdFrom, id: 0 },
    until: createdUntil === undefined ? LIST_END : { createdAt: createdUntil, id: 0 },
  };
}

function justBefore({ createdAt, id }: Position): Position {
  return { createdAt, id: id - 1 };
}
