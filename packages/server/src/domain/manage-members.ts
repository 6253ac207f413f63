import { type RecordDeps, record } from './activity.ts';
import { hashSecret } from './api-key.ts';
import { problemWithEmail } from './email.ts';
import { Failure } from './failure.ts';
import type { Actor, Member, Role } from './member.ts';
import { makeLinkId, makeToken, type OneTimeLink, type OneTimeLinks } from './one-time-link.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './password-rules.ts';
import { usedLink } from './set-up.ts';
import { fold } from './text.ts';

const INVITATION_MS = 7 * 24 * 3_600_000;

export interface NewMember {
  accountId: number;
  email: string;
  role: Role;
  passwordHash: string;
  createdAt: number;
}

export interface Members {
  list(accountId: number): Promise<Member[]>;
  accountName(accountId: number): Promise<string>;
  isTaken(emailFolded: string): Promise<boolean>;
  /** A taken email is a `conflict`. */
  add(member: NewMember): Promise<Member>;
  /** A `conflict` when it would leave the account without an owner. */
  setRole(accountId: number, memberId: number, role: Role): Promise<Member | undefined>;
  /** Removes the member and ends their sessions; a `conflict` when it would leave the account without an owner. */
  remove(accountId: number, memberId: number): Promise<Member | undefined>;
}

export interface ManageMembersDeps extends RecordDeps {
  members: Members;
  links: OneTimeLinks;
}

export async function inviteMember(
  deps: ManageMembersDeps,
  actor: Actor,
  request: { email: string; role: Role },
): Promise<{ invitation: OneTimeLink; token: string }> {
  const email = request.email.trim();
  const problem = problemWithEmail(email);
  if (problem) throw new Failure('bad_parameter', `email ${problem}.`);
  requirePower(actor, request.role);
  const { token, hash } = makeToken();
  const now = deps.clock.now();
  const invitation: OneTimeLink = {
    id: makeLinkId(),
    purpose: 'invitation',
    accountId: actor.accountId,
    email,
    role: request.role,
    createdBy: actor.email,
    createdAt: now,
    expiresAt: now + INVITATION_MS,
  };
  await deps.links.add(invitation, hash);
  await record(deps, actor, 'member.invited', `${email} as ${request.role}`);
  return { invitation, token };
}

export async function withdrawInvitation(deps: ManageMembersDeps, actor: Actor, linkId: string): Promise<void> {
  const link = await deps.links.withdraw(actor.accountId, linkId);
  if (!link) throw new Failure('not_found', 'There is no such invitation.');
  await record(deps, actor, 'member.invitation-withdrawn', link.email ?? '');
}

/** What the invited person sees before they choose a password. */
export async function readInvitation(
  deps: ManageMembersDeps,
  token: string,
): Promise<{ email: string; role: Role; accountName: string }> {
  const { email, role, accountId } = usable(await deps.links.find(hashSecret(token), deps.clock.now()));
  return { email, role, accountName: await deps.members.accountName(accountId) };
}

export async function acceptInvitation(
  deps: ManageMembersDeps,
  request: { token: string; password: string },
  address: string,
): Promise<Member> {
  const hash = hashSecret(request.token);
  const { email } = usable(await deps.links.find(hash, deps.clock.now()));
  if (await deps.members.isTaken(fold(email))) {
    throw new Failure('conflict', `${email} already signs in here. Ask to be invited with another email.`);
  }
  const passwordHash = await hashPassword(requirePassword(request.password));
  const { accountId, role } = usable(await deps.links.take(hash, deps.clock.now()));
  const member = await deps.members.add({ accountId, email, role, passwordHash, createdAt: deps.clock.now() });
  await record(deps, { ...member, memberId: member.id, address }, 'member.joined', `${email} as ${role}`);
  return member;
}

export async function changeRole(deps: ManageMembersDeps, actor: Actor, memberId: number, role: Role): Promise<Member> {
  const member = await findMember(deps, actor, memberId);
  requirePower(actor, member.role);
  requirePower(actor, role);
  const changed = await deps.members.setRole(actor.accountId, memberId, role);
  if (!changed) throw noMember();
  await record(deps, actor, 'member.role-changed', `${changed.email} from ${member.role} to ${role}`);
  return changed;
}

export async function removeMember(deps: ManageMembersDeps, actor: Actor, memberId: number): Promise<void> {
  const member = await findMember(deps, actor, memberId);
  requirePower(actor, member.role);
  if (!(await deps.members.remove(actor.accountId, memberId))) throw noMember();
  await record(deps, actor, 'member.removed', member.email);
}

async function findMember(deps: ManageMembersDeps, actor: Actor, memberId: number): Promise<Member> {
  const member = (await deps.members.list(actor.accountId)).find(({ id }) => id === memberId);
  if (!member) throw noMember();
  return member;
}

/** Owners are made, changed and removed by owners only; otherwise an admin could promote themselves. */
function requirePower(actor: Actor, role: Role): void {
  if (role === 'owner' && actor.role !== 'owner') throw new Failure('forbidden', 'Only an owner may do this.');
}

function usable(link: OneTimeLink | undefined): { email: string; role: Role; accountId: number } {
  if (!link?.email || !link.role || link.accountId === null) throw usedLink();
  return { email: link.email, role: link.role, accountId: link.accountId };
}

function noMember(): Failure {
  return new Failure('not_found', 'There is no such member.');
}
