import { sql } from 'kysely';
import type { Reads } from '../engines/engine.ts';
import { isSameEpoch, readStamp } from '../stamp.ts';
import type { Combination, Position } from './combination.ts';

/** Consecutive stretches of a list, oldest first, with the number of clients before each. */
interface Stretches {
  starts: Position[];
  versions: number[];
  /** One longer than the others: the last entry is the number of clients in all. */
  before: number[];
}

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
  #sectionAt: Map<string, number> | undefined;

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
    const runs = sections.starts.map((start, index) => comparable?.runsOf(start, sections.versions[index]));
    return new Directory(stamp, sections, runs);
  }

  /** The runs of the section that begins here, if it still is as it was. */
  runsOf(start: Position, version: number | undefined): Stretches | undefined {
    this.#sectionAt ??= new Map(this.#sections.starts.map((each, index) => [placeKey(each), index]));
    const index = this.#sectionAt.get(placeKey(start));
    return index !== undefined && this.#sections.versions[index] === version ? this.#runs[index] : undefined;
  }

  get total(): number {
    return this.#sections.before.at(-1) ?? 0;
  }

  /** How many runs it holds in memory. */
  get weight(): number {
    return this.#runs.reduce((sum, runs) => sum + (runs?.starts.length ?? 0), this.#sections.starts.length);
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
      const until = runs.starts[run + 1] ?? this.#sections.starts[section + 1] ?? END;
      return { direction: 'older', from: until, skip: newer };
    }
    const { createdAt, id } = runs.starts[run] as Position;
    return { direction: 'newer', from: { createdAt, id: id - 1 }, skip: older };
  }

  /** Brings into memory what `locate` needs for this offset. */
  async loadFor(db: Reads, workspaceId: number, combination: Combination, offset: number): Promise<void> {
    if (offset === 0 || offset >= this.total) return;
    const { section } = this.#sectionOf(offset);
    if (this.#runs[section]) return;
    const bounds = { from: this.#sections.starts[section], to: this.#sections.starts[section + 1] };
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
  const stretches: Stretches = { starts: [], versions: [], before: [0] };
  let sum = 0;
  for (const row of rows) {
    stretches.starts.push({ createdAt: row.created_at, id: row.id });
    stretches.versions.push(row.version);
    sum += row.size;
    stretches.before.push(sum);
  }
  return stretches;
}

function placeKey(position: Position): string {
  return `${position.createdAt} ${position.id}`;
}
