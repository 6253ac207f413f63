import type { WorkspaceRecorder } from '../change.ts';
import { Failure } from '../failure.ts';
import { requireEmail } from '../text.ts';
import type { AnswerContext, AnsweredRequest, ChangeAnswer } from './answer-once.ts';
import {
  type ClientStatus,
  type ClientType,
  type NewClient,
  requireClientName,
  requireExternalId,
  type VersionedClient,
} from './client.ts';
import { requireGroupName } from './group.ts';
import { type ClientChanges, type ClientPatch, checkedPatch, eraseIn, unknownClient } from './manage-clients.ts';
import type { GroupChanges } from './manage-groups.ts';
import { lacksReason, reasonMissing, requireReason } from './reason.ts';
import { type RequestStatus, requireTransition } from './request-status.ts';

/** What a program may write, within a change to its workspace. */
export interface WritingChange extends WorkspaceRecorder {
  clients: ClientChanges;
  groups: GroupChanges;
}

/** A group is given by its name, and made if there is none with it, or by its token. */
export interface GivenGroup {
  groupName?: string | undefined;
  groupToken?: string | undefined;
}

export interface GivenClient extends GivenGroup {
  email: string;
  name: string;
  type: ClientType;
  /** Empty or null if it has none. */
  externalId?: string | null | undefined;
  requestStatus?: RequestStatus | undefined;
  status?: ClientStatus | undefined;
  createdAt?: number | undefined;
}

/** The fields to change. `created_at` and the reference of a client stay. */
export type GivenPatch = { [Field in keyof Omit<GivenClient, 'createdAt'>]?: GivenClient[Field] | undefined };

export interface ChangeOptions {
  /** Kept in the history of the client. */
  reason?: string | undefined;
  /** Whether the client is as the caller expects it to be. */
  isExpected?: ((client: VersionedClient) => boolean) | undefined;
}

export interface WrittenClient {
  client: VersionedClient;
  /** Its number within the workspace. */
  id: number;
}

/** A client to add, with everything checked that can be checked without the store. */
export type CheckedClient = Omit<NewClient, 'referenceId' | 'groupName'> & GivenGroup;

/** What adding a client needs, within a change to its workspace. */
export interface AddingChange extends WorkspaceRecorder {
  clients: Pick<ClientChanges, 'add'>;
  groups: Pick<GroupChanges, 'byToken'>;
}

/** A request to add a client. */
export interface Addition {
  /** Fails if the request is not valid. */
  check(): CheckedClient;
  answer(written: WrittenClient): ChangeAnswer;
}

/** Adds a client and answers, once for all requests with the same key. Clients that are added at the same time are written together. */
export type AnswerAddition = (context: AnswerContext, addition: Addition) => Promise<AnsweredRequest>;

export function checkClient(given: GivenClient, now: number): CheckedClient {
  return {
    email: requireEmail(given.email),
    name: requireClientName(given.name),
    type: given.type,
    ...checkedGroup(given),
    requestStatus: given.requestStatus ?? 'requested',
    status: given.status ?? 'active',
    createdAt: requirePast(given.createdAt, now),
    externalId: requireExternalId(given.externalId ?? ''),
  };
}

/** Adds a client. Fails with `conflict` if its group has a client with this email. */
export async function createClient(change: AddingChange, checked: CheckedClient): Promise<WrittenClient> {
  const groupName = await groupNameOf(change, checked);
  const { client, id, added } = await change.clients.add({ ...checked, groupName });
  if (!added) {
    throw new Failure(
      'conflict',
      `The group ${client.groupName} already has a client with this email (${client.referenceId}).${
        checked.externalId !== null && client.externalId === null
          ? ' To give it this external_id, change it with PATCH.'
          : ''
      }`,
    );
  }
  change.record('client.added', client.referenceId);
  return { client, id };
}

export async function updateClient(
  change: WritingChange,
  referenceId: string,
  given: GivenPatch,
  { isExpected, ...options }: ChangeOptions = {},
): Promise<WrittenClient> {
  const reason = requireReason(options.reason);
  const patch = await patchOf(change, given);
  change.record('client.changed', referenceId);
  const isReasonMissing = await lacksReason(change.clients, patch.requestStatus, reason);
  const decide = (current: VersionedClient) => {
    requireExpected(current, isExpected);
    const { requestStatus } = patch;
    if (requestStatus !== undefined && requestStatus !== current.requestStatus) {
      requireTransition(current.requestStatus, requestStatus);
      if (isReasonMissing) throw reasonMissing();
    }
    return patch;
  };
  const result = await change.clients.change(referenceId, decide, reason);
  if (!result) throw unknownClient(referenceId);
  return result;
}

