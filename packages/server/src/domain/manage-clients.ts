import {
  type Client,
  type ClientStatus,
  type ClientType,
  type NewClient,
  requireClientEmail,
  requireClientName,
} from './client.ts';
import type { ClientEvent } from './client-event.ts';
import type { Clock } from './clock.ts';
import { Failure } from './failure.ts';
import { requireGroupName } from './group.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

/** Who does it, for the client's history. */
export interface Change {
  workspaceId: number;
  actor: string;
}

/** What may be changed of a client once it exists. */
export type ClientPatch = Partial<Pick<Client, 'email' | 'name' | 'type' | 'groupName' | 'requestStatus' | 'status'>>;

export interface ClientChanges {
  /** Adds the client, with a new reference, and its event; or returns the one that has this email in this group. */
  addOne(
    change: Change,
    client: Omit<NewClient, 'referenceId'>,
    at: number,
  ): Promise<{ client: Client; added: boolean }>;
  find(workspaceId: number, referenceId: string): Promise<Client | undefined>;
  /** Oldest first; also of a client that was erased. */
  history(workspaceId: number, referenceId: string): Promise<ClientEvent[]>;
  /**
   * Shows the client to `decide` and applies what it returns, with one event, in one transaction that nobody else can
   * come between. An email that the group already has is a `conflict`; an unknown group is `not_found`.
   */
  change(
    change: Change,
    referenceId: string,
    at: number,
    decide: (client: Client) => ClientPatch,
  ): Promise<Client | undefined>;
  /** Removes every trace of the person and keeps the fact. */
  erase(change: Change, referenceId: string, at: number): Promise<boolean>;
}

export interface ManageClientsDeps {
  clients: ClientChanges;
  clock: Clock;
}

export async function addClient(
  { clients, clock }: ManageClientsDeps,
  change: Change,
  request: {
    email: string;
    name: string;
    type: ClientType;
    groupName: string;
    requestStatus?: RequestStatus | undefined;
  },
): Promise<{ client: Client; added: boolean }> {
  const now = clock.now();
  const client: Omit<NewClient, 'referenceId'> = {
    email: requireClientEmail(request.email),
    name: requireClientName(request.name),
    type: request.type,
    groupName: requireGroupName(request.groupName),
    requestStatus: request.requestStatus ?? 'requested',
    status: 'active',
    createdAt: now,
  };
  return clients.addOne(change, client, now);
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

export function correctClient(
  deps: ManageClientsDeps,
  change: Change,
  referenceId: string,
  correction: { email?: string | undefined; name?: string | undefined; type?: ClientType | undefined },
): Promise<Client> {
  const patch: ClientPatch = {};
  if (correction.email !== undefined) patch.email = requireClientEmail(correction.email);
  if (correction.name !== undefined) patch.name = requireClientName(correction.name);
  if (correction.type !== undefined) patch.type = correction.type;
  return applyChange(deps, change, referenceId, () => patch);
}

export function moveClient(
  deps: ManageClientsDeps,
  change: Change,
  referenceId: string,
  groupName: string,
): Promise<Client> {
  return applyChange(deps, change, referenceId, () => ({ groupName: requireGroupName(groupName) }));
}

export function setRequestStatus(
  deps: ManageClientsDeps,
  change: Change,
  referenceId: string,
  requestStatus: RequestStatus,
): Promise<Client> {
  return applyChange(deps, change, referenceId, (client) => {
    requireTransition(client.requestStatus, requestStatus);
    return { requestStatus };
  });
}

export function setClientStatus(
  deps: ManageClientsDeps,
  change: Change,
  referenceId: string,
  status: ClientStatus,
): Promise<Client> {
  return applyChange(deps, change, referenceId, () => ({ status }));
}

export async function eraseClient(
  { clients, clock }: ManageClientsDeps,
  change: Change,
  referenceId: string,
): Promise<void> {
  if (!(await clients.erase(change, referenceId, clock.now()))) throw unknownClient(referenceId);
}

async function applyChange(
  { clients, clock }: ManageClientsDeps,
  change: Change,
  referenceId: string,
  decide: (client: Client) => ClientPatch,
): Promise<Client> {
  const client = await clients.change(change, referenceId, clock.now(), decide);
  if (!client) throw unknownClient(referenceId);
  return client;
}

function unknownClient(referenceId: string): Failure {
  return new Failure('not_found', `No client has the reference ${referenceId}.`);
}
