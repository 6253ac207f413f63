import fc from 'fast-check';
import type { Actor } from '../../../domain/change.ts';
import type { RequestStatus } from '../../../domain/clients/request-status.ts';
import { clientWithReference, MAY_BECOME, toClient } from '../model/clients.ts';
import type { ModelClient, ModelWorkspace } from '../model/state.ts';
import {
  clientStatus,
  email,
  externalId,
  groupName,
  name,
  reason,
  referenceOf,
  requestStatus,
  type,
} from './client-choices.ts';
import { actorOf, inWorkspace, operation, pick, type UntimedRequest, which, workspaceAt } from './operation.ts';

/** Any status, or one to which the status of the client may change. */
const nextStatus = fc.oneof({ weight: 3, arbitrary: which }, { weight: 1, arbitrary: requestStatus });

interface OneClient {
  workspaceId: number;
  actor: Actor;
  referenceId: string;
}

/** An operation on one client. */
function onClient<Choice extends object>(
  weight: number,
  name: string,
  choices: { [Name in keyof Choice]: fc.Arbitrary<Choice[Name]> },
  wish: (choice: Choice, one: OneClient, client: ModelClient | undefined) => UntimedRequest,
) {
  const choice = fc.record({ inWorkspace, by: which, client: which, more: fc.record(choices) });
  return operation(weight, name, choice, ({ inWorkspace, by, client, more }, { state }) => {
    const { account, workspace } = workspaceAt(state, inWorkspace);
    const referenceId = referenceOf(state, workspace, client);
    if (referenceId === undefined) return undefined;
    const one = { workspaceId: workspace.id, actor: actorOf(account, by), referenceId };
    // For a client that does not exist, the data of another one is used.
    return wish(more as Choice, one, clientWithReference(workspace, referenceId) ?? workspace.clients[0]);
  });
}

const newClient = fc.record({
  email,
  name,
  type,
  groupName,
  requestStatus: fc.option(requestStatus, { nil: undefined }),
  externalId: fc.option(externalId, { nil: undefined, freq: 2 }),
});

/** Not at the same time as others, because it takes several changes. */
export const BULK_OPERATIONS = [
  operation(
    4,
    'change all that match',
    fc.record({
      inWorkspace,
      by: which,
      from: fc.option(requestStatus, { nil: undefined, freq: 2 }),
      to: fc.oneof(fc.record({ requestStatus }), fc.record({ groupName }), fc.record({ status: clientStatus })),
      reason,
      clientsAtOnce: fc.constantFrom(1, 2, 3, 40),
    }),
    ({ inWorkspace, by, to, ...choice }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      return {
        kind: 'change all that match',
        workspaceId: workspace.id,
        actor: actorOf(account, by),
        requestStatus: 'requestStatus' in to ? to.requestStatus : undefined,
        groupName: 'groupName' in to ? to.groupName : undefined,
        status: 'status' in to ? to.status : undefined,
        ...choice,
      };
    },
  ),
];

