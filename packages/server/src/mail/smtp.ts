import type { Transporter } from 'nodemailer';
import { htmlText, plainText, type SendMail } from '../domain/members/index.ts';
import { isLoopback } from '../domain/network-address.ts';

/** A server may take minutes to look at a mail before it accepts it. If we did not wait for that, it would arrive again and again. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 120_000, dnsTimeout: 10_000 };

export interface MailSettings {
  host: string;
  port: number;
  /** Whether the connection is encrypted from the start. */
  secure: boolean;
  user: { name: string; password: string } | undefined;
  from: string;
}

/**
 * Sends mail through a server. The connection is encrypted from the start or after the greeting. Only with a server on this
 * machine it is not, because such servers often have a certificate that nobody has signed.
 */
export function openSmtp(settings: MailSettings): SendMail {
  const { from } = settings;
  let transport: Promise<Transporter> | undefined;
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return async ({ id, to, text }) => {
    try {
      transport ??= openTransport(settings);
      // A failure to load the package is not remembered.
      transport.catch(() => {
        transport = undefined;
      });
      await (await transport).sendMail({
        from,
        to: { name: '', address: to },
        subject: text.subject,
        text: plainText(text),
        html: htmlText(text),
        // The same whenever the mail is sent again, so that a mail program can tell.
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return undefined;
    } catch (error) {
      const reason = describe(error as SmtpError);
      if (isRefused(error as SmtpError)) return reason;
      throw new Error(`the mail server failed: ${reason}`);
    }
  };
}

/** The package is loaded when the first mail is sent, because it is large and most services do not send any. */
async function openTransport({ host, port, secure, user }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isLocal = isLoopback(host);
  return createTransport({
    host,
    port,
    secure,
    requireTLS: !isLocal,
    ignoreTLS: isLocal,
    ...(user && { auth: { user: user.name, pass: user.password } }),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface SmtpError {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Whether the server will never take this mail: the mailbox does not exist, or the content is refused. A refusal because of the
 * sender or of missing rights is a matter of settings, and ends when they are corrected.
 */
function isRefused({ code, command, responseCode = 0, response = '' }: SmtpError): boolean {
  if (code === 'EMESSAGE') return responseCode >= 550;
  if (command !== 'RCPT TO' || responseCode < 500) return false;
  const [, status] = /^5\d\d[ -](5\.\d+)\./.exec(response) ?? [];
  return status === undefined ? [550, 551, 553].includes(responseCode) : status === '5.1' || status === '5.2';
}

/** Without what the server says, which often repeats the recipient and must not be logged. */
function describe({ code = 'unknown', command, responseCode }: SmtpError): string {
  const where = command ? ` at ${command}` : '';
  return responseCode === undefined ? code + where : `${code}${where}, answer ${responseCode}`;
}
