import type { Clock } from '../clock.ts';
import { isFailure } from '../failure.ts';
import { currentSecret, type SigningDeps } from '../installation-secrets.ts';
import { hashSecret } from '../secret.ts';
import { fold } from '../text.ts';
import type { MemberCredentials } from './credentials.ts';
import type { Mail, MailQueue, MailSubject } from './mail.ts';
import { changedText, invitationText, type MailText, newDeviceText, newPasswordText } from './mail-text.ts';
import type { OneTimeLink, OneTimeLinks } from './one-time-link.ts';
import { offerNewPassword, type ResetPasswordDeps } from './reset-password.ts';

/** Longer than a mail server may take for one mail. */
const TAKEN_MS = 900_000;
const FIRST_WAIT_MS = 30_000;
const WAIT_MAX_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** A notice that arrives later than this confuses more than it helps. */
const GIVE_UP_MS = DAY_MS;
/** Somebody waits for these, and asks again. */
const GIVE_UP_FORGOTTEN_MS = 1_800_000;

/** Sends one mail. Returns the reason if the server will never take it. */
export type SendMail = (mail: { id: string; to: string; text: MailText }) => Promise<string | undefined>;

export interface DeliverMailDeps extends ResetPasswordDeps, SigningDeps {
  credentials: MemberCredentials;
  mailQueue: MailQueue;
  links: OneTimeLinks;
  clock: Clock;
  sendMail: SendMail;
  /** The origin of the dashboard, which links lead to. It never comes from a request. */
  dashboardUrl: string;
  /** Once it is aborted, no further mail is sent. */
  signal: AbortSignal;
  /** Called for every mail that cannot be sent now, and for every one that is sent. Neither gets an address. */
  onTrouble(error: unknown): void;
  onSent(): void;
  /** Called for a mail that will never arrive. */
  onGivenUp(kind: string, reason: string): void;
}

/** Sends all mail that is due. A mail that cannot be sent is tried again later, each time after a longer wait. */
export async function deliverMail(deps: DeliverMailDeps): Promise<void> {
  while (!deps.signal.aborted) {
    const now = deps.clock.now();
    const mail = await deps.mailQueue.take(now, now + TAKEN_MS);
    if (!mail) return;
    if (!(await deliver(deps, mail))) return;
  }
}

/** Deletes mail that nobody tries to send any more, for example because the settings for it were removed. */
export async function removeOldMail({ mailQueue, clock }: { mailQueue: MailQueue; clock: Clock }): Promise<void> {
  await mailQueue.removeOld(clock.now() - GIVE_UP_MS);
}

/** Returns false if it is of no use to try the next one now. */
async function deliver(deps: DeliverMailDeps, mail: Mail): Promise<boolean> {
  const { subject } = mail;
  try {
    if (isTooOld(mail, deps.clock.now())) return await giveUp(deps, mail, 'it has waited for too long');
    if (subject.kind === 'forgotten-password') return await answerRequest(deps, mail, subject.address);
    const letter = await letterFor(deps, mail);
    const refusal = letter && (await deps.sendMail({ id: mail.id, ...letter }));
    if (refusal !== undefined) return await giveUp(deps, mail, refusal);
    await deps.mailQueue.remove(mail);
    if (letter) deps.onSent();
    return true;
  } catch (error) {
    // The mail stays taken for a while, and is tried again when the database can be used. After a stop, that is closed.
    if (isFailure(error, 'unavailable') || deps.signal.aborted) throw error;
    deps.onTrouble(error);
    const wait = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(mail.attempts - 1, 10));
    await deps.mailQueue.postpone(mail, deps.clock.now() + wait);
    return false;
  }
}

function isTooOld({ subject, createdAt }: Mail, now: number): boolean {
  const isAwaited = subject.kind === 'forgotten-password' || subject.kind === 'new-password';
  return now - createdAt > (isAwaited ? GIVE_UP_FORGOTTEN_MS : GIVE_UP_MS);
}

