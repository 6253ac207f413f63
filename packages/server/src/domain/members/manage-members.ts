import type { ChangeAccount, InWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { type ApiKey, type KeyChanges, type KeysEnded, labelOf } from '../credentials/index.ts';
import { ENVIRONMENTS } from '../environment.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { fold, problemWithEmail } from '../text.ts';
import { type ActingMember, isAtLeast, type Member, ROLES, type Role } from './member.ts';
import { makeLinkId, makeToken, type OneTimeLink, type OneTimeLinks, type ResetChanges } from './one-time-link.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './password-rules.ts';
import { newSession, type Origin, type SessionChanges } from './session.ts';
import { usedLink } from './set-up.ts';

const INVITATION_MS = 7 * 24 * 3_600_000;

export interface NewMember {
  email: string;
  role: Role;
  passwordHash: string;
  createdAt: number;
}

/** What a change of an account may do to its members. */
export interface MemberChanges {
  /** As they are under the lock; nothing when they are gone. */
  find(memberId: number): Promise<Member | undefined>;
  byEmail(emailFolded: string): Promise<Member | undefined>;
  /** A taken email is a `conflict`. */
  add(member: NewMember): Promise<Member>;
  /** A `conflict` when it would leave the account without an owner. */
  setRole(memberId: number, role: Role): Promise<Member>;
  /** Removes the member and ends their sessions; a `conflict` when it would leave the account without an owner. */
  remove(memberId: number): Promise<void>;
}

export interface InvitationChanges extends ResetChanges {
  findInvitation(linkId: string): Promise<OneTimeLink | undefined>;
  /** Ends the invitations that this member has made, or those of them that give one of these roles. */
  endInvitationsBy(email: string, roles: readonly Role[]): Promise<void>;
  /** Ends the invitations of whoever has this email. */
  endInvitationsOf(emailFolded: string): Promise<void>;
  remove(linkId: string): Promise<void>;
}

export interface Members {
  list(accountId: number): Promise<Member[]>;
  accountName(accountId: number): Promise<string>;
  isTaken(emailFolded: string): Promise<boolean>;
}

export interface ManageMembersDeps {
  members: Members;
  links: OneTimeLinks;
  changeAccount: ChangeAccount<{
    members: MemberChanges;
    links: InvitationChanges;
    sessions: SessionChanges;
    inWorkspace: InWorkspace<{ keys: KeyChanges }>;
  }>;
  clock: Clock;
}

export async function inviteMember(
  { changeAccount, clock }: ManageMembersDeps,
  actor: ActingMember,
  request: { email: string; role: Role },
): Promise<{ invitation: OneTimeLink; token: string }> {
  const { accountId } = actor;
  const email = request.email.trim();
  const problem = problemWithEmail(email);
  if (problem) throw new Failure('bad_parameter', `email ${problem}.`);
  const { token, hash } = makeToken();
  const at = clock.now();
  const invitation: OneTimeLink = {
    id: makeLinkId(),
    purpose: 'invitation',
    accountId,
    email,
    role: request.role,
    createdBy: actor.name,
    createdAt: at,
    expiresAt: at + INVITATION_MS,
  };
  return changeAccount({ accountId, actor, at }, async (change) => {
    requirePower(await change.members.find(actor.memberId), request.role);
    if (await change.members.byEmail(fold(email))) throw new Failure('conflict', `${email} is a member already.`);
    // One at a time: a link that was forgotten must not be a way back in for somebody who was removed.
    await change.links.endInvitationsOf(fold(email));
    await change.links.add(invitation, hash);
    change.record('member.invited', `${email} as ${request.role}`);
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
    const link = await change.links.findInvitation(linkId);
    if (!link) throw new Failure('not_found', 'There is no such invitation.');
    requirePower(await change.members.find(actor.memberId), link.role ?? 'owner');
    await change.links.remove(linkId);
    change.record('member.invitation-withdrawn', link.email ?? '');
  });
}

/** What the invited person sees before they choose a password. */
export async function readInvitation(
  deps: ManageMembersDeps,
  token: string,
): Promise<{ email: string; role: Role; accountName: string }> {
  const { email, role, accountId } = usable(await deps.links.find(hashSecret(token), deps.clock.now()));
  return { email, role, accountName: await deps.members.accountName(accountId) };
}

/** Makes the invited person a member and signs them in. Their link is spent only if both happen. */
export async function acceptInvitation(
  deps: ManageMembersDeps,
  request: { token: string; password: string },
  origin: Origin,
): Promise<string> {
  const hash = hashSecret(request.token);
  const at = deps.clock.now();
  const { email, accountId } = usable(await deps.links.find(hash, at));
  if (await deps.members.isTaken(fold(email))) {
    throw new Failure('conflict', `${email} already signs in here. Ask to be invited with another email.`);
  }
  const passwordHash = await hashPassword(requirePassword(request.password));
  const actor = { name: email, address: origin.address };
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const { role, createdBy } = usable(await change.links.take(hash, at));
    const inviter = await change.members.byEmail(fold(createdBy));
    // Whoever invited may have lost the power to, in the meantime or at this very moment.
    if (!inviter || !mayGive(inviter, role)) throw usedLink();
    await change.links.endInvitationsOf(fold(email));
    const member = await change.members.add({ email, role, passwordHash, createdAt: at });
    change.record('member.joined', `${email} as ${role}`);
    const { session, token } = newSession(member, origin, at);
    await change.sessions.open(session, hashSecret(token));
    change.record('sign-in.succeeded', email);
    return token;
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
    requirePower(me, member.role);
    requirePower(me, role);
    const changed = await change.members.setRole(memberId, role);
    await change.links.endInvitationsBy(member.email, invitationsBeyond(changed));
    change.record('member.role-changed', `${changed.email} from ${member.role} to ${role}`);
    return changed;
  });
}

