import type { ChangeBy } from '../change.ts';
import { Failure, isFailure } from '../failure.ts';
import { type Client, requireClientEmail, requireClientName } from './client.ts';
import { requireGroupName } from './group.ts';
import { applyChange, type ClientChanges, type ClientPatch, type ManageClientsDeps } from './manage-clients.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

/** What a member saw before they changed it. */
export type SeenClient = Required<ClientPatch>;

/** Changes a client, unless somebody else has changed it since the member looked: then nothing is overwritten. */
export async function changeSeenClient(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  request: { seen: SeenClient; patch: ClientPatch },
): Promise<Client> {
  const patch = checkedPatch(request.patch);
  return applyChange(deps, by, referenceId, (current) => {
    requireAsSeen(current, request.seen);
    if (patch.requestStatus !== undefined) requireTransition(current.requestStatus, patch.requestStatus);
    return patch;
  });
}

export interface BulkRequest {
  referenceIds: readonly string[];
  requestStatus?: RequestStatus | undefined;
  groupName?: string | undefined;
}

export interface BulkResult {
  changed: number;
  refused: { referenceId: string; reason: string }[];
}

/** Many clients in one change: those that may not change are told apart, all the others change together. */
export async function changeManyClients(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  { referenceIds, requestStatus, groupName }: BulkRequest,
): Promise<BulkResult> {
  const patch = checkedPatch({
    ...(requestStatus !== undefined && { requestStatus }),
    ...(groupName !== undefined && { groupName }),
  });
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const result: BulkResult = { changed: 0, refused: [] };
    for (const referenceId of new Set(referenceIds)) {
      const outcome = await outcomeOf(() =>
        change.clients.change(referenceId, (current) => {
          if (requestStatus !== undefined) requireTransition(current.requestStatus, requestStatus);
          return patch;
        }),
      );
      if (outcome === 'changed') result.changed++;
      else if (outcome !== 'unchanged') result.refused.push({ referenceId, reason: outcome.refused });
    }
    change.record('client.changed', [requestStatus, groupName].filter(Boolean).join(', '), { clients: result.changed });
    return result;
  });
}

/** What became of one client of many, or why it may not change. */
async function outcomeOf(
  change: () => ReturnType<ClientChanges['change']>,
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

function checkedPatch(patch: ClientPatch): ClientPatch {
  return {
    ...patch,
    ...(patch.email !== undefined && { email: requireClientEmail(patch.email) }),
    ...(patch.name !== undefined && { name: requireClientName(patch.name) }),
    ...(patch.groupName !== undefined && { groupName: requireGroupName(patch.groupName) }),
  };
}

function requireAsSeen(current: Client, seen: SeenClient): void {
  const changed = (Object.keys(seen) as (keyof SeenClient)[]).some((field) => current[field] !== seen[field]);
  if (!changed) return;
  throw new Failure(
    'conflict',
    'Somebody else has changed this client meanwhile. Look at it as it is now, then decide.',
  );
}
