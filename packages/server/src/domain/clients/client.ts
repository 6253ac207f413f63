import { Failure } from '../failure.ts';
import { problemWithEmail, problemWithName } from '../text.ts';
import type { RequestStatus } from './request-status.ts';

export const CLIENT_TYPES = ['individual', 'company'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_STATUSES = ['active', 'inactive'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export const CLIENT_NAME_MAX_LENGTH = 200;

/** A person or company that a firm onboards, as it leaves the store. */
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
}

/** A client on its way in: the group is named, everything else is decided. */
export type NewClient = Omit<Client, 'groupToken'>;

export function requireClientName(name: string): string {
  const problem = problemWithName(name, CLIENT_NAME_MAX_LENGTH);
  if (problem) throw new Failure('bad_parameter', `client_name ${problem}.`);
  return name.trim();
}

export function requireClientEmail(email: string): string {
  const problem = problemWithEmail(email);
  if (problem) throw new Failure('bad_parameter', `email ${problem}.`);
  return email.trim();
}
