import type { ChangeBy } from '../change.ts';
import type { Client } from './client.ts';
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

export interface DecisionOutcomes extends Outcomes {
  /** That of the workspace after the decision, by which it can be undone; none if nothing was changed. */
  version: number | undefined;
}

/** Gives clients another request status in one transaction, except for those that somebody else has changed in the meantime. */
export async function decideClients(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  { clients, requestStatus, ...request }: Decision,
): Promise<DecisionOutcomes> {
  const reason = requireReason(request.reason);
  const decided = new Map(clients.map((client) => [client.referenceId, client.expected]));
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    if (await lacksReason(change.clients, requestStatus, reason)) throw reasonMissing();
    const references: string[] = [];
    const result: DecisionOutcomes = { changed: 0, refused: [], version: undefined };
    for (const [referenceId, expected] of decided) {
      const decide = (current: Client) => {
        requireAsExpected(current, expected);
        requireTransition(current.requestStatus, requestStatus);
        return { requestStatus };
      };
      const outcome = await outcomeOf(async () => {
        const decidedAbout = await change.clients.change(referenceId, decide, reason);
        if (decidedAbout?.changed) result.version = decidedAbout.client.version;
        return decidedAbout;
      });
      if (outcome === 'changed') references.push(referenceId);
      else if (outcome !== 'unchanged') result.refused.push({ referenceId, reason: outcome.refused });
    }
    result.changed = references.length;
    const [only] = decided.keys();
    if (decided.size === 1 && only !== undefined) change.record('client.changed', only);
    else change.record('client.changed', requestStatus, { clients: result.changed, references });
    return result;
  });
}
