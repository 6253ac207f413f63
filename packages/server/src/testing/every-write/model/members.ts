import type { AccountSettings } from '../../../domain/members/account.ts';
import type { ActingMember, Role } from '../../../domain/members/member.ts';
import { fold } from '../../../domain/text.ts';
import { ORIGIN, type RequestTo } from '../requests.ts';
import { endAssignmentsOf } from './assignments.ts';
import { labelOf } from './keys.ts';
import { record } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import { openSession, PASSWORD_MIN } from './sign-in.ts';
import {
  endResetsOf,
  findAccount,
  type ModelAccount,
  type ModelMember,
  requireStillMember,
  type State,
} from './state.ts';
import { isEmail } from './text-rules.ts';

const WEEK_MS = 7 * 86_400_000;

/** Viewers may only read, admins may manage members, and only owners may add, change and remove owners. */
function mayGrant(member: ModelMember, role: Role): boolean {
  return member.role === 'owner' || (member.role === 'admin' && role !== 'owner');
}

/** Checks the current role of the acting member, not the one when the request was made. */
function requireMayGrant(account: ModelAccount, actor: ActingMember, role: Role): void {
  const me = account.members.find((each) => each.id === actor.memberId);
  refuseIf(!me || !mayGrant(me, role), 'forbidden');
}

export function newMember(email: string, role: Role, password: string, createdAt: number): ModelMember {
  const codes = { offeredSecret: '', secret: null, lastStep: 0, recoveryCodes: [], formerCodes: [] };
  return { id: 0, email, role, password, createdAt, ...codes, sessions: [] };
}

export function inviteMember(state: State, request: RequestTo<'invite member'>) {
  const { actor, role, at } = request;
  const account = findAccount(state, actor.accountId);
  refuseIf(!isEmail(request.email), 'bad_parameter');
  requireStillMember(account, actor);
  requireMayGrant(account, actor, role);
  const email = request.email.trim();
  refuseIf(
    account.members.some((each) => fold(each.email) === fold(email)),
    'conflict',
  );
  for (const each of account.invitations) {
    if (fold(each.email) === fold(email)) requireMayGrant(account, actor, each.role);
  }
  endInvitationsOf(account, email);
  const invitation = { id: '', token: '', email, role, createdBy: actor.name, createdAt: at, expiresAt: at + WEEK_MS };
  account.invitations.push(invitation);
  record(account, request, 'member.invited', `${email} as ${role}`);
  return { email, role, expiresAt: at + WEEK_MS };
}

/** Another link for the same email and role. */
export function renewInvitation(state: State, request: RequestTo<'renew invitation'>) {
  const { actor, at } = request;
  const account = findAccount(state, actor.accountId);
  requireStillMember(account, actor);
  const former = account.invitations.find((each) => each.id === request.invitationId) ?? refuse('not_found');
  requireMayGrant(account, actor, former.role);
  const { email, role } = former;
  account.invitations = account.invitations.filter((each) => each !== former);
  const times = { createdAt: at, expiresAt: at + WEEK_MS };
  account.invitations.push({ id: '', token: '', email, role, createdBy: actor.name, ...times });
  record(account, request, 'member.invitation-renewed', `${email} as ${role}`);
  return { email, role, expiresAt: at + WEEK_MS };
}

/** Only owners may do this. */
export function endSessionOf(state: State, request: RequestTo<'end session of member'>) {
  const account = findAccount(state, request.actor.accountId);
  requireStillMember(account, request.actor);
  requireMayGrant(account, request.actor, 'owner');
  const member = account.members.find((each) => each.id === request.memberId) ?? refuse('not_found');
  refuseIf(!member.sessions.some((each) => each.id === request.sessionId), 'not_found');
  member.sessions = member.sessions.filter((each) => each.id !== request.sessionId);
  record(account, request, 'member.session-ended', member.email);
  return null;
}

export function withdrawInvitation(state: State, request: RequestTo<'withdraw invitation'>) {
  const account = findAccount(state, request.actor.accountId);
  requireStillMember(account, request.actor);
  const invitation = account.invitations.find((each) => each.id === request.invitationId) ?? refuse('not_found');
  requireMayGrant(account, request.actor, invitation.role);
  account.invitations = account.invitations.filter((each) => each !== invitation);
  record(account, request, 'member.invitation-withdrawn', invitation.email);
  return null;
}