/** Changes the client that has the external id, or adds one with it. */
export async function putClient(
  change: WritingChange,
  externalId: string,
  given: GivenPatch & Pick<GivenClient, 'createdAt'>,
  { now, mustBeNew, ...options }: ChangeOptions & { now: number; mustBeNew?: boolean },
): Promise<WrittenClient & { added: boolean }> {
  const { createdAt, ...fields } = given;
  const referenceId = await change.clients.referenceOf(externalId);
  if (referenceId !== undefined) {
    if (mustBeNew) throw changedMeanwhile(`The client ${referenceId} has this external_id.`);
    const written = await updateClient(change, referenceId, fields, options);
    if (createdAt !== undefined && createdAt !== written.client.createdAt) {
      throw new Failure('bad_parameter', 'created_at cannot be changed.');
    }
    return { ...written, added: false };
  }
  if (options.isExpected) throw changedMeanwhile('There is no client with this external_id.');
  const { email, name, type } = fields;
  if (email === undefined || name === undefined || type === undefined) {
    const missing = email === undefined ? 'email' : name === undefined ? 'client_name' : 'client_type';
    throw new Failure(
      'bad_parameter',
      `${missing} is missing; it is needed because no client has this external_id yet.`,
    );
  }
  const client = { ...fields, email, name, type, createdAt, externalId };
  return { ...(await createClient(change, checkClient(client, now))), added: true };
}

export async function removeClient(
  change: WritingChange,
  referenceId: string,
  { isExpected }: ChangeOptions = {},
): Promise<void> {
  await eraseIn(change, referenceId, (current) => requireExpected(current, isExpected));
}

async function patchOf(change: WritingChange, { groupName, groupToken, ...given }: GivenPatch): Promise<ClientPatch> {
  const patch: ClientPatch = {};
  if (given.email !== undefined) patch.email = given.email;
  if (given.name !== undefined) patch.name = given.name;
  if (given.type !== undefined) patch.type = given.type;
  if (given.requestStatus !== undefined) patch.requestStatus = given.requestStatus;
  if (given.status !== undefined) patch.status = given.status;
  if (given.externalId !== undefined) patch.externalId = given.externalId;
  if (groupName !== undefined || groupToken !== undefined) {
    patch.groupName = (
      await change.groups.ensure(await groupNameOf(change, checkedGroup({ groupName, groupToken })))
    ).name;
  }
  return checkedPatch(patch);
}

/** Either the name or the token. */
function checkedGroup({ groupName, groupToken }: GivenGroup): GivenGroup {
  if (groupToken === undefined) {
    if (groupName !== undefined) return { groupName: requireGroupName(groupName) };
    throw new Failure('bad_parameter', 'group_name or group_token is missing.');
  }
  if (groupName === undefined) return { groupToken: groupToken.toLowerCase() };
  throw new Failure('bad_parameter', 'Give either group_name or group_token, not both.');
}

async function groupNameOf(
  { groups }: Pick<AddingChange, 'groups'>,
  { groupName, groupToken = '' }: GivenGroup,
): Promise<string> {
  if (groupName !== undefined) return groupName;
  const group = await groups.byToken(groupToken);
  if (!group) throw new Failure('not_found', `There is no group with the token ${groupToken}.`);
  return group.name;
}

function requireExpected(current: VersionedClient, isExpected: ChangeOptions['isExpected']): void {
  if (!isExpected || isExpected(current)) return;
  throw changedMeanwhile('The client has been changed since you read it. Read it again before you change it.');
}

function changedMeanwhile(message: string): Failure {
  return new Failure('changed_meanwhile', message);
}

/** A client cannot have been created in the future. */
function requirePast(createdAt: number | undefined, now: number): number {
  if (createdAt === undefined || createdAt <= now) return createdAt ?? now;
  throw new Failure('bad_parameter', 'created_at must not be in the future.');
}
