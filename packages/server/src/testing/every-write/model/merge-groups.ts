import type { RequestTo } from '../requests.ts';
import { addChangedEvent, clientWithEmail, fieldsOf } from './clients.ts';
import { existingGroup } from './groups.ts';
import { recordPart } from './record.ts';
import { refuseIf } from './refusal.ts';
import { type State, workspaceToChange } from './state.ts';

/** Moves the clients part by part, the oldest first. Each part is one change, and the group is removed with the last. */
export function mergeGroups(state: State, request: RequestTo<'merge groups'>) {
  const target = workspaceToChange(state, request);
  const { workspace } = target;
  const from = existingGroup(workspace, request.from);
  const into = existingGroup(workspace, request.into);
  refuseIf(from === into, 'conflict');
  const clients = workspace.clients.filter((client) => client.group === from).sort((a, b) => a.createdAt - b.createdAt);
  refuseIf(
    clients.some((client) => clientWithEmail(workspace, into, client.email) !== undefined),
    'conflict',
  );
  const part = {
    action: 'group.merged',
    subject: `${from.name} into ${into.name}`,
    partOf: { from, into },
  } as const;
  let moved = 0;
  do {
    const some = clients.slice(moved, moved + request.clientsAtOnce);
    for (const client of some) {
      const before = fieldsOf(client);
      client.group = into;
      addChangedEvent(workspace, client, { ...request, before });
    }
    moved += some.length;
    if (moved === clients.length) workspace.groups = workspace.groups.filter((each) => each !== from);
    recordPart(target, request, part, some.length);
  } while (moved < clients.length);
  return { into: into.name, clients: moved };
}
