import fc from 'fast-check';
import type { Actor } from '../../../domain/change.ts';
import type { RequestStatus } from '../../../domain/clients/request-status.ts';
import { MAY_BECOME, shown, withReference } from '../model/clients.ts';
import type { ModelClient, ModelWorkspace } from '../model/state.ts';
import { clientStatus, email, groupName, name, referenceOf, requestStatus, type } from './client-choices.ts';
import { actorOf, inWorkspace, operation, pick, type Wish, which, workspaceAt } from './operation.ts';

/** A status, or one of those that the client's may become. */
const nextStatus = fc.oneof({ weight: 3, arbitrary: which }, { weight: 1, arbitrary: requestStatus });

interface OneClient {
  workspaceId: number;
  actor: Actor;
  referenceId: string;
}

/** Something that is done to one client. */
function onClient<Choice extends object>(
  weight: number,
  name: string,
  choices: { [Name in keyof Choice]: fc.Arbitrary<Choice[Name]> },
  wish: (choice: Choice, one: OneClient, client: ModelClient | undefined) => Wish,
) {
  const choice = fc.record({ inWorkspace, by: which, client: which, more: fc.record(choices) });
  return operation(weight, name, choice, ({ inWorkspace, by, client, more }, { state }) => {
    const { account, workspace } = workspaceAt(state, inWorkspace);
    const referenceId = referenceOf(state, workspace, client);
    if (referenceId === undefined) return undefined;
    const one = { workspaceId: workspace.id, actor: actorOf(account, by), referenceId };
    // What is known of a client that is not there is what is known of another.
    return wish(more as Choice, one, withReference(workspace, referenceId) ?? workspace.clients[0]);
  });
}

export const CLIENT_OPERATIONS = [
  operation(
    10,
    'add client',
    fc.record({
      inWorkspace,
      by: which,
      client: fc.record({ email, name, type, groupName, requestStatus: fc.option(requestStatus, { nil: undefined }) }),
    }),
    ({ inWorkspace, by, client }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      return { do: 'add client', workspaceId: workspace.id, actor: actorOf(account, by), ...client };
    },
  ),

  onClient(
    6,
    'correct client',
    { correction: fc.record({ email, name, type }, { requiredKeys: [] }) },
    (choice, one) => ({
      do: 'correct client',
      ...one,
      ...choice,
    }),
  ),

  onClient(6, 'move client', { groupName }, (choice, one) => ({ do: 'move client', ...one, ...choice })),

  onClient(9, 'set request status', { nextStatus }, (choice, one, client) => ({
    do: 'set request status',
    ...one,
    requestStatus: statusFor(client, choice.nextStatus),
  })),

  onClient(3, 'set client status', { status: clientStatus }, (choice, one) => ({
    do: 'set client status',
    ...one,
    ...choice,
  })),

  onClient(
    7,
    'change seen client',
    {
      seenBefore: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'email', 'name', 'groupName'),
      patch: fc.record({ email, name, type, groupName, nextStatus, status: clientStatus }, { requiredKeys: [] }),
    },
    (choice, one, client) => {
      const { nextStatus, ...patch } = choice.patch;
      const status = nextStatus !== undefined && { requestStatus: statusFor(client, nextStatus) };
      return {
        do: 'change seen client',
        ...one,
        seen: seenOf(client, choice.seenBefore),
        patch: { ...patch, ...status },
      };
    },
  ),

  operation(
    6,
    'change many clients',
    fc.record({
      inWorkspace,
      by: which,
      clients: fc.array(which, { minLength: 1, maxLength: 8 }),
      to: fc.oneof(fc.record({ nextStatus }), fc.record({ groupName }), fc.record({ nextStatus, groupName })),
    }),
    ({ inWorkspace, by, clients, to }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      const referenceIds = clients.flatMap((each) => referenceOf(state, workspace, each) ?? []);
      if (referenceIds.length === 0) return undefined;
      const first = firstOf(workspace, referenceIds);
      return {
        do: 'change many clients',
        workspaceId: workspace.id,
        actor: actorOf(account, by),
        referenceIds,
        requestStatus: 'nextStatus' in to ? statusFor(first, to.nextStatus) : undefined,
        groupName: 'groupName' in to ? to.groupName : undefined,
      };
    },
  ),

  onClient(4, 'erase client', {}, (_, one) => ({ do: 'erase client', ...one })),
];

function statusFor(client: ModelClient | undefined, choice: RequestStatus | number): RequestStatus {
  if (typeof choice !== 'number') return choice;
  return (client && pick(MAY_BECOME[client.requestStatus], choice)) ?? 'requested';
}

/** What a page shows of a client when it is opened, or showed before somebody else changed it. */
function seenOf(client: ModelClient | undefined, before: string) {
  const { email, name, type, groupName, requestStatus, status } = client ? shown(client) : NOBODY;
  return {
    email: before === 'email' ? 'before@x.example' : email,
    name: before === 'name' ? 'Before' : name,
    type,
    groupName: before === 'groupName' ? 'Before' : groupName,
    requestStatus,
    status,
  };
}

const NOBODY = {
  email: '',
  name: '',
  type: 'company',
  groupName: '',
  requestStatus: 'pending',
  status: 'active',
} as const;

function firstOf(workspace: ModelWorkspace, referenceIds: readonly string[]): ModelClient | undefined {
  return workspace.clients.find((client) => referenceIds.includes(client.referenceId));
}
