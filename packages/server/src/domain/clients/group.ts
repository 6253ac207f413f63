import { Failure } from '../failure.ts';
import { problemWithName } from '../text.ts';
import type { RequestStatus } from './request-status.ts';

export const GROUP_NAME_MAX_LENGTH = 120;

/** A named set of clients. Its token never changes, also when it is renamed. */
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
  const problem = problemWithName(name, GROUP_NAME_MAX_LENGTH);
  if (problem) throw new Failure('bad_parameter', `group_name ${problem}.`);
  return name.trim();
}
