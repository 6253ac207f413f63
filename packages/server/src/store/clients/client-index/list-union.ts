import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import {
  comparePositions,
  type FilterCombination,
  LIST_END,
  LIST_START,
  type Position,
  type PositionRange,
} from './combination.ts';
import { INDEX_LEVELS, type IndexLevels } from './levels.ts';
import { type RankReads, ranksOf } from './list-ranks.ts';
import type { CountedList, PageStart } from './page-finder.ts';

export const WHOLE_LIST: PositionRange = { from: LIST_START, until: LIST_END };

/** The slice of a list that makes up a page, or a part of one. */
export interface LocatedPage extends PageStart {
  limit: number;
}

/** Which clients to locate: after the first `offset` ones in this order, or next to a position in either direction. */
export type LocateWindow = { limit: number } & (
  | { offset: number; order: 'newest' | 'oldest' }
  | { olderThan: Position }
  | { newerThan: Position }
);

/** How many clients of the lists are before the beginning and before the end of the range. */
export interface Ends {
  first: number;
  end: number;
}

/** A position and how many clients are before it. */
interface RankedPosition {
  position: Position;
  rank: number;
}

/** Two positions between which clients are searched for. */
interface Bracket {
  low: RankedPosition;
  high: RankedPosition;
}

/** How many runs of clients a read may pass over among excluded ones: in total, and for each client that it returns. */
const PASSED_RUNS = 8;
const PASSED_RUNS_PER_ROW = 1 / 16;

/**
 * The clients of several lists that have none in common, within a range of positions, except those of other lists, which
 * are parts of these. Everything is computed from ranks: how many clients stand before a position. The ranks of lists add
 * up, those of excluded lists are subtracted, the total is the difference of the ranks at both ends, and page N is found by
 * searching for the position with its rank.
 *
 * What is not in memory makes the methods return `undefined`, unless `reads` can load it.
 */
export class ListUnion {
  readonly range: PositionRange;
  /** The lists that contain any clients, the largest first. */
  readonly lists: readonly CountedList[];
  readonly excluded: readonly CountedList[];
  readonly #runSize: number;
  #ends: Ends | undefined;

  constructor(
    { lists, excluded }: { lists: readonly CountedList[]; excluded: readonly CountedList[] },
    { range, ends, levels = INDEX_LEVELS }: { range: PositionRange; ends?: Ends | undefined; levels?: IndexLevels },
  ) {
    this.range = range;
    this.#runSize = levels.runs.maxSize;
    this.lists = withClients(lists);
    this.excluded = withClients(excluded);
    this.#ends = ends;
    if (range === WHOLE_LIST) this.#ends = { first: 0, end: this.#sum(({ pageFinder }) => pageFinder.total) };
    else if (comparePositions(range.from, range.until) >= 0) this.#ends = { first: 0, end: 0 };
  }

  /** Known after the first page or total. */
  get ends(): Ends | undefined {
    return this.#ends;
  }

  async total(reads: RankReads): Promise<number | undefined> {
    const ends = await this.#measure(reads);
    return ends && ends.end - ends.first;
  }

  /** Finds the clients of a window, newest first. These are several pieces if many excluded clients lie between them. */
  async locate(window: LocateWindow, reads: RankReads): Promise<LocatedPage[] | undefined> {
    const { limit } = window;
    if (this.excluded.length === 0) {
      // From a position, nothing has to be computed.
      if ('olderThan' in window) return [{ direction: 'older', from: window.olderThan, skip: 0, limit }];
      if ('newerThan' in window) return [{ direction: 'newer', from: window.newerThan, skip: 0, limit }];
    }
    const ends = await this.#measure(reads);
    const wanted = ends && (await this.#wanted(window, ends, reads));
    if (!ends || !wanted) return undefined;
    if (wanted.rows <= 0) return [];
    const start = this.#startInMemory(ends.end - 1 - wanted.newest, wanted.rows);
    return start ? [{ ...start, limit: wanted.rows }] : this.#pieces(wanted, ends, reads);
  }

  /** The rank of the newest client of the window, and how many clients it has. */
  async #wanted(window: LocateWindow, ends: Ends, reads: RankReads): Promise<Wanted | undefined> {
    if ('offset' in window) {
      const rows = Math.min(window.limit, ends.end - ends.first - window.offset);
      const newest = window.order === 'newest' ? ends.end - 1 - window.offset : ends.first + window.offset + rows - 1;
      return { newest, rows };
    }
    const position = 'olderThan' in window ? window.olderThan : justAfter(window.newerThan);
    const rank = await this.#rank(position, reads);
    if (rank === undefined) return undefined;
    const between = Math.min(Math.max(rank, ends.first), ends.end);
    if ('olderThan' in window) return { newest: between - 1, rows: Math.min(window.limit, between - ends.first) };
    const rows = Math.min(window.limit, ends.end - between);
    return { newest: between + rows - 1, rows };
  }

