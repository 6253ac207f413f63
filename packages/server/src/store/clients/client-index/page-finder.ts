import { sql } from 'kysely';
import type { ReadOnlyDatabase } from '../../engines/engine.ts';
import { isSameEpoch, readStamp } from '../../stamp.ts';
import { comparePositions, type FilterCombination, type Position } from './combination.ts';

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

/** How to find a page: start after this position, in this direction, and skip this number of clients. */
export interface PageStart {
  direction: 'older' | 'newer';
  from: Position;
  skip: number;
}

/** The position after all clients. */
export const LIST_END: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

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

  /** Reads the sections, and reuses the runs of an earlier page finder for sections that have not changed. */
  static async load(
    db: ReadOnlyDatabase,
    workspaceId: number,
    combination: FilterCombination,
    earlier: PageFinder | undefined,
  ): Promise<PageFinder> {
    const stamp = await readStamp(db, workspaceId);
    if (earlier?.stamp === stamp) return earlier;
    const comparable = earlier && isSameEpoch(earlier.stamp, stamp) ? earlier : undefined;
    const sections = await loadSegments(db, workspaceId, 1, combination);
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

  /** Loads the runs that `locate` needs for this offset. */
  async loadFor(
    db: ReadOnlyDatabase,
    workspaceId: number,
    combination: FilterCombination,
    offset: number,
  ): Promise<void> {
    if (offset === 0 || offset >= this.total) return;
    const { section } = this.#sectionOf(offset);
    if (this.#runs[section]) return;
    const bounds = { from: startOf(this.#sections, section), to: startOf(this.#sections, section + 1) };
    this.#runs[section] = await loadSegments(db, workspaceId, 0, combination, bounds);
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

async function loadSegments(
  db: ReadOnlyDatabase,
  workspaceId: number,
  level: number,
  { groupId, requestStatus, clientType }: FilterCombination,
  { from, to }: { from?: Position | undefined; to?: Position | undefined } = {},
): Promise<Segments> {
  const { rows } = await sql<{ created_at: number; id: number; size: number; version: number }>`
    select created_at, id, size, version from client_runs
    where workspace_id = ${workspaceId} and level = ${level}
      and group_id = ${groupId} and request_status = ${requestStatus} and client_type = ${clientType}
      ${from ? sql`and (created_at, id) >= (${from.createdAt}, ${from.id})` : sql``}
      ${to ? sql`and (created_at, id) < (${to.createdAt}, ${to.id})` : sql``}
    order by created_at, id`.execute(db);
  const before = new Array<number>(rows.length + 1).fill(0);
  for (const [index, { size }] of rows.entries()) before[index + 1] = (before[index] as number) + size;
  return {
    createdAt: rows.map((row) => row.created_at),
    ids: rows.map((row) => row.id),
    versions: rows.map((row) => row.version),
    before,
  };
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
