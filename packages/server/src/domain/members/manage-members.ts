import type { ChangeAccount, InWorkspace } from '../change.ts';
import {
  AssignedMeanwhile,
  type AssigningAccount,
  type AssignmentChanges,
  endAssignmentsOf,
} from '../clients/index.ts';
import type { Clock } from '../clock.ts';
import { type ApiKey, factsOf, type KeyChanges, type OnKeysChanged, revokeInChange } from '../credentials/index.ts';
import { ENVIRONMENTS, type Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { fold } from '../text.ts';
import { type ChoosePasswordDeps, hashChosenPassword } from './choose-password.ts';
import { type MailChanges, type MailDeps, tellByMail } from './mail.ts';
import { type ActingMember, isAtLeast, type Member, ROLES, type Role } from './member.ts';
import { requireMemberEmail } from './member-email.ts';
import { makeLinkId, makeToken, type OneTimeLink, type OneTimeLinks, type ResetChanges } from './one-time-link.ts';
import {
  listSessions,
  newSession,
  noSession,
  type Origin,
  type Session,
  type SessionChanges,
  type SessionDeps,
} from './session.ts';
import { invalidLink } from './set-up.ts';

const INVITATION_MS = 7 * 24 * 3_600_000;

export interface NewMember {
  email: string;
  role: Role;
  passwordHash: string;
  createdAt: number;
}

/** Changes to members within a change to an account. */
export interface MemberChanges extends Pick<AssigningAccount['members'], 'assignedIn'> {
  /** The member as read under the lock, or `undefined` if it does not exist any more. */
  find(memberId: number): Promise<Member | undefined>;
  byEmail(emailFolded: string): Promise<Member | undefined>;
  /** Fails with `conflict` if the account has a member with this email. */
  add(member: NewMember): Promise<Member>;
  /** Fails with `conflict` if the account would have no owner. */
  setRole(memberId: number, role: Role): Promise<Member>;
  /**
   * Removes the member and ends their sessions. Fails with `conflict` if the account would have no owner, and with
   * `AssignedMeanwhile` if clients are assigned to them.
   */
  remove(memberId: number): Promise<void>;
}

export interface InvitationChanges extends ResetChanges {
  findInvitation(linkId: string): Promise<OneTimeLink | undefined>;
  /** Ends the invitations that this member has created for one of these roles. */
  endInvitationsBy(email: string, roles: readonly Role[]): Promise<void>;
  /** Ends the invitations for this email, and returns their roles. */
  endInvitationsOf(emailFolded: string): Promise<Role[]>;
  remove(linkId: string): Promise<void>;
}

export interface Members {
  list(accountId: number): Promise<Member[]>;
  accountName(accountId: number): Promise<string>;
}

export interface ManageMembersDeps extends MailDeps, ChoosePasswordDeps {
  members: Members;
  links: OneTimeLinks;
  changeAccount: ChangeAccount<{
    members: MemberChanges;
    links: InvitationChanges;
    mails: MailChanges;
    sessions: SessionChanges;
    inWorkspace: InWorkspace<{ keys: KeyChanges; assignments: AssignmentChanges }>;
  }>;
  clock: Clock;
}

export async function inviteMember(
  deps: ManageMembersDeps,
  actor: ActingMember,
  request: { email: string; role: Role },
): Promise<{ invitation: OneTimeLink; token: string }> {
  const { accountId } = actor;
  const email = requireMemberEmail(request.email);
  const at = deps.clock.now();
  const { invitation, token, hash } = newInvitation(actor, { email, role: request.role }, at);
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const me = await change.members.find(actor.memberId);
    requireMayGrant(me, request.role);
    if (await change.members.byEmail(fold(email))) throw new Failure('conflict', `${email} is already a member.`);
    // One invitation per email: a forgotten link must not let in a member who was removed.
    for (const role of await change.links.endInvitationsOf(fold(email))) requireMayGrant(me, role);
    await change.links.add(invitation, hash);
    await tellByMail(deps, change, email, { kind: 'invitation', linkId: invitation.id });
    change.record('member.invited', `${email} as ${request.role}`);
    return { invitation, token };
  });
}

