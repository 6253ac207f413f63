import type { ActingMember, Role } from '../../../domain/members/member.ts';
import { fold } from '../../../domain/text.ts';
import { ORIGIN, type RequestTo } from '../requests.ts';
import { labelOf } from './keys.ts';
import { record } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import { openSession, PASSWORD_MIN } from './sign-in.ts';
import {
  endResetsOf,
  findAccount,
  type ModelAccount,
  type ModelMember,
  memberWithEmail,
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
  endInvitationsOf(account, email);
  const invitation = { id: '', token: '', email, role, createdBy: actor.name, createdAt: at, expiresAt: at + WEEK_MS };
  account.invitations.push(invitation);
  record(account, request, 'member.invited', `${email} as ${role}`);
  return { email, role, expiresAt: at + WEEK_MS };
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
  refuseIf(memberWithEmail(state, invitation.email) !== undefined, 'conflict');
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
  refuseIf(isLastOwner(account, member) && role !== 'owner', 'conflict');
  record(account, request, 'member.role-changed', `${member.email} from ${member.role} to ${role}`);
  member.role = role;
  // Their invitations for roles that they may not grant any more end.
  account.invitations = account.invitations.filter(
    (each) => each.createdBy !== member.email || mayGrant(member, each.role),
  );
  return { email: member.email, role };
}

/** Also ends their sessions, invitations and links, and revokes their API keys if requested. */
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
  return { keysEnded };
}

/** Only owners and the operator may do this. */
export function updateAccount(state: State, request: RequestTo<'update account'>) {
  const { actor, requiresDeclineReason } = request;
  const account = findAccount(state, request.accountId);
  refuseIf('role' in actor && actor.role !== 'owner', 'forbidden');
  requireStillMember(account, actor);
  if (account.requiresDeclineReason !== requiresDeclineReason) {
    account.requiresDeclineReason = requiresDeclineReason;
    const article = requiresDeclineReason ? 'a' : 'no';
    record(account, request, 'account.updated', `${article} reason is required to decline a client`);
  }
  return null;
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
