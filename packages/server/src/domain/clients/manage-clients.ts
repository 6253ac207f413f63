import type { ChangeBy, ChangeWorkspace, WorkspaceRecorder } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { requireEmail } from '../text.ts';
import {
  type Client,
  type ClientStatus,
  type ClientType,
  type NewClient,
  requireClientName,
  requireExternalId,
  type VersionedClient,
} from './client.ts';
import type { ClientEvent, HistoryLine } from './client-event.ts';
import { requireGroupName } from './group.ts';
import { lacksReason, type ReasonRules, reasonMissing, requireReason } from './reason.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

/** The fields of an existing client that may be changed. */
export type ClientPatch = Partial<
  Pick<Client, 'email' | 'name' | 'type' | 'groupName' | 'requestStatus' | 'status' | 'externalId'>
>;

/** Changes to clients within a transaction. Each adds a line to the history of its client. */
export interface ClientChanges extends ReasonRules {
  /**
   * Adds the client with a new reference, or returns the existing client with this email in this group. Fails with `conflict`
   * if another client has the external id.
   */
  add(client: Omit<NewClient, 'referenceId'>): Promise<{ client: VersionedClient; id: number; added: boolean }>;
  /**
   * Passes the client to `decide` and applies the patch that it returns. Fails with `conflict` if another client of the
   * group has the email, or any other the external id, and with `not_found` if the group does not exist; the client is then unchanged.
   */
  change(
    referenceId: string,
    decide: (client: VersionedClient) => ClientPatch,
    reason?: string,
  ): Promise<{ client: VersionedClient; id: number; changed: boolean } | undefined>;
  /**
   * Removes all personal data, with the saved views that are about the client, and keeps the fact that it was erased. `check` may
   * refuse it. Returns the ids of these views, or `undefined` if there is no such client.
   */
  erase(
    referenceId: string,
    check?: (client: VersionedClient) => void,
  ): Promise<{ removedViews: readonly string[] } | undefined>;
  referenceOf(externalId: string): Promise<string | undefined>;
}

export interface ClientLookup {
  find(workspaceId: number, referenceId: string): Promise<VersionedClient | undefined>;
  /** Oldest first. Also available for a client that was erased. */
  history(workspaceId: number, referenceId: string): Promise<ClientEvent[]>;
  /** All lines of several clients that were not erased, in no order. With times, only lines with one of these. */
  histories(workspaceId: number, referenceIds: readonly string[], times?: readonly number[]): Promise<HistoryLine[]>;
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
    /** Empty or missing if it has none. */
    externalId?: string | undefined;
  },
): Promise<{ client: Client; added: boolean }> {
  const at = clock.now();
  const client: Omit<NewClient, 'referenceId'> = {
    email: requireEmail(request.email),
    name: requireClientName(request.name),
    type: request.type,
    groupName: requireGroupName(request.groupName),
    requestStatus: request.requestStatus ?? 'requested',
    status: 'active',
    createdAt: at,
    externalId: requireExternalId(request.externalId ?? ''),
  };
  return changeWorkspace({ ...by, at }, async (change) => {
    const { client: stored, added } = await change.clients.add(client);
    change.record('client.added', stored.referenceId);
    return { client: stored, added };
  });
}

export async function findClient(
  { clients }: Pick<ManageClientsDeps, 'clients'>,
  workspaceId: number,
  referenceId: string,
): Promise<VersionedClient> {
  const client = await clients.find(workspaceId, referenceId);
  if (!client) throw unknownClient(referenceId);
  return client;
}

export async function correctClient(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  correction: {
    email?: string | undefined;
    name?: string | undefined;
    type?: ClientType | undefined;
    externalId?: string | undefined;
  },
): Promise<Client> {
  const patch: ClientPatch = {};
  if (correction.email !== undefined) patch.email = requireEmail(correction.email);
  if (correction.name !== undefined) patch.name = requireClientName(correction.name);
  if (correction.type !== undefined) patch.type = correction.type;
  if (correction.externalId !== undefined) patch.externalId = requireExternalId(correction.externalId);
  return (await applyChange(deps, by, referenceId, patch)).client;
}