function newInvitation(
  { accountId, name }: ActingMember,
  { email, role }: { email: string; role: Role },
  at: number,
): { invitation: OneTimeLink; token: string; hash: string } {
  const times = { createdAt: at, expiresAt: at + INVITATION_MS };
  const invitation = {
    id: makeLinkId(),
    purpose: 'invitation' as const,
    accountId,
    email,
    role,
    createdBy: name,
    ...times,
  };
  return { invitation, ...makeToken() };
}

/** Replaces the link of an invitation with a new one that works for as long as a new invitation. */
export async function renewInvitation(
  deps: ManageMembersDeps,
  actor: ActingMember,
  linkId: string,
): Promise<{ invitation: OneTimeLink; token: string }> {
  const { accountId } = actor;
  const at = deps.clock.now();
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const former = requireFound(await change.links.findInvitation(linkId));
    requireMayGrant(await change.members.find(actor.memberId), former.role);
    const { invitation, token, hash } = newInvitation(actor, former, at);
    await change.links.remove(linkId);
    await change.links.add(invitation, hash);
    await tellByMail(deps, change, former.email, { kind: 'invitation', linkId: invitation.id });
    change.record('member.invitation-renewed', `${former.email} as ${former.role}`);
    return { invitation, token };
  });
}

export async function withdrawInvitation(
  { changeAccount, clock }: ManageMembersDeps,
  actor: ActingMember,
  linkId: string,
): Promise<void> {
  const { accountId } = actor;
  await changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    const { email, role } = requireFound(await change.links.findInvitation(linkId));
    requireMayGrant(await change.members.find(actor.memberId), role);
    await change.links.remove(linkId);
    change.record('member.invitation-withdrawn', email);
  });
}

function requireFound(link: OneTimeLink | undefined): { email: string; role: Role } {
  if (!link) throw new Failure('not_found', 'There is no such invitation.');
  return { email: link.email ?? '', role: link.role ?? 'owner' };
}

/** The details of an invitation that are shown before the invited person chooses a password. */
export async function readInvitation(
  deps: ManageMembersDeps,
  token: string,
): Promise<{ email: string; role: Role; accountName: string }> {
  const { email, role, accountId } = requireInvitation(await deps.links.find(hashSecret(token), deps.clock.now()));
  return { email, role, accountName: await deps.members.accountName(accountId) };
}

/** Adds the invited person as a member and signs them in. The link is used up only if both succeed. */
export async function acceptInvitation(
  deps: ManageMembersDeps,
  request: { token: string; password: string },
  origin: Origin,
): Promise<{ token: string; member: Member }> {
  const hash = hashSecret(request.token);
  const at = deps.clock.now();
  const { email, accountId } = requireInvitation(await deps.links.find(hash, at));
  const owner = { email, accountId, accountName: await deps.members.accountName(accountId) };
  const passwordHash = await hashChosenPassword(deps, owner, request.password);
  const actor = { name: email, address: origin.address, requestId: origin.requestId };
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const { role, createdBy } = requireInvitation(await change.links.take(hash, at));
    const inviter = await change.members.byEmail(fold(createdBy));
    // The inviting member may have lost the right to grant this role in the meantime.
    if (!inviter || !mayGrant(inviter, role)) throw invalidLink();
    await change.links.endInvitationsOf(fold(email));
    const member = await change.members.add({ email, role, passwordHash, createdAt: at });
    change.record('member.joined', `${email} as ${role}`);
    const { session, token } = newSession(member, origin, at);
    await change.sessions.open(session, hashSecret(token));
    change.record('sign-in.succeeded', email);
    return { token, member };
  });
}

export async function changeRole(
  { changeAccount, clock }: ManageMembersDeps,
  actor: ActingMember,
  memberId: number,
  role: Role,
): Promise<Member> {
  const { accountId } = actor;
  return changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    const member = await change.members.find(memberId);
    if (!member) throw noMember();
    const me = await change.members.find(actor.memberId);
    requireMayGrant(me, member.role);
    requireMayGrant(me, role);
    if (member.role === role) return member;
    const changed = await change.members.setRole(memberId, role);
    await change.links.endInvitationsBy(member.email, rolesNotGrantable(changed));
    change.record('member.role-changed', `${changed.email} from ${member.role} to ${role}`);
    return changed;
  });
}

