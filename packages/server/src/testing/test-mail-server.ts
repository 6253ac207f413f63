import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished } from 'vitest';
import type { MailSettings } from '../mail/smtp.ts';

export interface ReceivedMail {
  to: string[];
  headers: string;
  /** The parts of the mail, decoded. */
  text: string;
  html: string;
}

export interface TestMailServer {
  url: string;
  settings: Omit<MailSettings, 'from'>;
  received: ReceivedMail[];
  /** How the server answers a recipient, instead of accepting the mail. */
  refuse: { code: number; message: string } | undefined;
  /** The only mail to this address, once it has arrived. */
  mailTo(address: string, subject?: RegExp): Promise<ReceivedMail>;
}

export const MAIL_USER = { name: 'rollcall', password: 'p@ss:word/1' };

/** A real mail server on this machine, which keeps what it receives. It asks for a user and a password. */
export async function startMailServer(host = '127.0.0.1'): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    // A real server would ask for encryption first, which is not needed on one machine.
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === MAIL_USER.name && password === MAIL_USER.password
        ? done(null, { user: username })
        : done(new Error('Wrong user or password')),
    onRcptTo: (_address, _session, done) =>
      done(mail.refuse && Object.assign(new Error(mail.refuse.message), { responseCode: mail.refuse.code })),
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), ...partsOf(raw) });
        done();
      }, done);
    },
  });
  server.listen(0, host);
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const user = `${MAIL_USER.name}:${encodeURIComponent(MAIL_USER.password)}`;
  const mail: TestMailServer = {
    url: `smtp://${user}@127.0.0.1:${port}`,
    settings: { host: '127.0.0.1', port, secure: false, user: MAIL_USER },
    received,
    refuse: undefined,
    mailTo: async (address, subject = /./) => {
      const find = () => received.filter(({ to, headers }) => to.includes(address) && subject.test(headers));
      await expect.poll(() => find().length).toBe(1);
      return find()[0] as ReceivedMail;
    },
  };
  return mail;
}

/** The link in a mail. */
export function linkIn({ text: content }: ReceivedMail): URL {
  return new URL(/https?:\S+/.exec(content)?.[0] ?? '');
}

function partsOf(raw: string): Omit<ReceivedMail, 'to'> {
  const [headers = ''] = raw.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '';
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  const contentOf = (type: string) => decodePart(parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '');
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') };
}

function decodePart(part: string): string {
  const start = part.indexOf('\r\n\r\n') + 4;
  const [headers, content] = [part.slice(0, start), part.slice(start)];
  if (/base64/i.test(headers)) return Buffer.from(content, 'base64').toString();
  if (!/quoted-printable/i.test(headers)) return content;
  const bytes = content
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
