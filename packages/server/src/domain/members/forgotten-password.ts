import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { fold, requireEmail } from '../text.ts';
import { type MailDeps, type MailQueue, makeMailId } from './mail.ts';
import { type SignInAttempts, sourcesOfForgotten } from './sign-in-attempts.ts';

/** More than people ask for together. Requests for unknown emails are dropped within seconds. */
const WAITING_MAX = 1000;

export interface ForgottenPasswordDeps extends MailDeps {
  mailQueue: MailQueue;
  attempts: SignInAttempts;
  clock: Clock;
}

/**
 * Notes that somebody asks for a link to set a new password. Whether a member has the email is found out when the mail is sent,
 * so the answer is the same for all emails, and takes as long.
 */
export async function askForNewPassword(
  { mailQueue, attempts, clock, sendsMail }: ForgottenPasswordDeps,
  request: { email: string },
  address: string,
): Promise<void> {
  if (!sendsMail) throw new Failure('not_found', 'This installation sends no mail. Ask the person who runs it.');
  const to = requireEmail(request.email);
  const at = clock.now();
  await attempts.begin(sourcesOfForgotten(fold(to), address), at);
  if ((await mailQueue.count()) >= WAITING_MAX) {
    throw new Failure('unavailable', 'Too much mail is waiting to be sent. Try again later.', {
      retryAfterSeconds: 60,
    });
  }
  const subject = { kind: 'forgotten-password', address } as const;
  await mailQueue.add({ id: makeMailId(), accountId: null, to, subject, createdAt: at, attempts: 0 });
}
