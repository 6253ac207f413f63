import { createHash, randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { Action, InstallationAction } from '../../domain/action.ts';
import type { Actor, EntryDetails } from '../../domain/change.ts';
import type { EntryValues } from '../../domain/members/activity.ts';
import {
  type Chain,
  type ChainHead,
  hashOfDetails,
  hashOfEntry,
  newSalt,
} from '../../domain/members/activity-chain.ts';
import type { Tables } from '../tables.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

type Row = Selectable<Tables['activity_entries']>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The details of an entry. What names a client other than by its reference is in entries about this client alone. */
export interface StoredDetails extends EntryValues {
  /** The references of the clients that were changed together, or of some of them if there are fewer than the entry counts. */
  clients?: readonly string[];
  import?: string;
  /** The first names of the groups that an import has made, and how many more there are. */
  new_groups?: readonly string[];
  other_new_groups?: number;
}

/** An entry that is not a link of a chain yet. */
export type Entry = Omit<Row, 'chain' | 'number' | 'continues' | 'hash'>;

export function newEntry(
  by: { accountId: number | null; at: number; actor: Actor },
  entry: { action: Action | InstallationAction; subject: string; environment: string | null } & EntryDetails,
): Entry {
  const made: Entry = {
    account_id: by.accountId,
    at: by.at,
    id: nextId(),
    part_of: entry.id === undefined ? null : nameOfParts(by, entry, entry.id),
    member: by.actor.name,
    action: entry.action,
    subject: entry.subject,
    environment: entry.environment,
    address: by.actor.address,
    request_id: isUuid(by.actor.requestId) ? by.actor.requestId : null,
    clients: entry.clients ?? null,
    details: null,
    salt: null,
    details_hash: '',
  };
  const details = detailsOf(entry);
  return details ? withDetails(made, details) : made;
}

/** Always with the values before and after, which an older program that still serves expects of all details. */
function detailsOf({ changed, references, importId, newGroups }: EntryDetails): StoredDetails | undefined {
  if (changed) return { ...changed, reason: null };
  const nothing = { from: {}, to: {}, reason: null };
  if (references && references.length > 0) return { ...nothing, clients: references };
  const imported = {
    ...(importId !== undefined && { import: importId }),
    ...(newGroups && newGroups.names.length > 0 && { new_groups: newGroups.names, other_new_groups: newGroups.others }),
  };
  return Object.keys(imported).length > 0 ? { ...nothing, ...imported } : undefined;
}

/** A caller may choose another id, which may be personal data, and nothing is ever removed from an entry except its details. */
function isUuid(id: string | undefined): id is string {
  return id !== undefined && UUID.test(id);
}

/** With the values before and after the change, or what else belongs to the entry. */
export function withDetails(entry: Entry, stored: StoredDetails): Entry {
  const details = JSON.stringify(stored);
  const salt = newSalt();
  return { ...entry, details, salt, details_hash: hashOfDetails(salt, details) };
}

/** Called in the transaction of the change, under the lock of what the chain belongs to. Returns the new end of the chain. */
export async function appendEntries(
  { engine, db }: Pick<UnitOfWork, 'engine' | 'db'>,
  chain: Chain,
  head: ChainHead,
  entries: readonly Entry[],
): Promise<ChainHead> {
  let last = head;
  const rows: Row[] = [];
  for (const entry of entries) {
    const continues = (await isLaterPart(db, entry, rows)) ? 1 : 0;
    const place = { chain, number: last.count + 1, previous: last.hash };
    last = { count: place.number, hash: hashOfEntry(place, fieldsOf(entry)) };
    rows.push({ chain, number: last.count, ...entry, continues, hash: last.hash });
  }
  await engine.insertMany(db, 'activity_entries', rows);
  return last;
}

async function isLaterPart(db: Transaction<Tables>, { account_id, part_of }: Entry, added: Row[]): Promise<boolean> {
  if (part_of === null) return false;
  if (added.some((each) => each.part_of === part_of)) return true;
  const earlier = await db
    .selectFrom('activity_entries')
    .where('account_id', '=', account_id)
    .where('part_of', '=', part_of)
    .select('number')
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

function fieldsOf({ part_of, request_id, details_hash, ...entry }: Entry) {
  return { ...entry, partOf: part_of, requestId: request_id, detailsHash: details_hash };
}

/** Removes what the entries of a client say about it. The chain covers only a hash of it, and stays intact. */
export async function eraseDetails({ db }: Pick<UnitOfWork, 'db'>, chain: Chain, subject: string): Promise<void> {
  await db
    .updateTable('activity_entries')
    .set({ details: null, salt: null })
    .where('chain', '=', chain)
    .where('subject', '=', subject)
    .where('details', 'is not', null)
    .execute();
}

/** A change in many parts gets a new entry after this time, so that no entry appears under a much earlier time. */
const ENTRY_MS = 600_000;

let lastMicroseconds = 0;

/** The ids of a process are ascending, so that entries with the same time are listed in the order of their creation. */
function nextId(): string {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastMicroseconds = Math.max(now, lastMicroseconds + 1);
  // Of its digits, the last twelve are random. Node has many of them ready, unlike random bytes.
  return `${lastMicroseconds.toString(36).padStart(11, '0')}${randomUUID().slice(-12)}`;
}

/** Combines only parts by the same actor, with the same subject and soon after each other, even if callers reuse an id. */
function nameOfParts(
  by: { at: number; actor: Actor },
  { action, subject, environment }: { action: string; subject: string; environment: string | null },
  id: string,
): string {
  const parts = [id, Math.floor(by.at / ENTRY_MS), by.actor.name, by.actor.address, action, subject, environment];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24);
}
