import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
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
  const send = openSmtp({ smtpUrl: server.url, from: FROM });
  expect([await send(LETTER), await send(LETTER)]).toEqual(['sent', 'sent']);
  for (const { headers } of server.received) expect(headers).toContain('Message-ID: <mail1@firm.example>');
});

test('a wrong password fails without telling it or the recipient', async () => {
  const server = await startMailServer();
  const send = openSmtp({ smtpUrl: `smtp://${MAIL_USER.name}:hunter2@127.0.0.1:${server.port}`, from: FROM });
  const error = await send(LETTER).catch((reason: Error) => reason);
  expect(String(error)).toMatch(/^Error: the mail server failed: EAUTH at AUTH PLAIN, answer 535$/);
  expect(server.received).toEqual([]);
});

test.skipIf(ELSEWHERE === undefined)('a server on another machine is not used without encryption', async () => {
  const server = await startMailServer('0.0.0.0');
  const send = openSmtp({ smtpUrl: `smtp://${ELSEWHERE}:${server.port}`, from: FROM });
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
  await anAccount(store, clock, { name: 'Firm', email: 'owner@firm.example' });
  const found = await store.credentials.byEmail('owner@firm.example');
  if (!found) throw new Error('The owner is missing.');
  const deps = { ...store, clock, sendsMail: true };
  await inviteMember(deps, actorOf(found.member, { address: '' }), { email: LETTER.to, role: 'viewer' });

  const sendMail = openSmtp({ smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM });
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
