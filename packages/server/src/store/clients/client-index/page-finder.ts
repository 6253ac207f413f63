import { type RawBuilder, sql } from 'kysely';
import type { Engine, ReadOnlyDatabase } from '../../engines/engine.ts';
import { isSameEpoch } from '../../stamp.ts';
import {
  COMBINATION_COLUMNS,
  comparePositions,
  type FilterCombination,
  LIST_END,
  LIST_START,
  type Position,
  type PositionRange,
  toCombinationValues,
} from './combination.ts';
import { INDEX_LEVELS } from './levels.ts';
import { sameCombination } from './list-condition.ts';

/** Consecutive runs or sections of a list, oldest first, as arrays of numbers, which take a third of the memory of objects. */
interface Segments {
  /** The start position of each segment: its time here and its id in `ids`. */
  createdAt: number[];
  ids: number[];
  versions: number[];
  /** The number of clients before each segment. It has one more entry, the total number of clients. */
  before: number[];
}

/** The measured memory, rounded up, of a page finder, of a `Segments` object with its four arrays, and of one segment. */
const PAGE_FINDER_BYTES = 700;
const SEGMENTS_BYTES = 350;
const SEGMENT_BYTES = 4 * 8;

/** From where and as of when lists are read. */
export interface ListRead {
  db: ReadOnlyDatabase;
  engine: Engine;
  workspaceId: number;
  stamp: string;
}

interface SegmentRow {
  created_at: number;
  id: number;
  size: number;
  version: number;
}

const [RUNS, SECTIONS] = [INDEX_LEVELS.runs.number, INDEX_LEVELS.sections.number];

/** How to find a page: start after this position, in this direction, and skip this number of clients. */
export interface PageStart {
  direction: 'older' | 'newer';
  from: Position;
  skip: number;
}

/** A counted list: a filter combination and its page finder. */
export interface CountedList {
  combination: FilterCombination;
  pageFinder: PageFinder;
}

/** Finds page N of one list: a snapshot of its runs and their sizes in the counted index, held in memory. */
export class PageFinder {
  readonly stamp: string;
  readonly #sections: Segments;
  /** The runs of each section, loaded when a page needs them. */
  readonly #runs: (Segments | undefined)[];

  private constructor(stamp: string, sections: Segments, runs: (Segments | undefined)[]) {
    this.stamp = stamp;
    this.#sections = sections;
    this.#runs = runs;
  }

  /**
   * Reads the sections of lists, and reuses the runs of earlier page finders for sections that have not changed. All in one
   * statement, because a filter with several values has a list for each.
   */
  static async loadAll(
    { db, engine, workspaceId, stamp }: ListRead,
    lists: readonly { combination: FilterCombination; earlier: PageFinder | undefined }[],
  ): Promise<CountedList[]> {
    const outdated = lists.filter(({ earlier }) => earlier?.stamp !== stamp);
    const loaded = await loadSections(
      { db, engine, workspaceId },
      outdated.map(({ combination }) => combination),
    );
    const fresh = new Map(outdated.map((list, index) => [list, loaded[index] as Segments]));
    return lists.map((list) => {
      const { combination, earlier } = list;
      const sections = fresh.get(list);
      const pageFinder = sections ? PageFinder.#update(stamp, sections, earlier) : (earlier as PageFinder);
      return { combination, pageFinder };
    });
  }

