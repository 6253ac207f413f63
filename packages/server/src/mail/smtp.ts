import { createTransport } from 'nodemailer';
import { htmlText, plainText, type SendMail } from '../domain/members/index.ts';
import { isLoopback } from '../domain/network-address.ts';

/** So that a server which does not answer holds up nothing but its own mail. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

export interface MailSettings {
  /** `smtp:` or `smtps:`, with the user and the password. */
  smtpUrl: string;
  from: string;
}

/**
 * Sends mail through a server. The connection is encrypted from the start with `smtps:`, and after the greeting with `smtp:`; only
 * a server on this machine may do without.
 */
export function openSmtp({ smtpUrl, from }: MailSettings): SendMail {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const transport = createTransport({
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !isLoopback(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return async ({ id, to, text }) => {
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject: text.subject,
        text: plainText(text),
        html: htmlText(text),
        // The same whenever the mail is sent again, so that a mail program can tell.
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return 'sent';
    } catch (error) {
      if (isRefused(error)) return 'refused';
      throw withoutAddresses(error);
    }
  };
}

/** Whether the server will never take this mail for its recipient. */
function isRefused(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return code === 'EENVELOPE' && responseCode >= 500;
}

/** What a server answers often repeats the recipient, which must not be logged. */
function withoutAddresses(error: unknown): Error {
  const {
    code = 'unknown',
    command = '',
    responseCode,
  } = error as {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  const answer = responseCode === undefined ? '' : `, answer ${responseCode}`;
  return new Error(`the mail server failed: ${code}${command && ` at ${command}`}${answer}`);
}
