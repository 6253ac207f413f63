import type { Client, VersionedClient } from '../../../domain/clients/client.ts';
import type { ClientEvent, EventFields } from '../../../domain/clients/client-event.ts';
import type { ClientPatch } from '../../../domain/clients/manage-clients.ts';
import type { RequestStatus } from '../../../domain/clients/request-status.ts';
import { fold } from '../../../domain/text.ts';
import type { RequestTo } from '../requests.ts';
import { groupNamed } from './groups.ts';
import { type ChangeContext, recordChange, recordPart } from './record.ts';
import { Refusal, refuse, refuseIf } from './refusal.ts';
import {
  findWorkspace,
  type ModelAccount,
  type ModelClient,
  type ModelEntry,
  type ModelGroup,
  type ModelWorkspace,
  type State,
  workspaceToChange,
} from './state.ts';
import { CLIENT_NAME_MAX, GROUP_NAME_MAX, isEmail, isExternalId, isName, isReason } from './text-rules.ts';

/** The allowed changes of a request status, as in the contract. */
export const MAY_BECOME: Record<RequestStatus, RequestStatus[]> = {
  requested: ['accepted', 'declined'],
  accepted: ['pending', 'declined'],
  pending: ['completed', 'declined'],
  completed: ['pending'],
  declined: ['requested'],
};

export function addClient(state: State, request: RequestTo<'add client'>) {
  const externalId = request.externalId?.trim() || null;
  refuseBadText({ email: request.email, name: request.name, groupName: request.groupName, externalId });
  const target = workspaceToChange(state, request);
  const { workspace } = target;
  const group = groupNamed(workspace, request.groupName);
  const existing = group && clientWithEmail(workspace, group, request.email);
  if (existing) return { added: false, client: withoutReference(toVersioned(existing)) };
  refuseIf(clientWithExternalId(workspace, externalId) !== undefined, 'conflict');

  const client: ModelClient = {
    referenceId: '',
    email: request.email.trim(),
    name: request.name.trim(),
    type: request.type,
    group: group ?? { token: '', name: request.groupName.trim(), createdAt: request.at },
    requestStatus: request.requestStatus ?? 'requested',
    status: 'active',
    createdAt: request.at,
    externalId,
    assignee: null,
    version: 0,
    history: [],
    undone: [],
  };
  if (!group) workspace.groups.push(client.group);
  workspace.clients.push(client);
  addAddedEvent(workspace, client, request);
  recordChange(target, request, 'client.added', { client });
  return { added: true, client: withoutReference(toVersioned(client)) };
}

/** Requests of programs that arrive together, each with an answer of its own. */
export function addClientsAtOnce(state: State, { clients, ...request }: RequestTo<'add clients at once'>) {
  return clients.map((each) => {
    try {
      workspaceToChange(state, request);
      const { added, client } = addClient(state, { ...request, ...each, kind: 'add client' });
      refuseIf(!added, 'conflict');
      return { client };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { refused: error.code };
    }
  });
}

export function correctClient(state: State, request: RequestTo<'correct client'>) {
  const { externalId, ...others } = request.correction;
  const patch = externalId === undefined ? others : { ...others, externalId: externalId.trim() || null };
  return changeOne(state, request, patch);
}

export function moveClient(state: State, request: RequestTo<'move client'>) {
  return changeOne(state, request, { groupName: request.groupName });
}

export function setRequestStatus(state: State, request: RequestTo<'set request status'>) {
  return changeOne(state, request, { requestStatus: request.requestStatus }, { reason: request.reason });
}

export function setClientStatus(state: State, request: RequestTo<'set client status'>) {
  return changeOne(state, request, { status: request.status });
}

/** Refused if the client has changed since the member saw it. */
export function changeClientIfUnchanged(state: State, request: RequestTo<'change if unchanged'>) {
  const check = (client: ModelClient) => {
    const now = toClient(client);
    const fields = Object.keys(request.expected) as (keyof typeof request.expected)[];
    refuseIf(
      fields.some((field) => now[field] !== request.expected[field]),
      'conflict',
    );
  };
  return changeOne(state, request, request.patch, { reason: request.reason, check });
}

/** Clients that cannot be changed do not prevent the others from being changed. */
export function changeManyClients(state: State, request: RequestTo<'change many clients'>) {
  const patch = manyPatchOf(request);
  const target = workspaceToChange(state, request);
  refuseIf(lacksReason(target.account, patch, request.reason), 'bad_parameter');
  const { references, refused } = changeEach(target.workspace, [...new Set(request.referenceIds)], patch, request);
  recordFew(target, request, subjectOf(request), references);
  return { changed: references.length, refused };
}

