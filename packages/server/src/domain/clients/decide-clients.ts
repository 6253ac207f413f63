import type { ChangeBy } from '../change.ts';
import { type ExpectedClient, type ManageClientsDeps, requireAsExpected } from './manage-clients.ts';
import { type Outcomes, outcomeOf } from './one-by-one.ts';
import { lacksReason, reasonMissing, requireReason } from './reason.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

export interface Decision {
  /** The clients as the member saw them. */
  clients: readonly { referenceId: string; expected: ExpectedClient }[];
  requestStatus: RequestStatus;
  /** Kept in the history of every client that is changed. */
  reason?: string | undefined;
}

/** Gives clients another request status in one transaction, except for those that somebody else has changed in the meantime. */
export async function decideClients(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  { clients, requestStatus, ...request }: Decision,
): Promise<Outcomes> {
  const reason = requireReason(request.reason);
  const decided = new Map(clients.map((client) => [client.referenceId, client.expected]));
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    if (await lacksReason(change.clients, requestStatus, reason)) throw reasonMissing();
    const result: Outcomes = { changed: 0, refused: [] };
    for (const [referenceId, expected] of decided) {
      const outcome = await outcomeOf(() =>
        change.clients.change(
          referenceId,
          (current) => {
            requireAsExpected(current, expected);
            requireTransition(current.requestStatus, requestStatus);
            return { requestStatus };
          },
          reason,
        ),
      );
      if (outcome === 'changed') result.changed++;
      else if (outcome !== 'unchanged') result.refused.push({ referenceId, reason: outcome.refused });
    }
    const [only] = decided.keys();
    if (decided.size === 1 && only !== undefined) change.record('client.changed', only);
    else change.record('client.changed', requestStatus, { clients: result.changed });
    return result;
  });
}
