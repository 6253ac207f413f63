import { Failure } from '../failure.ts';
import { isStorable, REPLACEMENT_CHARACTER, requireName } from '../text.ts';
import type { RequestStatus } from './request-status.ts';

export const CLIENT_TYPES = ['individual', 'company'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_STATUSES = ['active', 'inactive'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export const CLIENT_NAME_MAX_LENGTH = 200;

/** A person or company that a firm onboards, as read from the store. */
export interface Client {
  referenceId: string;
  email: string;
  name: string;
  type: ClientType;
  groupName: string;
  groupToken: string;
  requestStatus: RequestStatus;
  status: ClientStatus;
  createdAt: number;
  /** The id that the firm's own program gave the client. */
  externalId: string | null;
  /** The time of the last line in its history. Only in lists for which it was asked for. */
  updatedAt?: number | undefined;
}

/** A client with the version of the workspace after its last change, and the time of that change. */
export interface VersionedClient extends Client {
  version: number;
  updatedAt: number;
}

/** A client to be added. Its group is given by name, because the group may not exist yet. */
export type NewClient = Omit<Client, 'groupToken' | 'updatedAt'>;

export function requireClientName(name: string): string {
  return requireName(name, { field: 'client_name', maxLength: CLIENT_NAME_MAX_LENGTH });
}

export const EXTERNAL_ID_MAX_LENGTH = 255;

/** Lists are separated by commas, so an external id has none. */
const EXTERNAL_ID = /^[^,\p{Cc}]+$/u;

/** Returns what is wrong with an external id, which is compared exactly as it was given, apart from spaces around it. */
export function problemWithExternalId(id: string): string | undefined {
  if (!isStorable(id) || id.includes(REPLACEMENT_CHARACTER)) return 'is not valid UTF-8 text';
  if (id.length > EXTERNAL_ID_MAX_LENGTH) return `must have at most ${EXTERNAL_ID_MAX_LENGTH} characters`;
  return EXTERNAL_ID.test(id) ? undefined : 'must not contain commas or control characters';
}

/** An empty text means that the client has none. */
export function requireExternalId(text: string): string | null {
  const id = text.trim();
  if (id === '') return null;
  const problem = problemWithExternalId(id);
  if (problem) throw new Failure('bad_parameter', `external_id ${problem}.`);
  return id;
}
