import type { Client } from './client.ts';
import { requireClientEmail, requireClientName } from './client.ts';
import { Failure, isFailure } from './failure.ts';
import { requireGroupName } from './group.ts';
import {
  type Change,
  type ClientPatch,
  type ManageClientsDeps,
  moveClient,
  setRequestStatus,
} from './manage-clients.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

/** What a member saw before they changed it. */
export type SeenClient = Required<ClientPatch>;

/** Changes a client, unless somebody else has changed it since the member looked: then nothing is overwritten. */
export async function changeSeenClient(
  { clients, clock }: ManageClientsDeps,
  change: Change,
  referenceId: string,
  request: { seen: SeenClient; patch: ClientPatch },
): Promise<Client> {
  const patch = checkedPatch(request.patch);
  const client = await clients.change(change, referenceId, clock.now(), (current) => {
    requireAsSeen(current, request.seen);
    if (patch.requestStatus !== undefined) requireTransition(current.requestStatus, patch.requestStatus);
    return patch;
  });
  if (!client) throw new Failure('not_found', 'There is no such client.');
  return client;
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

/** One client after the other: those that may not change are told apart, the others are changed all the same. */
export async function changeManyClients(
  deps: ManageClientsDeps,
  change: Change,
  { referenceIds, requestStatus, groupName }: BulkRequest,
): Promise<BulkResult> {
  const result: BulkResult = { changed: 0, refused: [] };
  for (const referenceId of new Set(referenceIds)) {
    try {
      if (requestStatus !== undefined) await setRequestStatus(deps, change, referenceId, requestStatus);
      if (groupName !== undefined) await moveClient(deps, change, referenceId, groupName);
      result.changed++;
    } catch (error) {
      if (!isFailure(error) || error.code === 'unavailable') throw error;
      result.refused.push({ referenceId, reason: error.message });
    }
  }
  return result;
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
