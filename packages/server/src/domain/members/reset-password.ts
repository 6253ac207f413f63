import type { Actor, ChangeAccount } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { fold } from '../text.ts';
import { severalAccounts } from './account.ts';
import { type ChoosePasswordDeps, hashChosenPassword } from './choose-password.ts';
import { type MailChanges, type MailDeps, tellByMail } from './mail.ts';
import type { MemberChanges, Members } from './manage-members.ts';
import type { ProfileChanges } from './manage-profile.ts';
import type { Member } from './member.ts';
import { makeLinkId, makeToken, type OneTimeLink, type OneTimeLinks, type ResetChanges } from './one-time-link.ts';
import type { PasskeyChanges } from './passkey.ts';
import { newSession, type Origin, type SessionChanges } from './session.ts';
import { invalidLink } from './set-up.ts';

const RESET_LINK_MS = 3_600_000;

export interface ResetPasswordDeps extends MailDeps, ChoosePasswordDeps {
  members: Members;
  links: OneTimeLinks;
  changeAccount: ChangeAccount<{
    members: MemberChanges;
    links: ResetChanges;
    sessions: SessionChanges;
    profiles: ProfileChanges;
    mails: MailChanges;
    passkeys: PasskeyChanges;
  }>;
  clock: Clock;
}

/**
 * Creates a link for a member who has lost their password or second factor. Nothing else changes until the link is used, so
 * that a link created by mistake locks nobody out. Only the member's sessions are ended immediately if requested.
 */
export async function createResetLink(
  deps: ResetPasswordDeps,
  actor: Actor,
  request: { email: string; accountId?: number | undefined; endSessions: boolean },
): Promise<{ member: Member; token: string; expiresAt: number }> {
  const at = deps.clock.now();
  const found = await findMember(deps, request);
  const { id, accountId, email } = found;
  const { token, hash } = makeToken();
  const link = newLink('reset', found, actor.name, at);
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const member = await change.members.find(id);
    if (!member) throw noMember(email);
    await change.links.endResetsOf(email);
    await change.links.add(link, hash);
    if (request.endSessions) await change.sessions.endAll(id);
    change.record('member.reset-offered', request.endSessions ? `${email} and ended all sessions` : email);
    return { member, token, expiresAt: link.expiresAt };
  });
}

async function findMember(
  { credentials }: ResetPasswordDeps,
  { email, accountId }: { email: string; accountId?: number | undefined },
): Promise<Member> {
  const all = await credentials.byEmail(fold(email));
  const found = all.filter(({ member }) => accountId === undefined || member.accountId === accountId);
  const [only, another] = found;
  if (!only) throw noMember(email);
  if (another) {
    throw severalAccounts(
      email,
      found.map(({ member, accountName }) => ({ id: member.accountId, name: accountName })),
    );
  }
  return only.member;
}

/**
 * Turns the request for a new password into a link, and a mail with it to the email as the member has it: another spelling that
 * counts as the same may be somebody else's mailbox. The token of the link is made for the mail. A former link that was mailed
 * ends, and so does the request, if its mail is given.
 */
export async function offerNewPassword(
  { changeAccount, clock }: ResetPasswordDeps,
  { id, accountId, email }: Member,
  { address, mailId }: { address: string; mailId?: string },
): Promise<void> {
  const at = clock.now();
  await changeAccount({ accountId, actor: { name: email, address }, at }, async (change) => {
    // Another process may have taken the request as well.
    if (mailId !== undefined && !(await change.mails.remove(mailId))) return;
    const member = await change.members.find(id);
    if (!member) return;
    const link = newLink('forgotten', member, email, at);
    await change.links.endForgottenOf(email);
    await change.links.add(link, makeToken().hash);
    await change.mails.add(email, { kind: 'new-password', linkId: link.id, address });
    change.record('profile.password-forgotten', email);
  });
}

function newLink(
  purpose: 'reset' | 'forgotten',
  { accountId, email }: Member,
  createdBy: string,
  at: number,
): OneTimeLink {
  const times = { createdAt: at, expiresAt: at + RESET_LINK_MS };
  return { id: makeLinkId(), purpose, accountId, email, role: null, createdBy, ...times };
}

/** The details that are shown before the member chooses a new password. */
export async function readResetLink(
  deps: ResetPasswordDeps,
  token: string,
): Promise<{ email: string; accountName: string; removesSecondFactor: boolean }> {
  const link = requireResetLink(await deps.links.find(hashSecret(token), deps.clock.now()));
  const { email, accountId, removesSecondFactor } = link;
  return { email, accountName: await deps.members.accountName(accountId), removesSecondFactor };
}

/**
 * Sets the new password and ends all sessions. A link of the operator also removes the second factor; one that was mailed does
 * not, because whoever reads the mail of a member must not get in by that alone. Starts a session, unless a second factor is
 * still to be shown. Only one of two attempts with the same link succeeds, and a failed attempt does not use up the link.
 */
export async function resetPassword(
  deps: ResetPasswordDeps,
  request: { token: string; password: string },
  origin: Origin,
): Promise<{ token: string; member: Member } | undefined> {
  const hash = hashSecret(request.token);
  const at = deps.clock.now();
  const { email, accountId } = requireResetLink(await deps.links.find(hash, at));
  const owner = { email, accountId, accountName: await deps.members.accountName(accountId) };
  const passwordHash = await hashChosenPassword(deps, owner, request.password);
  const actor = { name: email, address: origin.address, requestId: origin.requestId };
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    const { removesSecondFactor } = requireResetLink(await change.links.take(hash, at));
    const member = await change.members.byEmail(fold(email));
    if (!member) throw invalidLink();
    await change.profiles.setPassword(member.id, passwordHash);
    if (removesSecondFactor) {
      await change.profiles.removeSecondFactor(member.id);
      await change.passkeys.removeAll(member.id);
      await change.profiles.setRecoveryCodes(member.id, []);
    }
    await change.sessions.endAll(member.id);
    await change.links.endResetsOf(email);
    const { address } = origin;
    await tellByMail(deps, change, email, { kind: 'password-changed', address });
    if (removesSecondFactor && member.hasSecondFactor) {
      await tellByMail(deps, change, email, { kind: 'second-factor-removed', address });
    }
    change.record('profile.password-reset', email);
    if (member.hasSecondFactor && !removesSecondFactor) return undefined;
    const { session, token } = newSession(member, origin, at);
    await change.sessions.open(session, hashSecret(token));
    change.record('sign-in.succeeded', email);
    return { token, member };
  });
}

function requireResetLink(link: OneTimeLink | undefined) {
  const isReset = link?.purpose === 'reset' || link?.purpose === 'forgotten';
  if (!isReset || link.email === null || link.accountId === null) throw invalidLink();
  return { email: link.email, accountId: link.accountId, removesSecondFactor: link.purpose === 'reset' };
}

function noMember(email: string): Failure {
  return new Failure('not_found', `There is no member with the email ${email}.`);
}
