import { requireName } from '../text.ts';
import type { RequestStatus } from './request-status.ts';

export const GROUP_NAME_MAX_LENGTH = 120;

/** A named set of clients. Its token never changes, even when the group is renamed. */
export interface Group {
  token: string;
  name: string;
  createdAt: number;
}

export interface CountedGroup extends Group {
  clients: number;
  byStatus: Record<RequestStatus, number>;
}

export function requireGroupName(name: string): string {
  return requireName(name, { field: 'group_name', maxLength: GROUP_NAME_MAX_LENGTH });
}
