import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { aClient, addClients } from '../../testing/builders.ts';
import { type Browser, openTestConsole, type TestConsole } from '../../testing/test-console.ts';
import { UPLOAD_TYPE } from '../contract/clients/imports.ts';

const EXPORT = '/console/sandbox/clients.csv';
const SEARCH = '/console/sandbox/clients?search=zzz';
const ROWS = 12_000;

/** More than fits into the buffers of a connection, so that a caller that does not read keeps its export waiting. */
async function addMany({ store }: TestConsole): Promise<void> {
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'sandbox');
  const name = 'Ada '.repeat(49).trim();
  const long = (index: number) => `${'a'.repeat(60)}${index}@${'mail.'.repeat(35)}example`;
  const clients = Array.from({ length: ROWS }, (_, index) =>
    aClient({ name, email: long(index), groupName: 'G'.repeat(120) }),
  );
  for (let start = 0; start < ROWS; start += 4000)
    await addClients(store, workspaceId, clients.slice(start, start + 4000));
}

/** Sends a request on a new connection, waits for the head of the answer, and stops reading. */
async function askAndStall(address: string, browser: Browser, method: string, path: string): Promise<Stalled> {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${address}`, `Cookie: ${browser.cookie}`];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
  socket.on('error', () => {});
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => {
      socket.pause();
      resolve(chunk.toString());
    });
  });
  return { socket, answer, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
}

/** Sends the beginning of a file on a new connection, and nothing more. Calls `onAnswer` if there is an answer all the same. */
function uploadAndStall(address: string, browser: Browser, path: string, onAnswer: (status: number) => void): void {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${address}`, `Cookie: ${browser.cookie}`];
  socket.write(`${[...head, `Content-Type: ${UPLOAD_TYPE}`, 'Content-Length: 100000'].join('\r\n')}\r\n\r\nPK`);
  socket.once('data', (chunk) => onAnswer(Number(chunk.toString().split(' ')[1])));
}

interface Stalled {
  socket: Socket;
  answer: Promise<string>;
  closed: Promise<void>;
}

const stall = async (testConsole: TestConsole, browser: Browser) => {
  const stalled = await askAndStall(testConsole.address, browser, 'POST', EXPORT);
  return { ...stalled, status: Number((await stalled.answer).split(' ')[1]) };
};

async function exportsOf(browser: Browser): Promise<number> {
  return (await browser.get('/console/activity?kind=client')).text.split('client.exported').length - 1;
}

test('exports without a reader are limited in number, refused beyond that, and end by themselves', async () => {
  const testConsole = await openTestConsole({ fileTimeouts: { pieceMs: 2000, wholeMs: 60_000, bytesPerSecond: 1 } });
  const ada = await testConsole.owner();
  await addMany(testConsole);
  const first = [await stall(testConsole, ada), await stall(testConsole, ada)];
  expect(first.map(({ status }) => status)).toEqual([200, 200]);

  const beyond = await ada.send('POST', EXPORT, new URLSearchParams());
  expect(beyond).toMatchObject({
    status: 429,
    body: { message: expect.stringMatching(/^Too many requests: 2 of your exports/) },
  });
  expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
  // Refused exports are not on record. Exports of other members and short requests are answered.
  expect(await exportsOf(ada)).toBe(2);
  const bob = await testConsole.owner('bob@firm.example');
  expect((await bob.send('POST', EXPORT, new URLSearchParams())).status).toBe(200);
  expect((await ada.get('/console/sandbox/clients')).status).toBe(200);

  // They still have no reader, so it is the service that ends them.
  await expect.poll(() => testConsole.exportSlots.taken, { timeout: 60_000 }).toBe(0);
  for (const { socket } of first) socket.resume();
  await Promise.all(first.map(({ closed }) => closed));
  const whole = await ada.send('POST', EXPORT, new URLSearchParams());
  expect(whole.status).toBe(200);
  expect(whole.text.split('\n')).toHaveLength(ROWS + 2);
});

test('an export ends at once when its caller leaves, however many do so', async () => {
  const testConsole = await openTestConsole();
  const ada = await testConsole.owner();
  await addMany(testConsole);
  // More than the store has connections for, if any of them were kept.
  for (let round = 0; round < 10; round++) {
    await expect
      .poll(async () => {
        const { socket, status } = await stall(testConsole, ada);
        socket.destroy();
        return status;
      })
      .toBe(200);
  }
  await expect.poll(async () => (await ada.send('POST', EXPORT, new URLSearchParams())).status).toBe(200);
});

