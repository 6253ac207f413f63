import { randomBytes } from 'node:crypto';

/** What a mail is about. It contains no secret: whatever else the mail says is read when it is sent. */
export type MailSubject =
  | { kind: 'invitation'; linkId: string }
  /** Somebody has asked for a link to set a new password. Whether the email is that of a member is found out later. */
  | { kind: 'forgotten-password'; address: string }
  | { kind: 'new-password'; linkId: string; address: string }
  | { kind: 'new-device'; address: string; agent: string }
  | { kind: 'password-changed'; address: string }
  | { kind: 'second-factor-added'; address: string }
  | { kind: 'second-factor-removed'; address: string }
  | { kind: 'passkey-added'; address: string; name: string }
  | { kind: 'passkey-removed'; address: string; name: string }
  | { kind: 'identity-linked'; address: string; name: string };

/** A mail that waits to be sent. */
export interface Mail {
  id: string;
  /** Null for a mail that belongs to no account yet. */
  accountId: number | null;
  to: string;
  subject: MailSubject;
  createdAt: number;
  /** How often it was tried to send it, this time included. */
  attempts: number;
}

/** Mail within a change to an account. It is sent after the change is committed, and not at all if that fails. */
export interface MailChanges {
  add(to: string, subject: MailSubject): Promise<void>;
  /** Returns false if it is not there any more. */
  remove(mailId: string): Promise<boolean>;
}

/** The mail that waits to be sent, by any process. */
export interface MailQueue {
  add(mail: Mail): Promise<void>;
  count(): Promise<number>;
  /** The next mail that is due. No other process gets it before `until`. */
  take(now: number, until: number): Promise<Mail | undefined>;
  /** Both do nothing if another process has taken the mail since. */
  postpone(mail: Mail, until: number): Promise<void>;
  remove(mail: Mail): Promise<void>;
  /** Deletes mail that is too old to be of use. */
  removeOld(createdBefore: number): Promise<void>;
}

export interface MailDeps {
  /** Whether this installation can send mail. */
  sendsMail?: boolean | undefined;
}

export function makeMailId(): string {
  return randomBytes(12).toString('base64url');
}

/** Tells somebody by mail, if this installation can. */
export async function tellByMail(
  { sendsMail }: MailDeps,
  { mails }: { mails: MailChanges },
  to: string,
  subject: MailSubject,
): Promise<void> {
  if (sendsMail) await mails.add(to, subject);
}
