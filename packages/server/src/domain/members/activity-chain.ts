import { createHash, randomBytes } from 'node:crypto';

// Every entry of the activity log is a link of a chain: its hash covers the hash of the entry before it, so an entry cannot be
// changed, removed, moved or inserted without breaking the chain. The format of the hashes never changes, because entries that
// are stored have to be verified with it for as long as they exist.

/** Every workspace has a chain, every account, and the installation. */
export type Chain = `workspace:${number}` | `account:${number}` | 'installation';

/** How many entries a chain has had, and the hash of the last one. */
export interface ChainHead {
  count: number;
  hash: string;
}

export interface ChainEnd extends ChainHead {
  chain: Chain;
  /** The time of the last entry, if it is known and was not removed. */
  lastAt?: number | undefined;
}

/** What the hash of an entry covers, besides its place in the chain. */
export interface LinkedFields {
  at: number;
  id: string;
  /** What all parts of one import or one merge share. */
  partOf: string | null;
  member: string;
  action: string;
  subject: string;
  environment: string | null;
  address: string;
  requestId: string | null;
  clients: number | null;
  /** Of the details, or empty if there were none. */
  detailsHash: string;
}

export interface Place {
  chain: string;
  number: number;
  /** The hash of the entry before, or empty for the first one. */
  previous: string;
}

export function hashOfEntry({ chain, number, previous }: Place, fields: LinkedFields): string {
  const { at, id, partOf, member, action, subject, environment, address, requestId, clients, detailsHash } = fields;
  const covered = [chain, number, previous, at, id, partOf, member, action, subject, environment, address];
  return digest([...covered, requestId, clients, detailsHash]);
}

/**
 * The details may be personal data, which is removed when the client is erased. The chain therefore covers their hash, and the
 * salt, which is removed with them, makes it impossible to find them by trying.
 */
export function hashOfDetails(salt: string, details: string): string {
  return digest([salt, details]);
}

export function newSalt(): string {
  return randomBytes(16).toString('base64url');
}

function digest(values: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}