test('too many exports of several members are refused with 503', async () => {
  const testConsole = await openTestConsole();
  const [ada, bob, cem] = [
    await testConsole.owner('ada@firm.example'),
    await testConsole.owner('bob@firm.example'),
    await testConsole.owner('cem@firm.example'),
  ];
  const { exportSlots } = testConsole;
  const leave = [1001, 1001, 1002, 1002].map((memberId) => exportSlots.take({ accountId: memberId, memberId }));
  for (const browser of [ada, bob, cem]) {
    const answer = await browser.send('POST', EXPORT, new URLSearchParams());
    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringMatching(/^Service temporarily/) } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  leave[0]?.();
  leave[0]?.();
  expect((await ada.send('POST', EXPORT, new URLSearchParams())).status).toBe(200);
  // Releasing one place twice frees one place.
  exportSlots.take({ accountId: 1003, memberId: 1003 });
  expect((await ada.send('POST', EXPORT, new URLSearchParams())).status).toBe(503);
});

test('one account cannot take all exports of the service', async () => {
  const testConsole = await openTestConsole();
  const ada = await testConsole.owner('ada@firm.example');
  const bob = await testConsole.owner('bob@firm.example');
  const [firm] = await testConsole.store.accounts.list();
  for (const memberId of [1001, 1001, 1002]) testConsole.exportSlots.take({ accountId: firm?.id ?? 0, memberId });
  const refused = await ada.send('POST', EXPORT, new URLSearchParams());
  expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('3 exports of your account')]);
  expect((await bob.send('POST', EXPORT, new URLSearchParams())).status).toBe(200);
});

test('one account cannot take all places for workbooks with uploads that hardly arrive', async () => {
  const testConsole = await openTestConsole();
  const ada = await testConsole.owner('ada@firm.example');
  const bob = await testConsole.owner('bob@firm.example');
  const preview = (environment: string) => `/console/${environment}/import-preview`;
  const answered: number[] = [];
  for (const environment of ['production', 'production', 'sandbox', 'sandbox']) {
    uploadAndStall(testConsole.address, ada, preview(environment), (status) => answered.push(status));
  }
  await expect.poll(() => answered).toEqual([429, 429]);
  const file = new TextEncoder().encode('not a workbook');
  for (const environment of ['production', 'sandbox']) {
    expect((await ada.send('POST', preview(environment), file)).status).toBe(429);
  }
  expect((await bob.send('POST', preview('sandbox'), file)).status).toBe(400);
});

test('a search ends when its caller leaves, and another tab of the same member gets its answer', async () => {
  const testConsole = await openTestConsole();
  const ada = await testConsole.owner();
  await ada.post('/console/sandbox/clients', {
    email: 'zzz@mail.example',
    client_name: 'Ada',
    client_type: 'individual',
    group_name: 'Retail',
  });
  const [account] = await testConsole.store.accounts.list();
  const [member] = await testConsole.store.members.list(account?.id ?? 0);
  const earlier = Promise.withResolvers<void>();
  const searching = testConsole.searchQueue.run(member?.id ?? 0, new AbortController().signal, () => earlier.promise);

  const left = await Promise.all(Array.from({ length: 4 }, () => askAndStall(testConsole.address, ada, 'GET', SEARCH)));
  const asked: ReturnType<Browser['get']>[] = [];
  const ask = () => {
    const answer = ada.get(SEARCH);
    asked.push(answer);
    return statusOrWaiting(answer);
  };
  await expect.poll(ask).toBe(429);

  for (const { socket } of left) socket.destroy();
  await expect.poll(ask).toBe('waiting');
  earlier.resolve();
  await searching;
  const answers = await Promise.all(asked);
  expect(answers.at(-1)?.body).toMatchObject({ data: { total_count: 1 } });
  expect(testConsole.log.filter((line) => line.includes('unexpected error'))).toEqual([]);
});

function statusOrWaiting(answer: Promise<{ status: number }>): Promise<number | 'waiting'> {
  const soon = new Promise<'waiting'>((resolve) => setTimeout(resolve, 500, 'waiting'));
  return Promise.race([answer.then(({ status }) => status), soon]);
}
