import type { ChangeBy } from '../change.ts';
import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import type { Group } from './group.ts';
import { type ClientName, type Groups, type ManageGroupsDeps, requireGroup } from './manage-groups.ts';

/** So few that another change to the workspace does not wait for long. A group with more clients is moved in parts (decision 90). */
const CLIENTS_AT_ONCE = 2000;

/** How many of the clients that prevent a merge are named. */
const NAMED_MAX = 5;

export interface MergeGroupsDeps extends ManageGroupsDeps {
  groups: Pick<Groups, 'sharedEmails'>;
}

export interface MergedPart {
  from: Group;
  into: Group;
  moved: number;
  /** How many clients are still to be moved. If there are none, the group has been removed. */
  left: number;
}

interface MergeOptions {
  clientsAtOnce?: number;
  /** Stops the merge before the next part. */
  stop?: AbortSignal | undefined;
  onProgress?(soFar: { moved: number; left: number }): void;
}

/**
 * Moves all clients of one group to another, and removes the group. Both are given by their token or name. If it is
 * interrupted, the clients that were moved stay where they are, and the same merge moves the others.
 */
export async function mergeGroups(
  deps: MergeGroupsDeps,
  by: ChangeBy,
  from: string,
  into: string,
  { clientsAtOnce = CLIENTS_AT_ONCE, stop, onProgress }: MergeOptions = {},
): Promise<{ from: Group; into: Group; clients: number }> {
  let part = await mergePart(deps, by, { from, into, clientsAtOnce });
  let clients = part.moved;
  while (part.left > 0) {
    onProgress?.({ moved: clients, left: part.left });
    stop?.throwIfAborted();
    // By their tokens, because a group may be renamed in the meantime.
    const groups = { from: part.from.token, into: part.into.token };
    part = await mergePart(deps, by, { ...groups, continues: true, clientsAtOnce });
    clients += part.moved;
  }
  return { from: part.from, into: part.into, clients };
}

/**
 * Moves some of the clients in one change, and removes the group with the last of them. The first part of a merge is refused
 * if any client of the group has the email of a client of the other, and a later one only because of the clients that it
 * would move: somebody has then added or changed one since the first part.
 */
export async function mergePart(
  { groups, changeWorkspace, clock }: MergeGroupsDeps,
  by: ChangeBy,
  request: { from: string; into: string; continues?: boolean | undefined; clientsAtOnce?: number | undefined },
): Promise<MergedPart> {
  const { continues = false, clientsAtOnce = CLIENTS_AT_ONCE } = request;
  // Without the lock, because it takes long for a large group. Every part checks its own clients again, with the lock.
  const shared = continues
    ? []
    : await groups.sharedEmails(by.workspaceId, fold(request.from), fold(request.into), NAMED_MAX + 1);
  return changeWorkspace({ ...by, at: clock.now(), isLong: true }, async (change) => {
    const from = await requireGroup(change, request.from);
    const into = await requireGroup(change, request.into);
    if (from.token === into.token) throw new Failure('conflict', 'A group cannot be merged into itself.');
    const size = await change.groups.sizeOf(from.token);
    if (size > clientsAtOnce && shared.length > 0) throw emailsShared(from, into, shared, continues);
    const { moved, hasMore, sameEmail } = await change.groups.moveClients(from.token, into.token, clientsAtOnce);
    if (sameEmail.length > 0) throw emailsShared(from, into, sameEmail, continues);
    if (!hasMore) await change.groups.remove(from.token);
    const id = `${from.token} ${into.token}`;
    change.record('group.merged', `${from.name} into ${into.name}`, { id, clients: moved });
    return { from, into, moved, left: hasMore ? Math.max(1, size - moved) : 0 };
  });
}

function emailsShared(from: Group, into: Group, clients: readonly ClientName[], continues: boolean): Failure {
  const names = clients.slice(0, NAMED_MAX).map(({ name, referenceId }) => `${name} (${referenceId})`);
  const named = names.join(', ') + (clients.length > NAMED_MAX ? ' and others' : '');
  const outcome = continues ? 'The clients that were moved before stay there.' : 'Nothing was changed.';
  return new Failure(
    'conflict',
    `Some clients of the group ${from.name} have the same email as a client of ${into.name}: ${named}. ${outcome} Correct or erase these clients, and merge the groups again.`,
  );
}
