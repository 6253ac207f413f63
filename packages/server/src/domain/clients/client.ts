import { requireName } from '../text.ts';
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
}

/** A client to be added. Its group is given by name, because the group may not exist yet. */
export type NewClient = Omit<Client, 'groupToken'>;

export function requireClientName(name: string): string {
  return requireName(name, { field: 'client_name', maxLength: CLIENT_NAME_MAX_LENGTH });
}
