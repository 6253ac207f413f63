import { isDeepStrictEqual } from 'node:util';

export const REQUEST_STATUSES = ['requested', 'accepted', 'pending', 'completed', 'declined'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** What a client's request status may become. */
export const NEXT_STATUSES: Record<RequestStatus, readonly RequestStatus[]> = {
  requested: ['accepted', 'declined'],
  accepted: ['pending', 'declined'],
  pending: ['completed', 'declined'],
  completed: ['pending'],
  declined: ['requested'],
};

/** A client as the callers have written it. */
export interface ExpectedClient {
  external_id: string;
  email: string;
  client_name: string;
  client_type: 'individual' | 'company';
  client_status: 'active' | 'inactive';
  request_status: RequestStatus;
  group_token: string;
}

/** A client as the service lists it. */
export interface ListedClient extends Omit<ExpectedClient, 'request_status'> {
  /** Capitalised. */
  request_status: string;
  group_name: string;
  reference_id: string;
  created_at: string;
}

/** The plain model: what every acknowledged change has made of the clients and groups. */
export class Model {
  readonly clients = new Map<string, ExpectedClient>();
  /** The names of the groups by their tokens. */
  readonly groups = new Map<string, string>();

  /** What is different between a listed client and the model. */
  differenceOf(listed: ListedClient): string | undefined {
    const expected = this.clients.get(listed.external_id);
    if (!expected) return `${listed.external_id} should not exist`;
    const { reference_id: _reference, created_at: _created, ...fields } = listed;
    const wanted = {
      ...expected,
      request_status: expected.request_status.charAt(0).toUpperCase() + expected.request_status.slice(1),
      group_name: this.groups.get(expected.group_token),
    };
    if (isDeepStrictEqual(fields, wanted)) return undefined;
    return `${JSON.stringify(fields)} should be ${JSON.stringify(wanted)}`;
  }
}