async function giveUp({ mailQueue, onGivenUp }: DeliverMailDeps, mail: Mail, reason: string): Promise<boolean> {
  await mailQueue.remove(mail);
  onGivenUp(mail.subject.kind, reason);
  return true;
}

/**
 * Only now it is found out which members have the email. The request is removed with the last of them: after a crash, the others
 * get a new link, which replaces the first one.
 */
async function answerRequest(deps: DeliverMailDeps, mail: Mail, address: string): Promise<boolean> {
  const memberships = await deps.credentials.byEmail(fold(mail.to));
  const last = memberships.pop();
  for (const { member } of memberships) await offerNewPassword(deps, member, { address });
  if (last) await offerNewPassword(deps, last.member, { address, mailId: mail.id });
  else await deps.mailQueue.remove(mail);
  return true;
}

interface Letter {
  to: string;
  text: MailText;
}

/** What the mail says, or `undefined` if there is nobody to tell any more. */
async function letterFor(deps: DeliverMailDeps, { subject, accountId, to }: Mail): Promise<Letter | undefined> {
  if (accountId === null) return undefined;
  const accountName = await deps.members.accountName(accountId);
  if (subject.kind === 'invitation') return invitation(deps, { accountId, accountName, linkId: subject.linkId });
  if (subject.kind === 'new-password') return newPassword(deps, { accountId, accountName, ...subject });
  const profile = `${deps.dashboardUrl}/production/settings/profile`;
  if (subject.kind === 'new-device') return { to, text: newDeviceText(profile, { accountName, ...subject }) };
  return { to, text: changedText(profile, requireKnown(subject), { accountName, ...subject }) };
}

/** A newer version of the program may have written it, and sends it itself. */
function requireKnown({ kind }: MailSubject) {
  if (kind === 'password-changed' || kind === 'second-factor-added' || kind === 'second-factor-removed') return kind;
  if (kind === 'passkey-added' || kind === 'passkey-removed' || kind === 'identity-linked') return kind;
  throw new Error(`This version cannot send a mail about ${kind}.`);
}

interface LinkFacts {
  accountId: number;
  accountName: string;
  linkId: string;
}

async function newPassword(deps: DeliverMailDeps, facts: LinkFacts & { address: string }): Promise<Letter | undefined> {
  const { link, token } = await mailLink(deps, facts);
  const memberships = link?.email ? await deps.credentials.byEmail(fold(link.email)) : [];
  const found = memberships.find(({ member }) => member.accountId === facts.accountId);
  if (!found) return undefined;
  const { email, hasSecondFactor } = found.member;
  const url = `${deps.dashboardUrl}/reset#${token}`;
  return { to: email, text: newPasswordText(url, { ...facts, hasSecondFactor }) };
}

async function invitation(deps: DeliverMailDeps, facts: LinkFacts): Promise<Letter | undefined> {
  const { link, token } = await mailLink(deps, facts);
  if (!link?.role || link.email === null) return undefined;
  const days = Math.max(1, Math.round((link.expiresAt - deps.clock.now()) / DAY_MS));
  const text = { accountName: facts.accountName, role: link.role, invitedBy: link.createdBy ?? 'An owner', days };
  return { to: link.email, text: invitationText(`${deps.dashboardUrl}/invitation#${token}`, text) };
}

/**
 * The mail has a token of its own, because the other one was shown once and is not stored. It is the same whenever the mail is
 * sent again, so that it does not matter which copy is read.
 */
async function mailLink(
  deps: DeliverMailDeps,
  { accountId, linkId }: LinkFacts,
): Promise<{ link: OneTimeLink | undefined; token: string }> {
  const token = (await currentSecret(deps)).sign('mailed links', linkId);
  return { link: await deps.links.mail(accountId, linkId, hashSecret(token), deps.clock.now()), token };
}