export function acceptInvitation(state: State, request: RequestTo<'accept invitation'>) {
  const { at, token, password } = request;
  const account = state.accounts.find((each) => each.invitations.some((invitation) => invitation.token === token));
  const invitation = account?.invitations.find((each) => each.token === token);
  if (!account || !invitation || invitation.expiresAt <= at) return refuse('not_found');
  refuseIf(password.length < PASSWORD_MIN, 'bad_parameter');
  const inviter = account.members.find((each) => each.email === invitation.createdBy);
  refuseIf(!inviter || !mayGrant(inviter, invitation.role), 'not_found');
  const member = newMember(invitation.email, invitation.role, password, at);
  account.members.push(member);
  endInvitationsOf(account, member.email);
  const context = { at, actor: { name: member.email, address: ORIGIN.address } };
  record(account, context, 'member.joined', `${member.email} as ${member.role}`);
  openSession(account, member, at);
  return null;
}

export function changeRole(state: State, request: RequestTo<'change role'>) {
  const { actor, role } = request;
  const account = findAccount(state, actor.accountId);
  requireStillMember(account, actor);
  const member = account.members.find((each) => each.id === request.memberId) ?? refuse('not_found');
  requireMayGrant(account, actor, member.role);
  requireMayGrant(account, actor, role);
  if (member.role === role) return { email: member.email, role };
  refuseIf(isLastOwner(account, member) && role !== 'owner', 'conflict');
  record(account, request, 'member.role-changed', `${member.email} from ${member.role} to ${role}`);
  member.role = role;
  // Their invitations for roles that they may not grant any more end.
  account.invitations = account.invitations.filter(
    (each) => each.createdBy !== member.email || mayGrant(member, each.role),
  );
  return { email: member.email, role };
}

/** Also ends their sessions, invitations, links and assignments, and revokes their API keys if requested. */
export function removeMember(state: State, request: RequestTo<'remove member'>) {
  const account = findAccount(state, request.actor.accountId);
  requireStillMember(account, request.actor);
  const member = account.members.find((each) => each.id === request.memberId) ?? refuse('not_found');
  requireMayGrant(account, request.actor, member.role);
  refuseIf(isLastOwner(account, member), 'conflict');
  account.members = account.members.filter((each) => each !== member);
  account.formerMembers.push({ ...member, sessions: [] });
  account.invitations = account.invitations.filter((each) => each.createdBy !== member.email);
  endInvitationsOf(account, member.email);
  endResetsOf(account, member.email);
  record(account, request, 'member.removed', member.email);
  let keysEnded = 0;
  for (const workspace of request.revokeKeys ? account.workspaces : []) {
    const own = workspace.keys.filter((key) => key.createdBy === member.email && key.revokedAt === null);
    for (const key of own) {
      key.revokedAt = request.at;
      key.version = workspace.version + 1;
      keysEnded++;
      record(account, request, 'key.revoked', labelOf(key), { environment: workspace.environment });
    }
    // Revoking all of them is one change to the workspace.
    if (own.length > 0) workspace.version++;
  }
  endAssignmentsOf(account, member, request);
  return { keysEnded };
}

const SETTING_TEXTS: [name: keyof AccountSettings, on: string, off: string][] = [
  ['requiresDeclineReason', 'a reason is required to decline a client', 'no reason is required to decline a client'],
  ['requiresSecondFactor', 'a second factor is required of all members', 'no second factor is required of members'],
  ['viewersMayExport', 'viewers may export clients', 'viewers may not export clients'],
];

/** Only owners and the operator may do this, and an owner requires a second factor only if they have one. */
export function updateAccount(state: State, request: RequestTo<'update account'>) {
  const { actor, settings } = request;
  const account = findAccount(state, request.accountId);
  refuseIf('role' in actor && actor.role !== 'owner', 'forbidden');
  requireStillMember(account, actor);
  const me = 'memberId' in actor ? account.members.find((each) => each.id === actor.memberId) : undefined;
  const isNew = settings.requiresSecondFactor === true && !account.settings.requiresSecondFactor;
  refuseIf(isNew && me !== undefined && me.secret === null, 'conflict');
  for (const [name, on, off] of SETTING_TEXTS) {
    const value = settings[name] ?? account.settings[name];
    if (value === account.settings[name]) continue;
    account.settings = { ...account.settings, [name]: value };
    record(account, request, 'account.updated', value ? on : off);
  }
  return account.settings;
}

/** Recorded in the activity log, although nothing changes. */
export function recordExport(state: State, request: RequestTo<'record export'>) {
  const { environment, actor } = request;
  const account = findAccount(state, actor.accountId);
  requireStillMember(account, actor);
  record(account, request, 'client.exported', 'clients as CSV', { environment });
  return null;
}

function isLastOwner(account: ModelAccount, member: ModelMember): boolean {
  return member.role === 'owner' && account.members.filter((each) => each.role === 'owner').length === 1;
}

/** An email has at most one invitation; a member, or somebody who was removed, has none. */
function endInvitationsOf(account: ModelAccount, email: string): void {
  account.invitations = account.invitations.filter((each) => fold(each.email) !== fold(email));
}