/** Nothing that the member has started outlives them: links end, and their keys too if that is asked for. */
export async function removeMember(
  { changeAccount, keysEnded, clock }: ManageMembersDeps & { keysEnded: KeysEnded },
  actor: ActingMember,
  memberId: number,
  { revokeKeys }: { revokeKeys: boolean },
): Promise<void> {
  const { accountId } = actor;
  const revoked = await changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    const member = await change.members.find(memberId);
    if (!member) throw noMember();
    requirePower(await change.members.find(actor.memberId), member.role);
    await change.links.endInvitationsBy(member.email, ROLES);
    await change.links.endInvitationsOf(fold(member.email));
    await change.links.endResetsOf(member.email);
    await change.members.remove(memberId);
    change.record('member.removed', member.email);
    return revokeKeys ? revokeKeysOf(change.inWorkspace, member.email) : [];
  });
  await keysEnded(revoked.map(({ id }) => id));
}

async function revokeKeysOf(inWorkspace: InWorkspace<{ keys: KeyChanges }>, email: string): Promise<ApiKey[]> {
  const revoked: ApiKey[] = [];
  for (const environment of ENVIRONMENTS) {
    await inWorkspace(environment, async (change) => {
      for (const key of await change.keys.createdBy(email)) {
        await change.keys.revoke(key.id);
        change.record('key.revoked', labelOf(key));
        revoked.push(key);
      }
    });
  }
  return revoked;
}

/** Owners are made, changed and removed by owners only; otherwise an admin could promote themselves. */
function mayGive(member: Member, role: Role): boolean {
  return isAtLeast(member.role, role === 'owner' ? 'owner' : 'admin');
}

/** Goes by what the acting member is at this moment, under the lock, and not by what they were when they asked. */
function requirePower(me: Member | undefined, role: Role): void {
  if (me && mayGive(me, role)) return;
  const needed = role === 'owner' ? 'an owner' : 'an owner or an admin';
  throw new Failure('forbidden', `Only ${needed} may do this.`);
}

/** The roles that a member in this role could not give anybody. */
function invitationsBeyond(member: Member): Role[] {
  return ROLES.filter((role) => !mayGive(member, role));
}

function usable(link: OneTimeLink | undefined) {
  if (!link?.email || !link.role || link.accountId === null) throw usedLink();
  return { email: link.email, role: link.role, accountId: link.accountId, createdBy: link.createdBy ?? '' };
}

function noMember(): Failure {
  return new Failure('not_found', 'There is no such member.');
}
