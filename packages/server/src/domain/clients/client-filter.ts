import type { ClientType } from './client.ts';
import type { RequestStatus } from './request-status.ts';

/** Every filter that is given must hold; text is compared folded. */
export interface ClientFilter {
  email?: string | undefined;
  groupName?: string | undefined;
  requestStatus?: RequestStatus | undefined;
  clientType?: ClientType | undefined;
}

/** What a person looks for: the filters of the API, and two that only the dashboard has. */
export interface ClientSearch extends ClientFilter {
  /** A part of the email or of the name. */
  fragment?: string | undefined;
  createdFrom?: number | undefined;
  /** Exclusive. */
  createdUntil?: number | undefined;
}

/** True when there is nothing in it but the filters of the API. */
export function isPlain({ fragment, createdFrom, createdUntil }: ClientSearch): boolean {
  return fragment === undefined && createdFrom === undefined && createdUntil === undefined;
}