/** The entry says which clients were changed. */
function recordFew(
  target: { account: ModelAccount; workspace: ModelWorkspace },
  context: ChangeContext,
  subject: string,
  references: string[],
): void {
  if (references.length === 0) return;
  recordChange(target, context, 'client.changed', subject, { clients: references.length, references });
}

/** Puts clients back whose last change was made in this version. Neither that change nor this one counts in the times of reviews. */
export function undoManyClients(state: State, request: RequestTo<'undo many clients'>) {
  const target = workspaceToChange(state, request);
  const { workspace } = target;
  const taken = new Set(workspace.clients.map(({ group, email }) => JSON.stringify([group.name, fold(email)])));
  const refused: string[] = [];
  const references: string[] = [];
  for (const referenceId of new Set(request.referenceIds)) {
    try {
      if (undoOne(workspace, referenceId, request, taken)) references.push(referenceId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(referenceId);
    }
  }
  recordFew(target, request, 'what they were before', references);
  return { changed: references.length, refused };
}

/** `taken` are the groups and emails that clients have before, or after this change. */
function undoOne(
  workspace: ModelWorkspace,
  referenceId: string,
  request: RequestTo<'undo many clients'>,
  taken: Set<string>,
): boolean {
  const found = clientWithReference(workspace, referenceId) ?? refuse('not_found');
  const last = found.history.findLast((event) => !isAboutAssignee(event));
  if (!last?.from || found.version !== request.version) return refuse('conflict');
  const { request_status: requestStatus, group_name: groupName, client_status: status } = last.from;
  const patch = {
    ...(requestStatus !== undefined && { requestStatus }),
    ...(groupName !== undefined && { groupName }),
    ...(status !== undefined && { status }),
  } as ClientPatch;
  const { client, wanted } = decide(workspace, referenceId, neededOf(patch, workspace, referenceId));
  const place = JSON.stringify([wanted.group?.name, fold(client.email)]);
  if (wanted.group !== client.group) refuseIf(taken.has(place), 'conflict');
  taken.add(place);
  if (!apply(workspace, client, wanted, { ...request, reason: 'Undone' })) return false;
  // Who undoes an undo changes the client again.
  if (!client.undone.includes(last)) {
    client.undone.push(last, client.history.at(-1) ?? last);
    workspace.statusChanges = workspace.statusChanges.filter(({ event }) => !client.undone.includes(event));
  }
  return true;
}

/** In parts, the oldest first. Each part is one change. */
export function changeAllThatMatch(state: State, request: RequestTo<'change all that match'>) {
  const patch = manyPatchOf(request);
  const matching = findWorkspace(state, request.workspaceId)
    .workspace.clients.filter(({ requestStatus }) => request.from === undefined || requestStatus === request.from)
    .sort((a, b) => a.createdAt - b.createdAt);
  refuseIf(matching.length === 0, 'conflict');
  const target = workspaceToChange(state, request);
  refuseIf(lacksReason(target.account, patch, request.reason), 'bad_parameter');
  refuseIf(patch.groupName !== undefined && !groupNamed(target.workspace, patch.groupName), 'not_found');
  const part = {
    action: 'client.changed',
    subject: subjectOf(request),
    partOf: `change after version ${target.workspace.version}`,
  } as const;
  const outcome = { changed: 0, refused: 0 };
  for (let start = 0; start < matching.length; start += request.clientsAtOnce) {
    const some = matching.slice(start, start + request.clientsAtOnce).map(({ referenceId }) => referenceId);
    const { references, refused } = changeEach(target.workspace, some, patch, request);
    if (references.length > 0) recordPart(target, request, part, references.length, { references });
    outcome.changed += references.length;
    outcome.refused += refused.length;
  }
  return outcome;
}

type ManyRequest = Pick<RequestTo<'change many clients'>, 'requestStatus' | 'groupName' | 'status' | 'reason'>;

function manyPatchOf({ requestStatus, groupName, status, reason }: ManyRequest): ClientPatch {
  const patch: ClientPatch = {
    ...(requestStatus !== undefined && { requestStatus }),
    ...(groupName !== undefined && { groupName }),
    ...(status !== undefined && { status }),
  };
  refuseBadText(patch);
  refuseIf(!isReason(reason), 'bad_parameter');
  return patch;
}

function subjectOf({ requestStatus, groupName, status }: ManyRequest): string {
  return [requestStatus, groupName?.trim(), status].filter(Boolean).join(', ');
}

function changeEach(
  workspace: ModelWorkspace,
  referenceIds: readonly string[],
  patch: ClientPatch,
  request: ChangeContext & ManyRequest,
): { references: string[]; refused: string[] } {
  const refused: string[] = [];
  const references: string[] = [];
  for (const referenceId of referenceIds) {
    try {
      const { client, wanted } = decide(workspace, referenceId, neededOf(patch, workspace, referenceId));
      if (apply(workspace, client, wanted, request)) references.push(referenceId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(referenceId);
    }
  }
  return { references, refused };
}

/** A client that has the request status already needs no step, unlike a single client that is changed. */
function neededOf(
  { requestStatus, ...others }: ClientPatch,
  workspace: ModelWorkspace,
  referenceId: string,
): ClientPatch {
  const isStep = clientWithReference(workspace, referenceId)?.requestStatus !== requestStatus;
  return isStep && requestStatus !== undefined ? { ...others, requestStatus } : others;
}

/** Removes the client and the personal data in its history. */
export function eraseClient(state: State, request: RequestTo<'erase client'>) {
  const target = workspaceToChange(state, request);
  const { workspace } = target;
  const client = clientWithReference(workspace, request.referenceId) ?? refuse('not_found');
  workspace.clients = workspace.clients.filter((each) => each !== client);
  workspace.erased.push(client);
  client.history = client.history.filter((event) => !isAboutAssignee(event));
  for (const event of client.history) Object.assign(event, { from: null, to: null, reason: null });
  for (const entry of target.account.activity) if (isAbout(entry, client)) entry.changed = null;
  client.history.push({
    at: request.at,
    actor: request.actor.name,
    kind: 'erased',
    from: null,
    to: null,
    reason: null,
  });
  recordChange(target, request, 'client.erased', { client });
  return null;
}

function isAbout({ subject }: ModelEntry, client: ModelClient): boolean {
  return typeof subject === 'object' && 'client' in subject && subject.client === client;
}

function changeOne(
  state: State,
  request: ChangeContext & { workspaceId: number; referenceId: string },
  patch: ClientPatch,
  { reason, check }: { reason?: string | undefined; check?(client: ModelClient): void } = {},
) {
  refuseBadText(patch);
  refuseIf(!isReason(reason), 'bad_parameter');
  const target = workspaceToChange(state, request);
  const isReasonMissing = lacksReason(target.account, patch, reason);
  const { client, wanted } = decide(target.workspace, request.referenceId, patch, { check, isReasonMissing });
  if (apply(target.workspace, client, wanted, { ...request, reason })) {
    const { from, to, reason: given } = client.history.at(-1) ?? refuse('not_found');
    recordChange(
      target,
      request,
      'client.changed',
      { client },
      { changed: { from: { ...from }, to: { ...to }, reason: given } },
    );
  }
  return toVersioned(client);
}

/** An account may require a reason to decline a client. */
function lacksReason(account: ModelAccount, { requestStatus }: ClientPatch, reason = ''): boolean {
  return account.settings.requiresDeclineReason && requestStatus === 'declined' && reason.trim() === '';
}

type Wanted = Partial<
  Pick<ModelClient, 'email' | 'name' | 'type' | 'group' | 'requestStatus' | 'status' | 'createdAt' | 'externalId'>
>;

/** The new state of the client, if the change is allowed. */
function decide(
  workspace: ModelWorkspace,
  referenceId: string,
  { groupName, ...patch }: ClientPatch,
  more: { check?: ((client: ModelClient) => void) | undefined; isReasonMissing?: boolean } = {},
): { client: ModelClient; wanted: Wanted } {
  const client = clientWithReference(workspace, referenceId) ?? refuse('not_found');
  more.check?.(client);
  if (patch.requestStatus !== undefined) {
    refuseIf(!MAY_BECOME[client.requestStatus].includes(patch.requestStatus), 'conflict');
    refuseIf(more.isReasonMissing === true, 'bad_parameter');
  }
  const group = groupName === undefined ? client.group : (groupNamed(workspace, groupName) ?? refuse('not_found'));
  const other = clientWithEmail(workspace, group, patch.email ?? client.email);
  refuseIf(other !== undefined && other !== client, 'conflict');
  const namesake = clientWithExternalId(workspace, patch.externalId?.trim() || null);
  refuseIf(namesake !== undefined && namesake !== client, 'conflict');
  const texts = {
    ...(patch.email !== undefined && { email: patch.email.trim() }),
    ...(patch.name !== undefined && { name: patch.name.trim() }),
    ...(patch.externalId !== undefined && { externalId: patch.externalId?.trim() || null }),
  };
  return { client, wanted: { ...patch, ...texts, group } };
}

/** Changes the client. Returns whether anything differs from before. */
function apply(
  workspace: ModelWorkspace,
  client: ModelClient,
  wanted: Wanted,
  context: ChangeContext & { reason?: string | undefined },
): boolean {
  const before = fieldsOf(client);
  const from = client.requestStatus;
  const since = statusKnownSince(client);
  const enteredAt = since === null ? null : Math.min(since, context.at);
  Object.assign(client, wanted);
  if (!addChangedEvent(workspace, client, { ...context, before })) return false;
  const { requestStatus: to, history, createdAt } = client;
  const event = history.at(-1);
  if (event && to !== from) {
    const addedAt = Math.min(createdAt, context.at);
    workspace.statusChanges.push({ event, at: context.at, from, to, enteredAt, addedAt });
  }
  return true;
}

/** A client that was added in a status has had it since then. */
export function statusSince(client: ModelClient): number {
  return statusChangedAt(client) ?? client.createdAt;
}

/** For how long one had its status that came here more than a day after it was added, nobody knows. */
function statusKnownSince(client: ModelClient): number | null {
  const changedAt = statusChangedAt(client);
  if (changedAt !== undefined) return changedAt;
  const cameAt = client.history.find((event) => event.kind === 'added')?.at ?? 0;
  return cameAt - client.createdAt > 86_400_000 ? null : client.createdAt;
}

function statusChangedAt({ history, undone }: ModelClient): number | undefined {
  const isCounted = (event: ClientEvent) => event.kind === 'changed' && !undone.includes(event);
  return history.findLast((event) => isCounted(event) && event.to?.request_status !== undefined)?.at;
}

export function addAddedEvent(workspace: ModelWorkspace, client: ModelClient, { at, actor }: ChangeContext): void {
  client.version = workspace.version + 1;
  const to = { request_status: client.requestStatus };
  client.history.push({ at, actor: actor.name, kind: 'added', from: null, to, reason: null });
}

/** Adds a history line if the client differs from before. */
export function addChangedEvent(
  workspace: ModelWorkspace,
  client: ModelClient,
  { at, actor, before, reason }: ChangeContext & { before: EventFields; reason?: string | undefined },
): boolean {
  const after = fieldsOf(client);
  const names = Object.keys(after) as (keyof EventFields)[];
  const different = names.filter((name) => before[name] !== after[name]);
  if (different.length === 0) return false;
  const pick = (fields: EventFields) => Object.fromEntries(different.map((name) => [name, fields[name]]));
  const change = { from: pick(before), to: pick(after), reason: reason?.trim() || null };
  client.version = workspace.version + 1;
  const event: ClientEvent = { at, actor: actor.name, kind: 'changed', ...change };
  client.history.push(event);
  return true;
}

export function fieldsOf(client: ModelClient): EventFields {
  return {
    email: client.email,
    client_name: client.name,
    client_type: client.type,
    group_name: client.group.name,
    request_status: client.requestStatus,
    client_status: client.status,
    created_at: client.createdAt,
    external_id: client.externalId,
  };
}

/** The client as the product shows it. */
export function toClient({ group, assignee, version, history, undone, ...client }: ModelClient): Client {
  return { ...client, groupName: group.name, groupToken: group.token };
}

/** The API shows nothing of assignees, so they do not count. */
export function updatedAt({ history, createdAt }: ModelClient): number {
  return history.findLast((event) => !isAboutAssignee(event))?.at ?? createdAt;
}

function isAboutAssignee({ to }: ClientEvent): boolean {
  return to?.assignee !== undefined;
}

/** The client as the answer to a change shows it. */
function toVersioned(client: ModelClient): VersionedClient {
  return { ...toClient(client), version: client.version, updatedAt: updatedAt(client) };
}

/** Without the reference and the group token, which are not known yet for a new client. */
function withoutReference({ referenceId, groupToken, ...client }: VersionedClient) {
  return client;
}

export function clientWithReference(workspace: ModelWorkspace, referenceId: string): ModelClient | undefined {
  return workspace.clients.find((client) => client.referenceId === referenceId);
}

export function clientWithEmail(workspace: ModelWorkspace, group: ModelGroup, email: string): ModelClient | undefined {
  return workspace.clients.find((client) => client.group === group && fold(client.email) === fold(email));
}

export function clientWithExternalId(workspace: ModelWorkspace, externalId: string | null): ModelClient | undefined {
  return workspace.clients.find((client) => externalId !== null && client.externalId === externalId);
}

function refuseBadText({ email, name, groupName, externalId }: ClientPatch): void {
  refuseIf(email !== undefined && !isEmail(email), 'bad_parameter');
  refuseIf(name !== undefined && !isName(name, CLIENT_NAME_MAX), 'bad_parameter');
  refuseIf(groupName !== undefined && !isName(groupName, GROUP_NAME_MAX), 'bad_parameter');
  refuseIf(typeof externalId === 'string' && !isExternalId(externalId), 'bad_parameter');
}
