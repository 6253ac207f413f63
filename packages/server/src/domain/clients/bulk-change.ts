import { randomBytes } from 'node:crypto';
import type { Actor } from '../change.ts';
import { Failure } from '../failure.ts';
import type { ClientFilter } from './client-filter.ts';
import type { Position } from './cursor.ts';
import type { ImportState } from './import-state.ts';
import type { JobBooks } from './job-runner.ts';
import type { ManyPatch } from './many-clients.ts';

/** What to do with which clients. */
export interface BulkChangeRequest {
  patch: ManyPatch;
  /** That of the group in the patch, because a group may be renamed while the clients are moved. */
  groupToken?: string | undefined;
  reason?: string | undefined;
  /** Whose clients are changed. Without it, those of a list of references, which is stored apart because it may be long. */
  filter?: ClientFilter | undefined;
  /**
   * Set if the clients are put back: the bulk change that is undone, the versions in which it has changed clients, and between
   * which positions of the filtered list these are, if that is known.
   */
  undoes?: { id: string; versions: readonly VersionRange[]; within?: Span | undefined } | undefined;
}

/** The first and the last of some positions in a list. */
export interface Span {
  first: Position;
  last: Position;
}

/** Those of clients that were changed, and how many these are. A program that does not know of it counts them without it. */
export interface ChangedSpan extends Span {
  clients: number;
}

/** The first and the last of consecutive versions of a workspace. */
export type VersionRange = readonly [first: number, last: number];

/** Why clients were not changed, how many, and some of them. */
export interface Refusals {
  reason: string;
  count: number;
  referenceIds: readonly string[];
}

/** What has become of the clients so far. */
export interface BulkNumbers {
  changed: number;
  /** How many had been as wanted before. */
  unchanged: number;
  refused: number;
  /** How many of those that were changed may become again what they were. */
  undoable: number;
}

/** A change of many clients that the service makes in the background, a few at a time. */
export interface BulkChange extends BulkNumbers {
  workspaceId: number;
  id: string;
  state: ImportState;
  request: BulkChangeRequest;
  actor: Actor;
  createdAt: number;
  endedAt: number | null;
  /** How many clients there were when it was stored. */
  total: number;
  /** The last client that existed when it was stored. Those that were added later are left alone. */
  lastClientId: number;
  refusals: readonly Refusals[];
  versions: readonly VersionRange[];
  /** Between which positions the clients are that it has changed, unless that is not known. */
  span: ChangedSpan | null;
  /** How many transactions are committed, and the position after the last of them. */
  step: number;
  position: Position;
  /** Why it failed. */
  reason: string | null;
}

/** Without the versions, of which there may be thousands. */
export type ListedBulkChange = Omit<BulkChange, 'versions'>;

export type NewBulkChange = Pick<BulkChange, 'id' | 'request' | 'actor' | 'total'> & {
  /** All clients of this list, unless the request has a filter. */
  referenceIds?: readonly string[] | undefined;
  /** Only clients up to this one, unless it is the last one. */
  lastClientId?: number | undefined;
};

/** What one transaction adds to a bulk change. */
export interface BulkProgress extends BulkNumbers {
  step: number;
  position: Position;
  span: ChangedSpan | null;
  refusals: readonly Refusals[];
  /** The clients that it has changed, or none if they are not kept. */
  changedIds: readonly string[];
}

/** The clients that a bulk change comes to next. */
export interface NextClients {
  referenceIds: string[];
  /** How many had to be read to find them. */
  read: number;
  /** The positions of those that were read. */
  span: Span;
  /** Whether no more follow. */
  isLast: boolean;
}

/** Reads bulk changes, and keeps books about which process makes them. */
export interface BulkChanges extends JobBooks<BulkChange> {
  find(workspaceId: number, id: string): Promise<BulkChange | undefined>;
  /** All that are not over, newest first, and then so many of the others, those first that ended last. */
  latest(workspaceId: number, endedMax: number): Promise<ListedBulkChange[]>;
  /** The list of references, if it has one. */
  referenceIds(workspaceId: number, id: string): Promise<string[] | undefined>;
  /** The references of the clients that it has changed, as far as they were kept. */
  changedIds(workspaceId: number, id: string): Promise<string[]>;
  /** Lets another process go on at once. */
  release(change: BulkChange, runner: string): Promise<void>;
  /** Removes those that ended long ago. */
  removeOld(now: number): Promise<void>;
}

