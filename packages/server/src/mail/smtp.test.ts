import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { prepareSecret } from '../domain/manage-secret.ts';
import { inviteMember } from '../domain/members/manage-members.ts';
import { actorOf } from '../domain/members/sign-in.ts';
import { anAccount, TestClock } from '../testing/builders.ts';
import { MAIL_USER, startMailServer } from '../testing/test-mail-server.ts';
import { openTestStore } from '../testing/test-store.ts';
import { startMailDelivery } from './mail-delivery.ts';
import { openSmtp } from './smtp.ts';

const FROM = 'Rollcall <rollcall@firm.example>';
const LETTER = { id: 'mail1', to: 'ann@firm.example', text: { subject: 'Hello', paragraphs: ['Hello, Ann.'] } };
const ELSEWHERE = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

test('a mail has the same id whenever it is sent', async () => {
  const server = await startMailServer();
  const send = openSmtp({ ...server.settings, from: FROM });
  expect([await send(LETTER), await send(LETTER)]).toEqual([undefined, undefined]);
  expect(server.received).toHaveLength(2);
  for (const { headers } of server.received) expect(headers).toContain('Message-ID: <mail1@firm.example>');
});

test('a wrong password fails without telling it or the recipient', async () => {
  const server = await startMailServer();
  const send = openSmtp({ ...server.settings, user: { ...MAIL_USER, password: 'hunter2' }, from: FROM });
  const error = await send(LETTER).catch((reason: Error) => reason);
  expect(String(error)).toMatch(/^Error: the mail server failed: EAUTH at AUTH PLAIN, answer 535$/);
  expect(server.received).toEqual([]);
});

test.each([
  [{ code: 550, message: 'no such user' }, 'EENVELOPE at RCPT TO, answer 550'],
  [{ code: 552, message: '5.2.2 mailbox full' }, 'EENVELOPE at RCPT TO, answer 552'],
])('a server that refuses the mailbox for good, %j, is not asked again', async (refuse, reason) => {
  const server = await startMailServer();
  server.refuse = refuse;
  expect(await openSmtp({ ...server.settings, from: FROM })(LETTER)).toBe(reason);
});

test.each([
  { code: 451, message: 'try later' },
  { code: 530, message: '5.7.0 authentication required' },
  { code: 554, message: '5.7.1 relay access denied' },
])('a server that refuses for another reason, %j, is asked again', async (refuse) => {
  const server = await startMailServer();
  server.refuse = refuse;
  await expect(openSmtp({ ...server.settings, from: FROM })(LETTER)).rejects.toThrow(`answer ${refuse.code}`);
});

test.skipIf(ELSEWHERE === undefined)('a server on another machine is not used without encryption', async () => {
  const server = await startMailServer('0.0.0.0');
  const send = openSmtp({ ...server.settings, host: ELSEWHERE ?? '', from: FROM });
  await expect(send(LETTER)).rejects.toThrow('the mail server failed: ETLS');
  expect(server.received).toEqual([]);
});

test('a mail server that never answers delays a stop for seconds only, and the mail stays', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const store = await openTestStore();
  const clock = new TestClock();
  await prepareSecret({ ...store, clock });
  await anAccount(store, clock, { name: 'Firm', email: 'owner@firm.example' });
  const [found] = await store.credentials.byEmail('owner@firm.example');
  if (!found) throw new Error('The owner is missing.');
  const deps = { ...store, clock, sendsMail: true };
  await inviteMember(deps, actorOf(found.member, { address: '' }), { email: LETTER.to, role: 'viewer' });

  const sendMail = openSmtp({ host: '127.0.0.1', port, secure: false, user: undefined, from: FROM });
  const reached = once(silent, 'connection');
  const stop = startMailDelivery(
    { ...deps, sendMail, dashboardUrl: 'https://rollcall.example' },
    pino({ level: 'silent' }),
  );
  await reached;
  const start = performance.now();
  await stop();
  expect(performance.now() - start).toBeLessThan(60_000);
  expect(await store.mailQueue.count()).toBe(1);
});