  static #update(stamp: string, sections: Segments, earlier: PageFinder | undefined): PageFinder {
    const comparable = earlier && isSameEpoch(earlier.stamp, stamp) ? earlier : undefined;
    const runs = sections.versions.map((version, index) => comparable?.runsOf(startOf(sections, index), version));
    return new PageFinder(stamp, sections, runs);
  }

  /** The runs of the section that starts at this position, if its version is the same. */
  runsOf(start: Position | undefined, version: number): Segments | undefined {
    if (!start) return undefined;
    const index = indexOfStart(this.#sections, start);
    return index !== undefined && this.#sections.versions[index] === version ? this.#runs[index] : undefined;
  }

  get total(): number {
    return this.#sections.before.at(-1) ?? 0;
  }

  /** The memory that the page finder takes. */
  get bytes(): number {
    const sections = bytesOf(this.#sections) + 8 * this.#runs.length;
    return this.#runs.reduce((sum, runs) => sum + (runs ? bytesOf(runs) : 0), PAGE_FINDER_BYTES + sections);
  }

  /**
   * Finds the page of `limit` clients after the `offset` newest ones, from the nearer end of its run. Returns `undefined` if
   * the runs of the section are not in memory.
   */
  locate(offset: number, limit: number): PageStart | undefined {
    if (offset === 0 || offset >= this.total) return { direction: 'older', from: LIST_END, skip: 0 };
    const { section, within } = this.#sectionOf(offset);
    const runs = this.#runs[section];
    if (!runs) return undefined;
    const run = segmentOf(runs.before, within);
    const newer = (runs.before[run + 1] as number) - 1 - within;
    // Negative if the page extends into an older run. It can then only be read from the newer end.
    const older = within - (limit - 1) - (runs.before[run] as number);
    if (older < 0 || newer <= older) {
      const until = startOf(runs, run + 1) ?? startOf(this.#sections, section + 1) ?? LIST_END;
      return { direction: 'older', from: until, skip: newer };
    }
    const { createdAt, id } = startOf(runs, run) as Position;
    return { direction: 'newer', from: { createdAt, id: id - 1 }, skip: older };
  }

  /** About how many clients are before the position. At the start of a run in memory, the number is exact. */
  estimate(position: Position): number {
    const section = lastStartUpTo(this.#sections, position);
    if (section < 0) return 0;
    const end = startOf(this.#sections, section + 1);
    const runs = this.#runs[section];
    if (!runs) return interpolate(this.#sections, section, position, end);
    const run = lastStartUpTo(runs, position);
    return (this.#sections.before[section] as number) + interpolate(runs, run, position, startOf(runs, run + 1) ?? end);
  }

  /** The start of the run that contains the position, and how many clients are before it; `undefined` if it is not in memory. */
  runAt(position: Position): { start: Position; before: number } | undefined {
    if (this.total === 0) return { start: position, before: 0 };
    const section = lastStartUpTo(this.#sections, position);
    const runs = this.#runs[section];
    if (!runs) return undefined;
    const run = lastStartUpTo(runs, position);
    const before = (this.#sections.before[section] as number) + (runs.before[run] as number);
    return { start: startOf(runs, run) as Position, before };
  }

  /** Searches the starts of sections, and of runs in memory, for the first that passes a test; all later ones must pass it, too. */
  findStart(test: (position: Position) => boolean): void {
    const section = firstThatPasses(this.#sections, test);
    const runs = this.#runs[section - 1];
    if (runs) firstThatPasses(runs, test);
  }

  /**
   * Loads the runs of the sections of all lists that contain the positions, in one statement. Returns whether some were not
   * in memory yet.
   */
  static async loadRunsAt(
    { db, engine, workspaceId }: Omit<ListRead, 'stamp'>,
    lists: readonly CountedList[],
    positions: readonly Position[],
  ): Promise<boolean> {
    const missing = lists.flatMap(({ combination, pageFinder }) =>
      pageFinder.#missingSections(positions).map((section) => ({ combination, pageFinder, section })),
    );
    if (missing.length === 0) return false;
    const wanted = engine.numberRows(
      ['number', ...COMBINATION_COLUMNS, 'from_at', 'from_id', 'until_at', 'until_id'],
      missing.map(({ combination, pageFinder, section }, number) => {
        const { from, until } = pageFinder.#boundsOf(section);
        return [number, ...toCombinationValues(combination), from.createdAt, from.id, until.createdAt, until.id];
      }),
    );
    const within = sql`r.workspace_id = ${workspaceId} and r.level = ${RUNS} and ${sameCombination('r', 'w')}
      and (r.created_at, r.id) >= (w.from_at, w.from_id) and (r.created_at, r.id) < (w.until_at, w.until_id)`;
    const loaded = await loadSegments({ db, engine }, { wanted, condition: within, count: missing.length });
    for (const [number, { pageFinder, section }] of missing.entries()) pageFinder.#runs[section] = loaded[number];
    return true;
  }

  #missingSections(positions: readonly Position[]): number[] {
    const sections = new Set(positions.map((position) => lastStartUpTo(this.#sections, position)));
    return [...sections].filter((section) => section >= 0 && !this.#runs[section]);
  }

  #boundsOf(section: number): PositionRange {
    const from = startOf(this.#sections, section) as Position;
    return { from, until: startOf(this.#sections, section + 1) ?? LIST_END };
  }

  /** Ranks count from the oldest client, offsets from the newest. */
  #sectionOf(offset: number): { section: number; within: number } {
    const rank = this.total - 1 - offset;
    const section = segmentOf(this.#sections.before, rank);
    return { section, within: rank - (this.#sections.before[section] ?? 0) };
  }
}

/** The index of the segment that contains the client with this rank. */
function segmentOf(before: readonly number[], rank: number): number {
  let [low, high] = [0, before.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((before[middle] as number) <= rank) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The sections of each list. */
async function loadSections(
  { db, engine, workspaceId }: Omit<ListRead, 'stamp'>,
  lists: readonly FilterCombination[],
): Promise<Segments[]> {
  if (lists.length === 0) return [];
  const wanted = engine.numberRows(
    ['number', ...COMBINATION_COLUMNS],
    lists.map((combination, number) => [number, ...toCombinationValues(combination)]),
  );
  const same = sql`r.workspace_id = ${workspaceId} and r.level = ${SECTIONS} and ${sameCombination('r', 'w')}`;
  return loadSegments({ db, engine }, { wanted, condition: same, count: lists.length });
}

/** The runs or sections that match the condition, for each row of the numbered table `w`. */
async function loadSegments(
  { db, engine }: Pick<ListRead, 'db' | 'engine'>,
  { wanted, condition, count }: { wanted: RawBuilder<unknown>; condition: RawBuilder<unknown>; count: number },
): Promise<Segments[]> {
  const { rows } = await sql<SegmentRow & { number: number }>`
    select w.number, r.created_at, r.id, r.size, r.version
    from ${wanted} as w ${engine.lookUp('client_runs', 'r', condition)}
    order by w.number, r.created_at, r.id`.execute(db);
  const byNumber = Array.from({ length: count }, (): SegmentRow[] => []);
  for (const row of rows) byNumber[row.number]?.push(row);
  return byNumber.map(toSegments);
}

function toSegments(rows: readonly SegmentRow[]): Segments {
  const before = new Array<number>(rows.length + 1).fill(0);
  for (const [index, { size }] of rows.entries()) before[index + 1] = (before[index] as number) + size;
  return {
    createdAt: rows.map((row) => row.created_at),
    ids: rows.map((row) => row.id),
    versions: rows.map((row) => row.version),
    before,
  };
}

/** The index of the last segment that starts at the position or before it, or -1. */
function lastStartUpTo({ createdAt, ids }: Segments, position: Position): number {
  let [low, high] = [-1, ids.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const order = (createdAt[middle] as number) - position.createdAt || (ids[middle] as number) - position.id;
    if (order <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The index of the first segment whose start passes the test, or the number of segments if none does. */
function firstThatPasses(segments: Segments, test: (position: Position) => boolean): number {
  let [low, high] = [0, segments.ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(startOf(segments, middle) as Position)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The number of clients before the position, as if those of the segment were evenly distributed in time or, if all have the
 * same time, in the order of their ids. The first segment of a list begins before all clients, and the last has no end; both
 * are taken to last as long as their neighbour.
 */
function interpolate({ createdAt, ids, before }: Segments, index: number, position: Position, next?: Position) {
  const [from, to] = [before[index] as number, before[index + 1] as number];
  const second = createdAt[index + 1] ?? next?.createdAt;
  const third = createdAt[index + 2] ?? next?.createdAt;
  const isFirst = createdAt[index] === LIST_START.createdAt && second !== undefined && third !== undefined;
  const start = isFirst ? second - (third - second) : (createdAt[index] as number);
  const end = next?.createdAt ?? start + (start - (createdAt[index - 1] ?? start));
  if (next && end === start && !isFirst) {
    const first = ids[index] as number;
    return from + (to - from) * share(position.id - first, next.id - first);
  }
  return from + (to - from) * share(position.createdAt - start, end - start);
}

/** A part of a whole as a number from 0 to 1. */
function share(part: number, whole: number): number {
  if (part <= 0) return 0;
  return part >= whole ? 1 : part / whole;
}

function startOf({ createdAt, ids }: Segments, index: number): Position | undefined {
  const [time, id] = [createdAt[index], ids[index]];
  return time === undefined || id === undefined ? undefined : { createdAt: time, id };
}

/** The index of the segment that starts exactly at this position. */
function indexOfStart(segments: Segments, start: Position): number | undefined {
  let [low, high] = [0, segments.ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = comparePositions(startOf(segments, middle) as Position, start);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

function bytesOf({ ids }: Segments): number {
  return SEGMENTS_BYTES + SEGMENT_BYTES * ids.length;
}
