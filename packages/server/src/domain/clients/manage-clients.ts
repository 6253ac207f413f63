import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import {
  type Client,
  type ClientStatus,
  type ClientType,
  type NewClient,
  requireClientEmail,
  requireClientName,
} from './client.ts';
import type { ClientEvent } from './client-event.ts';
import { requireGroupName } from './group.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

/** What may be changed of a client once it exists. */
export type ClientPatch = Partial<Pick<Client, 'email' | 'name' | 'type' | 'groupName' | 'requestStatus' | 'status'>>;

/** What a change may do to clients; each leaves a line in the client's history. */
export interface ClientChanges {
  /** Adds the client, with a new reference, or returns the one that has this email in this group. */
  add(client: Omit<NewClient, 'referenceId'>): Promise<{ client: Client; added: boolean }>;
  /**
   * Shows the client to `decide` and applies what it returns. An email that the group already has is a `conflict`; an
   * unknown group is `not_found`. A client that is refused has not been touched.
   */
  change(
    referenceId: string,
    decide: (client: Client) => ClientPatch,
  ): Promise<{ client: Client; changed: boolean } | undefined>;
  /** Removes every trace of the person and keeps the fact. */
  erase(referenceId: string): Promise<boolean>;
}

export interface ClientLookup {
  find(workspaceId: number, referenceId: string): Promise<Client | undefined>;
  /** Oldest first; also of a client that was erased. */
  history(workspaceId: number, referenceId: string): Promise<ClientEvent[]>;
}

export interface ManageClientsDeps {
  clients: ClientLookup;
  changeWorkspace: ChangeWorkspace<{ clients: ClientChanges }>;
  clock: Clock;
}

export async function addClient(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  request: {
    email: string;
    name: string;
    type: ClientType;
    groupName: string;
    requestStatus?: RequestStatus | undefined;
  },
): Promise<{ client: Client; added: boolean }> {
  const at = clock.now();
  const client: Omit<NewClient, 'referenceId'> = {
    email: requireClientEmail(request.email),
    name: requireClientName(request.name),
    type: request.type,
    groupName: requireGroupName(request.groupName),
    requestStatus: request.requestStatus ?? 'requested',
    status: 'active',
    createdAt: at,
  };
  return changeWorkspace({ ...by, at }, async (change) => {
    const result = await change.clients.add(client);
    change.record('client.added', result.client.referenceId);
    return result;
  });
}

export async function findClient(
  { clients }: Pick<ManageClientsDeps, 'clients'>,
  workspaceId: number,
  referenceId: string,
): Promise<Client> {
  const client = await clients.find(workspaceId, referenceId);
  if (!client) throw unknownClient(referenceId);
  return client;
}

export async function correctClient(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  correction: { email?: string | undefined; name?: string | undefined; type?: ClientType | undefined },
): Promise<Client> {
  const patch: ClientPatch = {};
  if (correction.email !== undefined) patch.email = requireClientEmail(correction.email);
  if (correction.name !== undefined) patch.name = requireClientName(correction.name);
  if (correction.type !== undefined) patch.type = correction.type;
  return applyChange(deps, by, referenceId, () => patch);
}

export async function moveClient(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  groupName: string,
): Promise<Client> {
  const patch: ClientPatch = { groupName: requireGroupName(groupName) };
  return applyChange(deps, by, referenceId, () => patch);
}

export function setRequestStatus(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  requestStatus: RequestStatus,
): Promise<Client> {
  return applyChange(deps, by, referenceId, (client) => {
    requireTransition(client.requestStatus, requestStatus);
    return { requestStatus };
  });
}

export function setClientStatus(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  status: ClientStatus,
): Promise<Client> {
  return applyChange(deps, by, referenceId, () => ({ status }));
}

export async function eraseClient(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
): Promise<void> {
  await changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    change.record('client.erased', referenceId);
    if (!(await change.clients.erase(referenceId))) throw unknownClient(referenceId);
  });
}

/** Changes one client in a change of its own. */
export async function applyChange(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  decide: (client: Client) => ClientPatch,
): Promise<Client> {
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    change.record('client.changed', referenceId);
    const result = await change.clients.change(referenceId, decide);
    if (!result) throw unknownClient(referenceId);
    return result.client;
  });
}

function unknownClient(referenceId: string): Failure {
  return new Failure('not_found', `No client has the reference ${referenceId}.`);
}
