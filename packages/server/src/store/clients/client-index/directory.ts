import { sql } from 'kysely';
import type { Reads } from '../../engines/engine.ts';
import { isSameEpoch, readStamp } from '../../stamp.ts';
import { type Combination, comparePositions, type Position } from './combination.ts';

/** Consecutive stretches of a list, oldest first: flat lists of numbers, which take a third of what objects do. */
interface Stretches {
  /** Where each begins. */
  createdAt: number[];
  ids: number[];
  versions: number[];
  /** The number of clients before each. One longer than the others: the last entry is the number of clients in all. */
  before: number[];
}

/** Measured, on the high side: a directory with its places in memory, a set of four lists, and their numbers. */
const DIRECTORY_BYTES = 700;
const STRETCHES_BYTES = 350;
const STRETCH_BYTES = 4 * 8;

/** How to reach a page: from next to this place on, in this direction, after skipping some. */
export interface PageStart {
  direction: 'older' | 'newer';
  from: Position;
  skip: number;
}

/** After every client. */
export const END: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The counted index of one combination, in memory, as it was at one moment. */
export class Directory {
  readonly stamp: string;
  readonly #sections: Stretches;
  /** By section; filled in as pages are asked for. */
  readonly #runs: (Stretches | undefined)[];

  private constructor(stamp: string, sections: Stretches, runs: (Stretches | undefined)[]) {
    this.stamp = stamp;
    this.#sections = sections;
    this.#runs = runs;
  }

  /** Reads the sections, and keeps of an earlier directory the runs of those that have not changed since. */
  static async load(
    db: Reads,
    workspaceId: number,
    combination: Combination,
    earlier: Directory | undefined,
  ): Promise<Directory> {
    const stamp = await readStamp(db, workspaceId);
    if (earlier?.stamp === stamp) return earlier;
    const comparable = earlier && isSameEpoch(earlier.stamp, stamp) ? earlier : undefined;
    const sections = await loadStretches(db, workspaceId, 1, combination);
    const runs = sections.versions.map((version, index) => comparable?.runsOf(startOf(sections, index), version));
    return new Directory(stamp, sections, runs);
  }

  /** The runs of the section that begins here, if it still is as it was. */
  runsOf(start: Position | undefined, version: number): Stretches | undefined {
    if (!start) return undefined;
    const index = indexOfStart(this.#sections, start);
    return index !== undefined && this.#sections.versions[index] === version ? this.#runs[index] : undefined;
  }

  get total(): number {
    return this.#sections.before.at(-1) ?? 0;
  }

  /** What it takes in memory. */
  get bytes(): number {
    const sections = bytesOf(this.#sections) + 8 * this.#runs.length;
    return this.#runs.reduce((sum, runs) => sum + (runs ? bytesOf(runs) : 0), DIRECTORY_BYTES + sections);
  }

  /**
   * Finds the page of `limit` clients that has `offset` newer ones before it, from the nearer end of its run; nothing
   * when the runs it takes are not in memory.
   */
  locate(offset: number, limit: number): PageStart | undefined {
    if (offset === 0 || offset >= this.total) return { direction: 'older', from: END, skip: 0 };
    const { section, within } = this.#sectionOf(offset);
    const runs = this.#runs[section];
    if (!runs) return undefined;
    const run = indexHolding(runs.before, within);
    const newer = (runs.before[run + 1] as number) - 1 - within;
    // Negative when the page reaches into an older run; it can then only be read from the newer end.
    const older = within - (limit - 1) - (runs.before[run] as number);
    if (older < 0 || newer <= older) {
      const until = startOf(runs, run + 1) ?? startOf(this.#sections, section + 1) ?? END;
      return { direction: 'older', from: until, skip: newer };
    }
    const { createdAt, id } = startOf(runs, run) as Position;
    return { direction: 'newer', from: { createdAt, id: id - 1 }, skip: older };
  }

  /** Brings into memory what `locate` needs for this offset. */
  async loadFor(db: Reads, workspaceId: number, combination: Combination, offset: number): Promise<void> {
    if (offset === 0 || offset >= this.total) return;
    const { section } = this.#sectionOf(offset);
    if (this.#runs[section]) return;
    const bounds = { from: startOf(this.#sections, section), to: startOf(this.#sections, section + 1) };
    this.#runs[section] = await loadStretches(db, workspaceId, 0, combination, bounds);
  }

  /** Places count from the oldest client, offsets from the newest. */
  #sectionOf(offset: number): { section: number; within: number } {
    const place = this.total - 1 - offset;
    const section = indexHolding(this.#sections.before, place);
    return { section, within: place - (this.#sections.before[section] ?? 0) };
  }
}

/** The last index whose `before` is at most `place`, among those that hold anything. */
function indexHolding(before: readonly number[], place: number): number {
  let [low, high] = [0, before.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((before[middle] as number) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function loadStretches(
  db: Reads,
  workspaceId: number,
  level: number,
  { groupId, requestStatus, clientType }: Combination,
  { from, to }: { from?: Position | undefined; to?: Position | undefined } = {},
): Promise<Stretches> {
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

function startOf({ createdAt, ids }: Stretches, index: number): Position | undefined {
  const [time, id] = [createdAt[index], ids[index]];
  return time === undefined || id === undefined ? undefined : { createdAt: time, id };
}

/** The stretch that begins exactly here. */
function indexOfStart(stretches: Stretches, start: Position): number | undefined {
  let [low, high] = [0, stretches.ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = comparePositions(startOf(stretches, middle) as Position, start);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

function bytesOf({ ids }: Stretches): number {
  return STRETCHES_BYTES + STRETCH_BYTES * ids.length;
}
