import type { Actor, ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import {
  type BulkChange,
  type BulkChangeParts,
  type BulkChangeRequest,
  type BulkChanges,
  isBulkChangeOver,
  makeBulkChangeId,
  unknownBulkChange,
} from './bulk-change.ts';
import { checkedManyPatch, subjectOf } from './change-many-clients.ts';
import type { ClientFilter } from './client-filter.ts';
import type { GroupChanges } from './manage-groups.ts';
import { type ManyPatch, UNDONE } from './many-clients.ts';
import { lacksReason, type ReasonRules, reasonMissing, requireReason } from './reason.ts';
import type { Searcher } from './search-clients.ts';
import { countSelected, filterOf, readSelected, type SelectDeps, type Selection } from './select-clients.ts';

export interface ManageBulkChangesDeps {
  bulkChanges: BulkChanges;
  changeWorkspace: ChangeWorkspace<{
    clients: ReasonRules;
    groups: Pick<GroupChanges, 'find'>;
    bulkChanges: BulkChangeParts;
  }>;
  clock: Clock;
}

/**
 * Stores a change of many clients, which the service then makes as `runAs`. The clients of a list are those that match when it
 * reaches them, unless they are added later; those of a search are the ones that it finds now.
 */
export async function startBulkChange(
  deps: ManageBulkChangesDeps & SelectDeps,
  by: ChangeBy,
  request: { selection: Selection; patch: ManyPatch; reason?: string | undefined; runAs: Actor },
  searcher: Searcher,
): Promise<BulkChange> {
  const patch = checkedManyPatch(request.patch);
  const reason = requireReason(request.reason);
  const { filter, referenceIds, total } = await resolve(deps, by.workspaceId, request.selection, searcher);
  if (total === 0) throw new Failure('conflict', 'There are no such clients, so nothing can be changed.');
  return deps.changeWorkspace({ ...by, at: deps.clock.now() }, async ({ clients, groups, bulkChanges }) => {
    if (await lacksReason(clients, patch.requestStatus, reason)) throw reasonMissing();
    const groupToken = patch.groupName === undefined ? undefined : await tokenOf(groups, patch.groupName);
    const stored = { patch, groupToken, reason, filter: filter && (await withToken(groups, filter)) };
    return bulkChanges.enqueue({ id: makeBulkChangeId(), request: stored, actor: request.runAs, total, referenceIds });
  });
}

async function resolve(
  deps: SelectDeps,
  workspaceId: number,
  selection: Selection,
  searcher: Searcher,
): Promise<{ filter?: ClientFilter; referenceIds?: string[]; total: number }> {
  const filter = filterOf(selection);
  if (filter) return { filter, total: (await countSelected(deps, workspaceId, selection, searcher)).total };
  const clients = await readSelected(deps, workspaceId, selection, searcher);
  return { referenceIds: clients.map(({ referenceId }) => referenceId), total: clients.length };
}

async function tokenOf(groups: Pick<GroupChanges, 'find'>, name: string): Promise<string> {
  const group = await groups.find(fold(name));
  if (!group) throw new Failure('not_found', `There is no group named ${name}. Create it first.`);
  return group.token;
}

/** A group may be renamed, and another one may get its name, while its clients are changed. */
async function withToken(groups: Pick<GroupChanges, 'find'>, filter: ClientFilter): Promise<ClientFilter> {
  const { groupName, groupTokens, ...others } = filter;
  const group = groupName === undefined ? undefined : await groups.find(groupName);
  if (!group) return filter;
  return { ...others, groupTokens: (groupTokens ?? [group.token]).filter((token) => token === group.token) };
}

/** Puts the clients of a bulk change back in the same way, except for those that somebody has changed since. */
export async function undoBulkChange(
  { bulkChanges, changeWorkspace, clock }: ManageBulkChangesDeps,
  by: ChangeBy,
  id: string,
  runAs: Actor,
): Promise<BulkChange> {
  const undone = await findBulkChange({ bulkChanges }, by.workspaceId, id);
  if (!isBulkChangeOver(undone)) throw new Failure('conflict', 'The change is not over. Cancel it first.');
  if (undone.undoable === 0) throw new Failure('conflict', 'There is nothing to undo, or it is being undone already.');
  const { patch, groupToken, filter } = undone.request;
  const referenceIds = await referencesToUndo(bulkChanges, undone);
  const { undoable: total, changed, lastClientId, versions, span } = undone;
  const within = span?.clients === changed ? span : undefined;
  const request: BulkChangeRequest =
    referenceIds || !filter
      ? { patch, undoes: { id, versions } }
      : { patch, undoes: { id, versions, within }, filter: filterAfter(filter, patch, groupToken) };
  return changeWorkspace({ ...by, at: clock.now() }, ({ bulkChanges: parts }) =>
    parts.enqueue({ id: makeBulkChangeId(), request, actor: runAs, total, referenceIds, lastClientId }),
  );
}

/** The clients that were changed, if all of them are known, or else the list to which they belong, if it was not a filtered one. */
async function referencesToUndo(
  bulkChanges: BulkChanges,
  { workspaceId, id, changed }: BulkChange,
): Promise<string[] | undefined> {
  const kept = await bulkChanges.changedIds(workspaceId, id);
  return kept.length === changed ? kept : bulkChanges.referenceIds(workspaceId, id);
}

/** The filter that clients match after the change if nobody has changed them since. */
function filterAfter(
  filter: ClientFilter,
  { requestStatus, status }: ManyPatch,
  groupToken: string | undefined,
): ClientFilter {
  const { requestStatuses, clientType, clientStatus, createdFrom, createdUntil } = filter;
  const kept =
    groupToken === undefined ? filter : { requestStatuses, clientType, clientStatus, createdFrom, createdUntil };
  return {
    ...kept,
    ...(groupToken !== undefined && { groupTokens: [groupToken] }),
    ...(requestStatus !== undefined && { requestStatuses: [requestStatus] }),
    ...(status !== undefined && { clientStatus: status }),
  };
}

export async function findBulkChange(
  { bulkChanges }: Pick<ManageBulkChangesDeps, 'bulkChanges'>,
  workspaceId: number,
  id: string,
): Promise<BulkChange> {
  const change = await bulkChanges.find(workspaceId, id);
  if (!change) throw unknownBulkChange(id);
  return change;
}

/** Ends a bulk change that is not over. The clients that were changed stay so. */
export async function cancelBulkChange(
  { changeWorkspace, clock }: ManageBulkChangesDeps,
  by: ChangeBy,
  id: string,
): Promise<BulkChange> {
  const change = await changeWorkspace({ ...by, at: clock.now() }, async ({ bulkChanges, record }) => {
    const cancelled = await bulkChanges.cancel(id);
    if (!cancelled) throw unknownBulkChange(id);
    const { actor, request } = cancelled;
    record(
      'client.change-cancelled',
      `${request.undoes ? UNDONE : subjectOf(request.patch)}, started by ${actor.name}`,
    );
    return cancelled;
  });
  if (change.state === 'cancelled') return change;
  throw new Failure('conflict', `The change is over already; its state is ${change.state}.`);
}
