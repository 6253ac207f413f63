import type { ChangeBy } from '../change.ts';
import { isFailure } from '../failure.ts';
import { checkedPatch, type ManageClientsDeps } from './manage-clients.ts';
import { lacksReason, reasonMissing, requireReason } from './reason.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

export interface BulkRequest {
  referenceIds: readonly string[];
  requestStatus?: RequestStatus | undefined;
  groupName?: string | undefined;
  /** Kept in the history of every client that is changed. */
  reason?: string | undefined;
}

export interface BulkResult {
  changed: number;
  refused: { referenceId: string; reason: string }[];
}

/** Changes many clients in one transaction. Clients that cannot be changed are reported; all others are changed. */
export async function changeManyClients(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  { referenceIds, requestStatus, groupName, ...request }: BulkRequest,
): Promise<BulkResult> {
  const patch = checkedPatch({
    ...(requestStatus !== undefined && { requestStatus }),
    ...(groupName !== undefined && { groupName }),
  });
  const reason = requireReason(request.reason);
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    // It is missing for all of them.
    if (await lacksReason(change.clients, requestStatus, reason)) throw reasonMissing();
    const result: BulkResult = { changed: 0, refused: [] };
    for (const referenceId of new Set(referenceIds)) {
      const outcome = await outcomeOf(() =>
        change.clients.change(
          referenceId,
          (current) => {
            if (requestStatus !== undefined) requireTransition(current.requestStatus, requestStatus);
            return patch;
          },
          reason,
        ),
      );
      if (outcome === 'changed') result.changed++;
      else if (outcome !== 'unchanged') result.refused.push({ referenceId, reason: outcome.refused });
    }
    change.record('client.changed', [requestStatus, groupName].filter(Boolean).join(', '), { clients: result.changed });
    return result;
  });
}

/** The outcome for one of the clients, or the reason why it cannot be changed. */
export async function outcomeOf(
  change: () => Promise<{ changed: boolean } | undefined>,
): Promise<'changed' | 'unchanged' | { refused: string }> {
  try {
    const result = await change();
    if (!result) return { refused: 'There is no such client.' };
    return result.changed ? 'changed' : 'unchanged';
  } catch (error) {
    if (!isFailure(error) || error.code === 'unavailable') throw error;
    return { refused: error.message };
  }
}