  /** In a single whole list, the boundaries of runs are exact, and a page can be read from either end of its run. */
  #startInMemory(fromNewest: number, rows: number): PageStart | undefined {
    const [list] = this.lists;
    const isPlain = this.range === WHOLE_LIST && this.lists.length === 1 && this.excluded.length === 0;
    return isPlain ? list?.pageFinder.locate(fromNewest, rows) : undefined;
  }

  async #pieces(wanted: Wanted, ends: Ends, reads: RankReads): Promise<LocatedPage[] | undefined> {
    if (this.excluded.length > 0) return this.#piecesAmongExcluded(wanted, ends, reads);
    const atEnd = this.#pageAtEnd(wanted, ends);
    if (atEnd) return [atEnd];
    const boundary = await this.#boundaryAfter(wanted.newest, ends, reads);
    return boundary && [pageBefore(boundary, wanted)];
  }

  #pageAtEnd({ newest, rows }: Wanted, ends: Ends): LocatedPage | undefined {
    if (newest === ends.end - 1) return { direction: 'older', from: this.range.until, skip: 0, limit: rows };
    if (newest + 1 - rows !== ends.first) return undefined;
    return { direction: 'newer', from: justBefore(this.range.from), skip: 0, limit: rows };
  }

  /** First guesses where the clients are, a little too far in both directions, because the guesses are not exact. */
  async #piecesAmongExcluded(wanted: Wanted, ends: Ends, reads: RankReads): Promise<LocatedPage[] | undefined> {
    const bracket: Bracket = {
      low: { position: this.range.from, rank: ends.first },
      high: { position: this.range.until, rank: ends.end },
    };
    const { newest, rows } = wanted;
    for (const guess of [newest + 1 + this.#runSize, newest - rows - this.#runSize]) {
      if (guess <= ends.first || guess >= ends.end) continue;
      const near = await this.#startNear(guess, (position) => this.#estimate(position), bracket, reads);
      if (near === undefined) return undefined;
      if (!near) continue;
      if (near.rank > newest) bracket.high = near;
      else if (near.rank <= newest - rows + 1) bracket.low = near;
    }
    return this.#piecesWithin(bracket, wanted, reads);
  }

  /**
   * Halves the bracket, which contains all wanted clients, until few clients have to be passed over. The halves are chosen by
   * the lists without the exclusions, whose estimates never decrease. If wanted clients are on both sides, there are pieces.
   */
  async #piecesWithin(bracket: Bracket, wanted: Wanted, reads: RankReads): Promise<LocatedPage[] | undefined> {
    const { newest, rows } = wanted;
    const oldest = newest - rows + 1;
    let { low, high } = bracket;
    for (;;) {
      const [from, until] = [this.#estimateOfLists(low.position), this.#estimateOfLists(high.position)];
      if (until - from <= this.#runSize * (PASSED_RUNS + PASSED_RUNS_PER_ROW * rows)) break;
      const estimate = (position: Position) => this.#estimateOfLists(position);
      const middle = await this.#startNear((from + until) / 2, estimate, { low, high }, reads);
      if (middle === undefined) return undefined;
      if (!middle) break;
      if (middle.rank > newest) high = middle;
      else if (middle.rank <= oldest) low = middle;
      else {
        const newer = { newest, rows: newest - middle.rank + 1 };
        const older = { newest: middle.rank - 1, rows: middle.rank - oldest };
        const first = await this.#piecesWithin({ low: middle, high }, newer, reads);
        const rest = first && (await this.#piecesWithin({ low, high: middle }, older, reads));
        return rest && [...first, ...rest];
      }
    }
    return [pageBefore(high, wanted)];
  }

  /**
   * A start of a run, in any of the lists, within the bracket and near the given estimate, with its exact rank. Returns null
   * if there is none, and `undefined` if that is not known without loading more.
   */
  async #startNear(
    wanted: number,
    estimate: (position: Position) => number,
    { low, high }: Bracket,
    reads: RankReads,
  ): Promise<RankedPosition | null | undefined> {
    for (;;) {
      const range = { from: low.position, until: high.position };
      const { before, position } = this.#boundaryNear(wanted, range, estimate);
      if (await reads.loadRuns?.(this.#all, [before])) continue;
      if (!this.#all.every(({ pageFinder }) => pageFinder.runAt(before))) return undefined;
      const start = position ?? (comparePositions(before, low.position) > 0 ? before : undefined);
      if (!start) return null;
      const rank = await this.#rank(start, reads);
      return rank === undefined ? undefined : { position: start, rank };
    }
  }

  async #measure(reads: RankReads): Promise<Ends | undefined> {
    if (!this.#ends) {
      const [first, end] = (await this.#ranks([this.range.from, this.range.until], reads)) ?? [];
      if (first !== undefined && end !== undefined) this.#ends = { first, end };
    }
    return this.#ends;
  }

  /** A start of a run, in any of the lists, soon after the client with this rank, and the rank at this position. */
  async #boundaryAfter(rank: number, ends: Ends, reads: RankReads): Promise<RankedPosition | undefined> {
    let { from } = this.range;
    for (let wanted = rank + 1; ; ) {
      const range = { from, until: this.range.until };
      const { before, position } = this.#boundaryNear(wanted, range, (each) => this.#estimate(each));
      // With these runs the estimates are better, so another boundary may be nearer.
      if (await reads.loadRuns?.(this.#all, [before])) continue;
      if (!this.#all.every(({ pageFinder }) => pageFinder.runAt(before))) return undefined;
      if (!position) return { position: this.range.until, rank: ends.end };
      const exact = await this.#rank(position, reads);
      if (exact === undefined) return undefined;
      if (exact > rank) return { position, rank: exact };
      from = position;
      wanted = this.#estimate(position) + rank + 1 - exact;
    }
  }

  /**
   * By estimate: the first start of a run or section, in any of the lists, with at least this many clients before it, and
   * the last one with fewer. Both are after the beginning of the range and before its end, or else the beginning is `before`.
   * There is none between them, except in runs that are not in memory.
   */
  #boundaryNear(
    rank: number,
    { from, until }: PositionRange,
    estimate: (position: Position) => number,
  ): { before: Position; position: Position | undefined } {
    let before = from;
    let position: Position | undefined;
    // The largest list narrows the search, so that few estimates are needed for the others.
    const reaches = (start: Position) => {
      if (comparePositions(start, position ?? until) >= 0) return true;
      if (comparePositions(start, before) <= 0) return false;
      const isReached = estimate(start) >= rank;
      if (isReached) position = start;
      else before = start;
      return isReached;
    };
    for (const { pageFinder } of this.#all) pageFinder.findStart(reaches);
    return { before, position };
  }

  #estimate(position: Position): number {
    return this.#sum(({ pageFinder }) => pageFinder.estimate(position));
  }

  #estimateOfLists(position: Position): number {
    return sumOf(this.lists, ({ pageFinder }) => pageFinder.estimate(position));
  }

  async #rank(position: Position, reads: RankReads): Promise<number | undefined> {
    return (await this.#ranks([position], reads))?.[0];
  }

  /** How many clients are before each of these positions. */
  async #ranks(positions: readonly Position[], reads: RankReads): Promise<number[] | undefined> {
    const ranks = await ranksOf(this.#all, positions, reads);
    if (!ranks) return undefined;
    const rankIn = (list: number, position: number) => ranks[list]?.[position] ?? 0;
    return positions.map((_, position) => {
      let sum = 0;
      for (const list of this.lists.keys()) sum += rankIn(list, position);
      for (const list of this.excluded.keys()) sum -= rankIn(this.lists.length + list, position);
      return sum;
    });
  }

  get #all(): readonly CountedList[] {
    return this.excluded.length === 0 ? this.lists : [...this.lists, ...this.excluded];
  }

  #sum(of: (list: CountedList) => number): number {
    return sumOf(this.lists, of) - sumOf(this.excluded, of);
  }
}

/** The rank of the newest client, and how many clients from there on are wanted. */
interface Wanted {
  newest: number;
  rows: number;
}

/** Read from a position after the clients, passing over those between. */
function pageBefore({ position, rank }: RankedPosition, { newest, rows }: Wanted): LocatedPage {
  return { direction: 'older', from: position, skip: rank - 1 - newest, limit: rows };
}

function withClients(lists: readonly CountedList[]): CountedList[] {
  return lists.filter(({ pageFinder }) => pageFinder.total > 0).sort((a, b) => b.pageFinder.total - a.pageFinder.total);
}

function sumOf(lists: readonly CountedList[], of: (list: CountedList) => number): number {
  let sum = 0;
  for (const list of lists) sum += of(list);
  return sum;
}

export function combinationsIn(lists: readonly CountedList[]): FilterCombination[] {
  return lists.map(({ combination }) => combination);
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

function justAfter({ createdAt, id }: Position): Position {
  return { createdAt, id: id + 1 };
}
