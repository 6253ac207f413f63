import type { Clock } from '../clock.ts';
import { isFailure } from '../failure.ts';
import { fold } from '../text.ts';
import type { Mail, MailQueue } from './mail.ts';
import { changedText, forgottenPasswordText, invitationText, type MailText, newDeviceText } from './mail-text.ts';
import { makeToken, type OneTimeLinks } from './one-time-link.ts';
import { offerNewPassword, type ResetPasswordDeps } from './reset-password.ts';

/** Longer than a mail server may take for one mail. */
const TAKEN_MS = 120_000;
const FIRST_WAIT_MS = 30_000;
const WAIT_MAX_MS = 3_600_000;
/** A notice that arrives later than this confuses more than it helps. */
const GIVE_UP_MS = 24 * 3_600_000;
/** Somebody waits for this one, and asks again. */
const GIVE_UP_FORGOTTEN_MS = 1_800_000;
const DAY_MS = 24 * 3_600_000;

/** Sends one mail. */
export type SendMail = (mail: { id: string; to: string; text: MailText }) => Promise<'sent' | 'refused'>;

export interface DeliverMailDeps extends ResetPasswordDeps {
  mailQueue: MailQueue;
  links: OneTimeLinks;
  clock: Clock;
  sendMail: SendMail;
  /** The origin of the dashboard, which links lead to. It never comes from a request. */
  dashboardUrl: string;
  /** Once it is aborted, no further mail is sent. */
  signal: AbortSignal;
  /** Called once when mail cannot be sent, and once when it can again. Neither contains an address. */
  onTrouble(error: unknown): void;
  onSent(): void;
  /** Called for a mail that will never arrive. */
  onGivenUp(kind: string): void;
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

/** Returns false if it is of no use to try the next one now. */
async function deliver(deps: DeliverMailDeps, mail: Mail): Promise<boolean> {
  try {
    const letter = await letterFor(deps, mail);
    const outcome = letter === undefined ? 'not-needed' : await deps.sendMail({ id: mail.id, ...letter });
    await deps.mailQueue.remove(mail);
    if (outcome === 'refused') deps.onGivenUp(mail.subject.kind);
    if (outcome === 'sent') deps.onSent();
    return true;
  } catch (error) {
    // The mail stays taken for a while, and is tried again when the database can be used.
    if (isFailure(error, 'unavailable')) throw error;
    deps.onTrouble(error);
    await tryLater(deps, mail);
    return false;
  }
}

async function tryLater({ mailQueue, clock, onGivenUp }: DeliverMailDeps, mail: Mail): Promise<void> {
  const now = clock.now();
  const giveUpAfter = mail.subject.kind === 'forgotten-password' ? GIVE_UP_FORGOTTEN_MS : GIVE_UP_MS;
  if (now - mail.createdAt < giveUpAfter) {
    const wait = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(mail.attempts - 1, 10));
    return mailQueue.postpone(mail, now + wait);
  }
  await mailQueue.remove(mail);
  onGivenUp(mail.subject.kind);
}

interface Letter {
  to: string;
  text: MailText;
}

/** What the mail says, or `undefined` if there is nobody to tell any more. */
async function letterFor(deps: DeliverMailDeps, mail: Mail): Promise<Letter | undefined> {
  const { subject, accountId, to } = mail;
  if (subject.kind === 'forgotten-password') return forgottenPassword(deps, to, subject.address);
  if (accountId === null) return undefined;
  const accountName = await deps.members.accountName(accountId);
  if (subject.kind === 'invitation') return invitation(deps, { accountId, accountName, linkId: subject.linkId });
  const profile = `${deps.dashboardUrl}/production/settings/profile`;
  if (subject.kind === 'new-device') return { to, text: newDeviceText(profile, { accountName, ...subject }) };
  return { to, text: changedText(profile, subject.kind, { accountName, ...subject }) };
}

/** The mail goes to the email as the member has it: another spelling that counts as the same may be somebody else's mailbox. */
async function forgottenPassword(deps: DeliverMailDeps, email: string, address: string): Promise<Letter | undefined> {
  const found = await deps.credentials.byEmail(fold(email));
  const offered = found && (await offerNewPassword(deps, found.member, address));
  if (!offered) return undefined;
  const accountName = await deps.members.accountName(found.member.accountId);
  const facts = { accountName, address, hasSecondFactor: found.member.hasSecondFactor };
  const url = `${deps.dashboardUrl}/reset#${offered.token}`;
  return { to: found.member.email, text: forgottenPasswordText(url, facts) };
}

/** The mail has a token of its own, which is made here, because the other one was shown once and is not stored. */
async function invitation(
  { links, clock, dashboardUrl }: DeliverMailDeps,
  { accountId, accountName, linkId }: { accountId: number; accountName: string; linkId: string },
): Promise<Letter | undefined> {
  const { token, hash } = makeToken();
  const now = clock.now();
  const link = await links.mail(accountId, linkId, hash, now);
  if (!link?.role || link.email === null) return undefined;
  const days = Math.max(1, Math.round((link.expiresAt - now) / DAY_MS));
  const facts = { accountName, role: link.role, invitedBy: link.createdBy ?? 'An owner', days };
  return { to: link.email, text: invitationText(`${dashboardUrl}/invitation#${token}`, facts) };
}
