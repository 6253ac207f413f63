import type { Actor } from '../../../domain/change.ts';
import type { Client } from '../../../domain/clients/client.ts';
import type { ClientEvent } from '../../../domain/clients/client-event.ts';
import type { RequestStatus } from '../../../domain/clients/request-status.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { AccountSettings } from '../../../domain/members/account.ts';
import type { ActivityEntry } from '../../../domain/members/activity.ts';
import { type ActingMember, isAtLeast, type Role } from '../../../domain/members/member.ts';
import { fold } from '../../../domain/text.ts';
import { refuseIf } from './refusal.ts';

// The expected data, in plain arrays. Values that the product generates (ids, references, tokens) are 0 or '' until they have
// been seen for the first time; see learn.ts.

export interface State {
  /** The first part of the stamps of this database. */
  epoch: string;
  formerEpochs: string[];
  accounts: ModelAccount[];
  /** Oldest first. */
  /** In the order in which they sign, with the next key at the end. */
  signingKeys: { kid: string; createdAt: number; signsFrom: number | null }[];
  /** The token of the set-up link, until it has been used. */
  setUpToken: string;
  /** All tokens ever issued, so that old ones can be tried again. */
  everyToken: string[];
}

export interface ModelAccount {
  id: number;
  name: string;
  createdAt: number;
  settings: AccountSettings;
  workspaces: ModelWorkspace[];
  /** In the order in which they joined. */
  members: ModelMember[];
  formerMembers: ModelMember[];
  invitations: ModelInvitation[];
  resets: ModelReset[];
  activity: ModelEntry[];
}

export interface ModelWorkspace {
  id: number;
  environment: Environment;
  /** The number of changes so far. */
  version: number;
  groups: ModelGroup[];
  /** In the order in which they were added. */
  clients: ModelClient[];
  erased: ModelClient[];
  keys: ModelKey[];
  /** The changes of request statuses by members and programs that were not undone. */
  statusChanges: ModelStatusChange[];
}

export interface ModelStatusChange {
  event: ClientEvent;
  at: number;
  from: RequestStatus;
  to: RequestStatus;
  /** When the client had come to the former status, if that is known, and when it had been added. */
  enteredAt: number | null;
  addedAt: number;
}

export interface ModelGroup {
  token: string;
  name: string;
  createdAt: number;
}

export interface ModelClient extends Omit<Client, 'groupName' | 'groupToken'> {
  group: ModelGroup;
  /** The id of the member who reviews it. */
  assignee: number | null;
  /** The version of the workspace after the last change to the client. */
  version: number;
  /** Oldest first. */
  history: ClientEvent[];
  /** The lines that were undone, and those that have undone them. */
  undone: ClientEvent[];
}

export interface ModelKey {
  id: string;
  name: string;
  note: string;
  scopes: string[];
  allowedNetworks: string[];
  rateLimit: string | null;
  createdAt: number;
  createdBy: string | null;
  expiresAt: number | null;
  revokedAt: number | null;
  calls: { hour: number; calls: number }[];
  lastUsedAt: number | null;
  lastUsedFrom: string | null;
  version: number;
  /** Oldest first. */
  secrets: ModelSecret[];
}

export interface ModelSecret {
  number: number;
  /** Known only to the caller. */
  secret: string;
  preview: string;
  createdAt: number;
  endsAt: number | null;
  endedAt: number | null;
}

export interface ModelMember {
  id: number;
  email: string;
  role: Role;
  password: string;
  createdAt: number;
  /** Offered and not confirmed yet. */
  offeredSecret: string;
  secret: string | null;
  /** The time step of the last code that was used. */
  lastStep: number;
  recoveryCodes: string[];
  /** Those that were used or replaced. */
  formerCodes: string[];
  sessions: ModelSession[];
}

export interface ModelSession {
  id: string;
  token: string;
  createdAt: number;
  provedAt: number;
  seenAt: number;
}

export interface ModelInvitation {
  id: string;
  token: string;
  email: string;
  role: Role;
  createdBy: string;
  createdAt: number;
  expiresAt: number;
}

/** A link with which a member sets a new password. */
export interface ModelReset {
  token: string;
  email: string;
  createdAt: number;
  expiresAt: number;
}

/** The subject may depend on values that only the product knows. */
export interface ModelEntry extends Omit<ActivityEntry, 'subject' | 'number'> {
  subject: string | { client: ModelClient } | { key: string; secret: ModelSecret; changed: string };
  /** Set for imports and merges, whose parts share one entry. */
  partOf?: string | { from: ModelGroup; into: ModelGroup };
}

export const EMPTY_STATE: State = {
  epoch: '',
  formerEpochs: [],
  accounts: [],
  signingKeys: [],
  setUpToken: '',
  everyToken: [],
};

export function workspacesOf(state: State): ModelWorkspace[] {
  return state.accounts.flatMap((account) => account.workspaces);
}

export function findWorkspace(state: State, workspaceId: number): { account: ModelAccount; workspace: ModelWorkspace } {
  for (const account of state.accounts) {
    const workspace = account.workspaces.find((each) => each.id === workspaceId);
    if (workspace) return { account, workspace };
  }
  throw new Error(`The model has no workspace ${workspaceId}.`);
}

export function findAccount(state: State, accountId: number): ModelAccount {
  const account = state.accounts.find((each) => each.id === accountId);
  if (!account) throw new Error(`The model has no account ${accountId}.`);
  return account;
}

/** The members with this email: at most one in each account, or only the one of this account. */
export function membersWithEmail(
  state: State,
  email: string,
  accountId?: number,
): { account: ModelAccount; member: ModelMember }[] {
  return state.accounts
    .filter(({ id }) => accountId === undefined || id === accountId)
    .flatMap((account) => account.members.map((member) => ({ account, member })))
    .filter(({ member }) => fold(member.email) === fold(email));
}

/** Refuses a member who was removed or whose role has changed since the request was made. */
export function requireStillMember(account: ModelAccount, actor: Actor): void {
  if (!('memberId' in actor)) return;
  const { memberId, name, role } = actor as ActingMember;
  const member = account.members.find((each) => each.id === memberId && each.email === name);
  refuseIf(!member || !isAtLeast(member.role, role), 'forbidden');
}

/** Returns the workspace of the request, if the actor may still change it. */
export function workspaceToChange(state: State, { workspaceId, actor }: { workspaceId: number; actor: Actor }) {
  const target = findWorkspace(state, workspaceId);
  requireStillMember(target.account, actor);
  return target;
}

/** A reset link ends when there is a newer one, when the password changes and when the member is removed. */
export function endResetsOf(account: ModelAccount, email: string): void {
  account.resets = account.resets.filter((reset) => reset.email !== email);
}