export const CLIENT_OPERATIONS = [
  operation(
    10,
    'add client',
    fc.record({ inWorkspace, by: which, client: newClient }),
    ({ inWorkspace, by, client }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      return { kind: 'add client', workspaceId: workspace.id, actor: actorOf(account, by), ...client };
    },
  ),

  operation(
    6,
    'add clients at once',
    fc.record({ inWorkspace, by: which, clients: fc.array(newClient, { minLength: 2, maxLength: 6 }) }),
    ({ inWorkspace, by, clients }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      return { kind: 'add clients at once', workspaceId: workspace.id, actor: actorOf(account, by), clients };
    },
  ),

  onClient(
    6,
    'correct client',
    { correction: fc.record({ email, name, type, externalId }, { requiredKeys: [] }) },
    (choice, one) => ({
      kind: 'correct client',
      ...one,
      ...choice,
    }),
  ),

  onClient(6, 'move client', { groupName }, (choice, one) => ({ kind: 'move client', ...one, ...choice })),

  onClient(9, 'set request status', { nextStatus, reason }, (choice, one, client) => ({
    kind: 'set request status',
    ...one,
    requestStatus: statusFor(client, choice.nextStatus),
    reason: choice.reason,
  })),

  onClient(3, 'set client status', { status: clientStatus }, (choice, one) => ({
    kind: 'set client status',
    ...one,
    ...choice,
  })),

  onClient(
    7,
    'change if unchanged',
    {
      seenBefore: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'email', 'name', 'groupName'),
      patch: fc.record(
        {
          email,
          name,
          type,
          groupName,
          nextStatus,
          status: clientStatus,
          externalId: externalId.map((each) => each || null),
        },
        { requiredKeys: [] },
      ),
      reason,
    },
    (choice, one, client) => {
      const { nextStatus, ...patch } = choice.patch;
      const status = nextStatus !== undefined && { requestStatus: statusFor(client, nextStatus) };
      return {
        kind: 'change if unchanged',
        ...one,
        expected: seenOf(client, choice.seenBefore),
        patch: { ...patch, ...status },
        reason: choice.reason,
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
      to: fc.oneof(
        fc.record({ nextStatus }),
        fc.record({ groupName }),
        fc.record({ status: clientStatus }),
        fc.record({ nextStatus, groupName }),
      ),
      reason,
    }),
    ({ inWorkspace, by, clients, to, reason }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      const referenceIds = clients.flatMap((each) => referenceOf(state, workspace, each) ?? []);
      if (referenceIds.length === 0) return undefined;
      const first = firstOf(workspace, referenceIds);
      return {
        kind: 'change many clients',
        workspaceId: workspace.id,
        actor: actorOf(account, by),
        referenceIds,
        requestStatus: 'nextStatus' in to ? statusFor(first, to.nextStatus) : undefined,
        groupName: 'groupName' in to ? to.groupName : undefined,
        status: 'status' in to ? to.status : undefined,
        reason,
      };
    },
  ),

  operation(
    8,
    'undo many clients',
    fc.record({ inWorkspace, by: which, of: which, clients: fc.array(which, { maxLength: 3 }) }),
    ({ inWorkspace, by, of, clients }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      // Those that were changed last, and others of the same change.
      const latest = workspace.clients.toSorted((a, b) => b.version - a.version).slice(0, 3);
      const version = pick(latest, of)?.version;
      if (version === undefined) return undefined;
      const same = workspace.clients.filter((client) => client.version === version);
      const others = clients.flatMap((each) => referenceOf(state, workspace, each) ?? []);
      return {
        kind: 'undo many clients',
        workspaceId: workspace.id,
        actor: actorOf(account, by),
        referenceIds: [...same.map(({ referenceId }) => referenceId), ...others],
        version,
      };
    },
  ),

  operation(
    6,
    'assign clients',
    fc.record({
      inWorkspace,
      by: which,
      clients: fc.array(which, { minLength: 1, maxLength: 4 }),
      seenBefore: fc.constantFrom(false, false, false, true),
      to: which,
    }),
    ({ inWorkspace, by, clients, seenBefore, to }, { state }) => {
      const { account, workspace } = workspaceAt(state, inWorkspace);
      const referenceIds = clients.flatMap((each) => referenceOf(state, workspace, each) ?? []);
      if (referenceIds.length === 0) return undefined;
      // Sometimes somebody who is not, or no longer, a member of the account.
      const others = state.accounts.flatMap((each) => [...each.members, ...each.formerMembers]);
      const member = to % 8 === 0 ? pick(others, to) : pick([...account.members, undefined], to);
      return {
        kind: 'assign clients',
        workspaceId: workspace.id,
        actor: actorOf(account, by),
        clients: referenceIds.map((referenceId) => {
          const assignee = clientWithReference(workspace, referenceId)?.assignee ?? null;
          return { referenceId, expected: seenBefore ? null : assignee };
        }),
        memberId: member?.id ?? null,
      };
    },
  ),

  onClient(4, 'erase client', {}, (_, one) => ({ kind: 'erase client', ...one })),
];

function statusFor(client: ModelClient | undefined, choice: RequestStatus | number): RequestStatus {
  if (typeof choice !== 'number') return choice;
  return (client && pick(MAY_BECOME[client.requestStatus], choice)) ?? 'requested';
}

/** The fields that a page shows: the current ones, or those before somebody else changed the client. */
function seenOf(client: ModelClient | undefined, before: string) {
  const { email, name, type, groupName, requestStatus, status, externalId } = client ? toClient(client) : NOBODY;
  return {
    email: before === 'email' ? 'before@x.example' : email,
    name: before === 'name' ? 'Before' : name,
    type,
    groupName: before === 'groupName' ? 'Before' : groupName,
    requestStatus,
    status,
    externalId,
  };
}

const NOBODY = {
  email: '',
  name: '',
  type: 'company',
  groupName: '',
  requestStatus: 'pending',
  status: 'active',
  externalId: null,
} as const;

function firstOf(workspace: ModelWorkspace, referenceIds: readonly string[]): ModelClient | undefined {
  return workspace.clients.find((client) => referenceIds.includes(client.referenceId));
}
