import type { ClientEvent } from '../../../domain/clients/client-event.ts';
import type { RequestTo } from '../requests.ts';
import { clientWithReference } from './clients.ts';
import { type ChangeContext, record, recordChange } from './record.ts';
import { refuse } from './refusal.ts';
import type { ModelAccount, ModelClient, ModelMember, State } from './state.ts';
import { workspaceToChange } from './state.ts';

/** Clients that somebody else has assigned since they were seen do not prevent the others from being assigned. */
export function assignClients(state: State, request: RequestTo<'assign clients'>) {
  const target = workspaceToChange(state, request);
  const { account, workspace } = target;
  const member = request.memberId === null ? undefined : (memberWith(account, request.memberId) ?? refuse('not_found'));
  const wanted = member?.id ?? null;
  const refused: string[] = [];
  const lines: { client: ModelClient; line: ClientEvent }[] = [];
  const clients = new Map(request.clients.map(({ referenceId, expected }) => [referenceId, expected]));
  for (const [referenceId, expected] of clients) {
    const client = clientWithReference(workspace, referenceId);
    if (!client || ![expected, wanted].includes(client.assignee)) refused.push(referenceId);
    else if (client.assignee !== wanted)
      lines.push({ client, line: assign(client, memberWith(account, client.assignee), member, request) });
  }
  const [first] = lines;
  if (first && clients.size === 1) {
    const changed = { from: { ...first.line.from }, to: { ...first.line.to }, reason: null };
    recordChange(target, request, 'client.assigned', { client: first.client }, { changed });
  } else if (first) {
    recordChange(target, request, 'client.assigned', member?.email ?? 'nobody', {
      clients: lines.length,
      references: lines.map(({ client }) => client.referenceId),
    });
  }
  return { changed: lines.length, refused };
}

/** The clients of a member who is removed are assigned to nobody. */
export function endAssignmentsOf(account: ModelAccount, member: ModelMember, context: ChangeContext): void {
  for (const workspace of account.workspaces) {
    const own = workspace.clients.filter((client) => client.assignee === member.id);
    for (const client of own) assign(client, member, undefined, context);
    if (own.length === 0) continue;
    workspace.version++;
    const { environment } = workspace;
    record(account, context, 'client.assigned', 'nobody', { environment, clients: own.length });
  }
}

/** Adds the line to the history, which does not count as a change of the client. */
function assign(
  client: ModelClient,
  from: ModelMember | undefined,
  to: ModelMember | undefined,
  { at, actor }: ChangeContext,
): ClientEvent {
  const line: ClientEvent = {
    ...{ at, actor: actor.name, kind: 'changed', reason: null },
    from: { assignee: from?.email ?? null },
    to: { assignee: to?.email ?? null },
  };
  client.assignee = to?.id ?? null;
  client.history.push(line);
  return line;
}

export function memberWith(account: ModelAccount, memberId: number | null): ModelMember | undefined {
  return account.members.find((each) => each.id === memberId);
}