/** Also ends the member's invitations and links, takes their clients from them, and revokes their API keys if requested. */
export async function removeMember(
  { changeAccount, onKeysChanged, clock }: ManageMembersDeps & { onKeysChanged: OnKeysChanged },
  actor: ActingMember,
  memberId: number,
  { revokeKeys }: { revokeKeys: boolean },
): Promise<void> {
  const { accountId } = actor;
  const remove = (environments?: readonly Environment[]) =>
    changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
      const member = await change.members.find(memberId);
      if (!member) throw noMember();
      requireMayGrant(await change.members.find(actor.memberId), member.role);
      await change.links.endInvitationsBy(member.email, ROLES);
      await change.links.endInvitationsOf(fold(member.email));
      await change.links.endResetsOf(member.email);
      change.record('member.removed', member.email);
      const keys = revokeKeys ? await revokeKeysOf(change.inWorkspace, member.email) : [];
      await endAssignmentsOf(change, { memberId, email: member.email }, environments);
      await change.members.remove(memberId);
      return keys;
    });
  const revoked = await remove().catch((error: unknown) => {
    if (!(error instanceof AssignedMeanwhile)) throw error;
    // Under the locks of all workspaces, nobody can assign anything.
    return remove(ENVIRONMENTS);
  });
  await onKeysChanged(revoked.map(factsOf));
}

/** Where another member is signed in. Only owners may see and end that. */
export async function listSessionsOf(
  deps: SessionDeps & { members: Members },
  actor: ActingMember,
  memberId: number,
): Promise<Session[]> {
  const members = await deps.members.list(actor.accountId);
  if (!members.some(({ id }) => id === memberId)) throw noMember();
  return listSessions(deps, { accountId: actor.accountId, memberId });
}

export async function endSessionOf(
  { changeAccount, clock }: ManageMembersDeps,
  actor: ActingMember,
  memberId: number,
  sessionId: string,
): Promise<void> {
  const { accountId } = actor;
  await changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    requireMayGrant(await change.members.find(actor.memberId), 'owner');
    const member = await change.members.find(memberId);
    if (!member || !(await change.sessions.end(memberId, sessionId))) throw noSession();
    change.record('member.session-ended', member.email);
  });
}

async function revokeKeysOf(inWorkspace: InWorkspace<{ keys: KeyChanges }>, email: string): Promise<ApiKey[]> {
  const revoked: ApiKey[] = [];
  for (const environment of ENVIRONMENTS) {
    await inWorkspace(environment, async (change) => {
      for (const key of await change.keys.createdBy(email)) revoked.push(await revokeInChange(change, key.id));
    });
  }
  return revoked;
}

/** Only owners may add, change and remove owners; otherwise an admin could make themselves an owner. */
function mayGrant(member: Member, role: Role): boolean {
  return isAtLeast(member.role, role === 'owner' ? 'owner' : 'admin');
}

/** Checks the acting member as read under the lock, because their role may have changed since the request arrived. */
function requireMayGrant(me: Member | undefined, role: Role): void {
  if (me && mayGrant(me, role)) return;
  const needed = role === 'owner' ? 'an owner' : 'an owner or an admin';
  throw new Failure('forbidden', `Only ${needed} may do this.`);
}

/** The roles that this member may not grant. */
function rolesNotGrantable(member: Member): Role[] {
  return ROLES.filter((role) => !mayGrant(member, role));
}

function requireInvitation(link: OneTimeLink | undefined) {
  if (!link?.email || !link.role || link.accountId === null) throw invalidLink();
  return { email: link.email, role: link.role, accountId: link.accountId, createdBy: link.createdBy ?? '' };
}

function noMember(): Failure {
  return new Failure('not_found', 'There is no such member.');
}
