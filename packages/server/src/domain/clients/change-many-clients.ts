import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { Client } from './client.ts';
import { requireGroupName } from './group.ts';
import {
  type LastEvent,
  type ManyChanges,
  type ManyOutcome,
  type ManyPatch,
  type OnePatch,
  UNDONE,
} from './many-clients.ts';
import { lacksReason, type ReasonRules, reasonMissing, requireReason } from './reason.ts';
import { isRequestStatus, requireTransition, TRANSITIONS } from './request-status.ts';

export interface ChangeManyDeps {
  changeWorkspace: ChangeWorkspace<{ clients: ManyChanges & ReasonRules }>;
  clock: Clock;
}

export interface BulkRequest extends ManyPatch {
  referenceIds: readonly string[];
  /** Kept in the history of every client that is changed. */
  reason?: string | undefined;
}

export interface BulkResult {
  changed: number;
  /** How many had been as wanted before. */
  unchanged: number;
  refused: { referenceId: string; reason: string }[];
  /** The clients that can be put back, and the version by which their change is found. */
  undoable: { referenceIds: string[]; version: number };
}

/** The reason in the history of a client that is put back. */
export const UNDO_REASON = 'Undone';

/** Changes many clients in one transaction. Clients that cannot be changed are reported; all others are changed. */
export async function changeManyClients(
  { changeWorkspace, clock }: ChangeManyDeps,
  by: ChangeBy,
  { referenceIds, ...request }: BulkRequest,
): Promise<BulkResult> {
  const patch = checkedManyPatch(request);
  const reason = requireReason(request.reason);
  return changeWorkspace({ ...by, at: clock.now() }, async ({ clients, record }) => {
    // It is missing for all of them.
    if (await lacksReason(clients, patch.requestStatus, reason)) throw reasonMissing();
    const decide = (client: Client) => decideChange(client, patch);
    const { outcomes, version } = await clients.changeMany([...new Set(referenceIds)], decide, { reason });
    const result = resultOf(outcomes, version, (before) => mayGoBack(before, patch));
    record('client.changed', subjectOf(patch), { clients: result.changed, references: referencesChanged(outcomes) });
    return result;
  });
}

/** Puts clients back that were changed together, except for those that somebody has changed since. */
export async function undoManyClients(
  { changeWorkspace, clock }: ChangeManyDeps,
  by: ChangeBy,
  { referenceIds, version: changedIn }: { referenceIds: readonly string[]; version: number },
): Promise<BulkResult> {
  return changeWorkspace({ ...by, at: clock.now() }, async ({ clients, record }) => {
    const decide = (client: Client, last: LastEvent | undefined) => {
      const patch = decideUndo(client, last, (version) => version === changedIn);
      if (!patch) throw new Failure('conflict', 'Somebody has changed the client since.');
      return patch;
    };
    const options = { reason: UNDO_REASON, withLastEvent: true };
    const { outcomes, version } = await clients.changeMany([...new Set(referenceIds)], decide, options);
    const result = resultOf(outcomes, version, () => false);
    record('client.changed', UNDONE, { clients: result.changed, references: referencesChanged(outcomes) });
    return result;
  });
}

export function checkedManyPatch({ requestStatus, groupName, status }: ManyPatch): ManyPatch {
  return {
    ...(requestStatus !== undefined && { requestStatus }),
    ...(groupName !== undefined && { groupName: requireGroupName(groupName) }),
    ...(status !== undefined && { status }),
  };
}

/** What the activity log says that clients were changed to. */
export function subjectOf({ requestStatus, groupName, status }: ManyPatch): string {
  return [requestStatus, groupName, status].filter(Boolean).join(', ');
}

/** A client that has the request status already needs no step. */
export function decideChange({ requestStatus: current }: Client, patch: OnePatch): OnePatch {
  const { requestStatus: wanted } = patch;
  if (wanted !== undefined && wanted !== current) requireTransition(current, wanted);
  return patch;
}

/** The values before the last change of the client, if that is one of those that are undone. */
export function decideUndo(
  client: Client,
  last: LastEvent | undefined,
  isUndone: (version: number) => boolean,
): OnePatch | undefined {
  if (!last?.from || !isUndone(last.version)) return undefined;
  const { request_status: requestStatus, group_name: groupName, group_token: groupToken } = last.from;
  const { client_status: status } = last.from;
  return decideChange(client, {
    ...(requestStatus !== undefined && isRequestStatus(requestStatus) && { requestStatus }),
    ...(groupName !== undefined && { groupName, groupToken }),
    ...(status !== undefined && { status: status === 'inactive' ? 'inactive' : 'active' }),
  });
}

/** The same, without the clients that may not go back: they were not offered to be undone. */
export function decideOfferedUndo(
  client: Client,
  last: LastEvent | undefined,
  isUndone: (version: number) => boolean,
): ManyPatch | undefined {
  const before = last?.from?.request_status;
  const isOffered = before === undefined || !isRequestStatus(before) || mayGoBack({ requestStatus: before }, client);
  return isOffered ? decideUndo(client, last, isUndone) : undefined;
}

/** Whether a client that was changed may become again what it was before. */
export function mayGoBack(before: Pick<Client, 'requestStatus'>, { requestStatus }: ManyPatch): boolean {
  if (requestStatus === undefined || requestStatus === before.requestStatus) return true;
  return TRANSITIONS[requestStatus].includes(before.requestStatus);
}

export function referencesChanged(outcomes: readonly ManyOutcome[]): string[] {
  return outcomes.filter(({ outcome }) => outcome === 'changed').map(({ referenceId }) => referenceId);
}

function resultOf(
  outcomes: readonly ManyOutcome[],
  version: number,
  isUndoable: (before: Client) => boolean,
): BulkResult {
  const result: BulkResult = { changed: 0, unchanged: 0, refused: [], undoable: { referenceIds: [], version } };
  for (const each of outcomes) {
    if (each.outcome === 'refused') result.refused.push({ referenceId: each.referenceId, reason: each.reason });
    else if (each.outcome !== 'changed') result.unchanged++;
    else {
      result.changed++;
      if (isUndoable(each.before)) result.undoable.referenceIds.push(each.referenceId);
    }
  }
  return result;
}
