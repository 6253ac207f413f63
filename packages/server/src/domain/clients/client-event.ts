import type { Client } from './client.ts';

export const EVENT_KINDS = ['added', 'changed', 'erased'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The fields of a client that can change, named as in a client record. */
export interface EventFields {
  email?: string;
  client_name?: string;
  client_type?: string;
  group_name?: string;
  request_status?: string;
  client_status?: string;
  created_at?: number;
  external_id?: string | null;
  /** The email of the member who reviews the client; null for nobody. */
  assignee?: string | null;
}

/**
 * The values before a change as they are stored. The token of the former group is not shown; another group may have its name
 * by the time when the change is undone.
 */
export interface FormerFields extends EventFields {
  group_token?: string;
}

/** One line of a client's history: who did what and when, with the values before and after. */
export interface ClientEvent {
  at: number;
  actor: string;
  kind: EventKind;
  from: EventFields | null;
  to: EventFields | null;
  /** Why, if somebody said so. */
  reason: string | null;
}

/** A line of the history of one of several clients. */
export interface HistoryLine extends ClientEvent {
  referenceId: string;
}

const FIELDS = {
  email: 'email',
  name: 'client_name',
  type: 'client_type',
  groupName: 'group_name',
  requestStatus: 'request_status',
  status: 'client_status',
  createdAt: 'created_at',
  externalId: 'external_id',
} as const satisfies Partial<Record<keyof Client, keyof EventFields>>;

type Changeable = Pick<Client, keyof typeof FIELDS>;

/** The fields that differ between two states of a client, or `undefined` when there are none. */
export function difference(before: Changeable, after: Changeable): { from: EventFields; to: EventFields } | undefined {
  const names = (Object.keys(FIELDS) as (keyof Changeable)[]).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return undefined;
  const pick = (client: Changeable): EventFields =>
    Object.fromEntries(names.map((name) => [FIELDS[name], client[name]]));
  return { from: pick(before), to: pick(after) };
}