export async function moveClient(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  groupName: string,
): Promise<Client> {
  return (await applyChange(deps, by, referenceId, { groupName: requireGroupName(groupName) })).client;
}

export async function setRequestStatus(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  requestStatus: RequestStatus,
  reason?: string,
): Promise<Client> {
  return (await applyChange(deps, by, referenceId, { requestStatus }, { reason })).client;
}

export async function setClientStatus(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  status: ClientStatus,
): Promise<Client> {
  return (await applyChange(deps, by, referenceId, { status })).client;
}

export async function eraseClient(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
): Promise<void> {
  await changeWorkspace({ ...by, at: clock.now() }, (change) => eraseIn(change, referenceId));
}

/** The same within a change. */
export async function eraseIn(
  change: { clients: Pick<ClientChanges, 'erase'> } & WorkspaceRecorder,
  referenceId: string,
  check?: (client: VersionedClient) => void,
): Promise<void> {
  change.record('client.erased', referenceId);
  const erased = await change.clients.erase(referenceId, check);
  if (!erased) throw unknownClient(referenceId);
  for (const viewId of erased.removedViews) change.record('view.removed', viewId);
}

/** The fields of a client as the member saw them before editing, which are expected to be unchanged. Older pages do not show the external id. */
export type ExpectedClient = Required<Omit<ClientPatch, 'externalId'>> & Pick<ClientPatch, 'externalId'>;

interface ChangedClient {
  client: VersionedClient;
  /** False if the client was as wanted before. */
  changed: boolean;
}

/** Changes a client, unless somebody else has changed it since the member opened it. */
export async function changeClientIfUnchanged(
  deps: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  request: { expected: ExpectedClient; patch: ClientPatch; reason?: string | undefined },
): Promise<ChangedClient> {
  return applyChange(deps, by, referenceId, checkedPatch(request.patch), {
    reason: request.reason,
    check: (current) => requireAsExpected(current, request.expected),
  });
}

/** Changes one client in a transaction of its own. The request status can only move along the allowed steps. */
async function applyChange(
  { changeWorkspace, clock }: ManageClientsDeps,
  by: ChangeBy,
  referenceId: string,
  patch: ClientPatch,
  options: { reason?: string | undefined; check?(client: Client): void } = {},
): Promise<ChangedClient> {
  const reason = requireReason(options.reason);
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    change.record('client.changed', referenceId);
    const isReasonMissing = await lacksReason(change.clients, patch.requestStatus, reason);
    const decide = (current: Client) => {
      options.check?.(current);
      if (patch.requestStatus !== undefined) requireTransition(current.requestStatus, patch.requestStatus);
      if (isReasonMissing) throw reasonMissing();
      return patch;
    };
    const result = await change.clients.change(referenceId, decide, reason);
    if (!result) throw unknownClient(referenceId);
    return result;
  });
}

export function unknownClient(referenceId: string): Failure {
  return new Failure('not_found', `There is no client with the reference ${referenceId}.`);
}

export function checkedPatch(patch: ClientPatch): ClientPatch {
  return {
    ...patch,
    ...(patch.email !== undefined && { email: requireEmail(patch.email) }),
    ...(patch.name !== undefined && { name: requireClientName(patch.name) }),
    ...(patch.groupName !== undefined && { groupName: requireGroupName(patch.groupName) }),
    ...(patch.externalId !== undefined && { externalId: requireExternalId(patch.externalId ?? '') }),
  };
}

export function requireAsExpected(current: Client, expected: ExpectedClient): void {
  const changed = (Object.keys(expected) as (keyof ExpectedClient)[]).some(
    (field) => current[field] !== expected[field],
  );
  if (!changed) return;
  throw new Failure(
    'conflict',
    'Somebody else has changed this client in the meantime. Check its current state before you change it.',
  );
}