/** Bulk changes within a change to the workspace. */
export interface BulkChangeParts {
  enqueue(change: NewBulkChange): Promise<BulkChange>;
  /** Ends one that is not over. Returns it as it is then, or `undefined` if there is none. */
  cancel(id: string): Promise<BulkChange | undefined>;
  /** The next clients of the list or the filter after the position. */
  next(change: BulkChange, referenceIds: readonly string[] | undefined, limit: number): Promise<NextClients>;
  /** Adds to its numbers. Fails if it has ended, another process makes it or the step was made already. */
  advance(change: BulkChange, runner: string, progress: BulkProgress): Promise<BulkChange>;
  end(change: BulkChange, runner: string, state: 'completed' | 'failed', reason?: string): Promise<void>;
}

/** What is known of a bulk change is kept for this long after its end. */
export const BULK_CHANGES_KEPT_MS = 30 * 24 * 3_600_000;

/** So many bulk changes of a workspace may wait at the same time. */
export const WAITING_BULK_CHANGES_MAX = 20;

/** The references of so many clients that were changed are kept, so that undoing need not look for them. */
export const CHANGED_KEPT_MAX = 10_000;

/** So many of the clients of a transaction are named in the activity log, which finds the reason and the values in their histories. */
export const LISTED_MAX = 100;

/** How many clients are named for each reason, and how many reasons there may be. All clients are counted. */
const NAMED_MAX = 5;
const REASONS_MAX = 20;
const OTHER_REASONS = 'There were other reasons.';

export function makeBulkChangeId(): string {
  return `chg_${randomBytes(12).toString('base64url')}`;
}

/** Thrown within a change when the bulk change must not go on. */
export class BulkChangeEnded extends Failure {
  constructor() {
    super('conflict', 'The change has ended, or another process makes it.');
  }
}

export function isBulkChangeOver({ state }: Pick<BulkChange, 'state'>): boolean {
  return state !== 'queued' && state !== 'running';
}

export function unknownBulkChange(id: string): Failure {
  return new Failure('not_found', `There is no change of many clients with the id ${id}.`);
}

/** Adds refusals to others, by their reasons. */
export function mergeRefusals(known: readonly Refusals[], added: readonly Refusals[]): Refusals[] {
  const merged = new Map(known.map((each) => [each.reason, each]));
  for (const { reason, count, referenceIds } of added) {
    const key = merged.has(reason) || merged.size < REASONS_MAX ? reason : OTHER_REASONS;
    const before = merged.get(key);
    merged.set(key, {
      reason: key,
      count: (before?.count ?? 0) + count,
      referenceIds: [...(before?.referenceIds ?? []), ...referenceIds].slice(0, NAMED_MAX),
    });
  }
  return [...merged.values()];
}

/** Adds a version, which is later than all others. */
export function withVersion(ranges: readonly VersionRange[], version: number): VersionRange[] {
  const last = ranges.at(-1);
  if (last?.[1] !== version - 1) return [...ranges, [version, version]];
  return [...ranges.slice(0, -1), [last[0], version]];
}

/** Adds clients that were changed after all others. */
export function withChanged(
  { span, changed }: Pick<BulkChange, 'span' | 'changed'>,
  added: Span,
  clients: number,
): ChangedSpan | null {
  if (clients === 0) return span;
  if (changed > 0 && span?.clients !== changed) return null;
  return { first: span?.first ?? added.first, last: added.last, clients: changed + clients };
}

/** The ranges are in order, and there may be thousands of them. */
export function hasVersion(ranges: readonly VersionRange[], version: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle] as VersionRange;
    if (version < first) high = middle;
    else if (version > last) low = middle + 1;
    else return true;
  }
  return false;
}
