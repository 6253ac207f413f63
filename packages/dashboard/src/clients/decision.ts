import type { ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import type { ReviewAnswer } from '#contract/clients/review.ts';
import { TRANSITIONS } from '#contract/clients/statuses.ts';
import { countText } from '../count-text.ts';
import { REQUEST_STATUS_LABELS } from '../labels.ts';

export type Decided = Extract<RequestStatus, 'completed' | 'declined'>;

/** A decision about clients that waited for a review. */
export interface Decision {
  /** As they were seen before. */
  clients: ClientRecord[];
  status: Decided;
  /** Those that the service has changed, as soon as it has answered. */
  changed: ClientRecord[];
  /** By which it can be undone, as soon as the service has answered. */
  version: number | null;
}

/** The request status from which a client is decided about. There is only one, so that it is that of all of them. */
export function formerStatus({ clients }: Pick<Decision, 'clients'>): RequestStatus {
  return clients[0]?.request_status ?? 'pending';
}

export function canBePutBack({ clients, status }: { clients: ClientRecord[]; status: RequestStatus }): boolean {
  return TRANSITIONS[status].includes(formerStatus({ clients }));
}

/** Why a decision cannot be undone, such as `a client that is Declined can only become Requested`. */
export function cannotBePutBackText(status: RequestStatus): string {
  const next = TRANSITIONS[status].map((each) => REQUEST_STATUS_LABELS[each]).join(' or ');
  return `a client that is ${REQUEST_STATUS_LABELS[status]} can only become ${next}`;
}

/** The same as a sentence about these clients. */
export function whyNotPutBack(whom: string, status: RequestStatus): string {
  return `${whom} cannot be put back, because ${cannotBePutBackText(status)}.`;
}

/** The name of the only client, or how many there are. */
export function whomText(clients: readonly ClientRecord[]): string {
  const [only] = clients;
  return clients.length === 1 && only ? only.client_name : countText(clients.length, 'client', 'clients');
}

/** Each reason once, with the clients that it is about. */
export function refusedText(clients: readonly ClientRecord[], refused: ReviewAnswer['refused']): string {
  const byId = new Map(clients.map((client) => [client.reference_id, client]));
  const reasons = [...Map.groupBy(refused, ({ reason }) => reason)];
  return reasons
    .map(([reason, some]) => `${whomText(some.flatMap((each) => byId.get(each.reference_id) ?? []))}: ${reason}`)
    .join(' ');
}
