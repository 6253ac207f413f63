import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Autocannon } from '../bench/measure/autocannon.ts';
import { randomPage } from '../bench/measure/load.ts';
import { LoadGenerator } from '../bench/measure/load-generator.ts';
import { residentMb } from '../bench/measure/process-usage.ts';
import { LIST_PATH } from '../bench/measure/workloads.ts';
import { exchange } from '../e2e/api.ts';
import { ConsoleSession } from '../e2e/console-session.ts';
import { NO_RATE_LIMITS, Program, type Serving } from '../e2e/program.ts';
import { createTestAccount, OWNER, PASSWORD } from '../e2e/test-account.ts';

const CLIENTS = 200_000;
const CONNECTIONS = 16;
const TYPING_MS = 200;
const MEMORY_MAX_MB = 512;
const SLOWER_AT_MOST = 3;

/** Callers that send many requests and read no response. */
async function pipelineUnread({ production }: Serving, token: string): Promise<void> {
  const request = `GET /api/v1/clients-list/?page_limit=1000&page_no=`;
  const headers = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  for (let caller = 0; caller < 60; caller++) {
    const requests = Array.from({ length: 120 }, (_, page) => `${request}${1 + ((caller + page) % 200)} ${headers}`);
    (await openUnread(production)).write(requests.join(''));
  }
}

/** Exports of all clients that are not read. */
async function stallExports({ dashboard }: Serving, cookie: string): Promise<void> {
  const { host } = new URL(dashboard);
  const head = `POST /console/production/clients.csv HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${dashboard}\r\nCookie: ${cookie}\r\n`;
  for (let each = 0; each < 150; each++) {
    (await openUnread(dashboard)).write(`${head}Content-Length: 0\r\n\r\n`);
  }
}

async function openUnread(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  // The service cuts the connection off in the end, as expected.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket.pause();
}

/** A dozen tabs of one member who keeps typing into the search field. */
async function searchRepeatedly({ dashboard }: Serving): Promise<void> {
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  for (let tab = 0; tab < 12; tab++) {
    const session = await ConsoleSession.signIn(dashboard, OWNER, PASSWORD);
    const search = async (letters: number): Promise<void> => {
      await session.send('GET', `/console/production/clients?search=${'nobody'.slice(0, letters)}`).catch(() => {});
      await sleep(TYPING_MS);
      if (!over) await search((letters % 6) + 1);
    };
    void search(tab % 6);
  }
}

test('with unread responses, stalled exports and searches at once, memory stays bounded and other callers hardly notice', async () => {
  const program = new Program(NO_RATE_LIMITS);
  const { key } = await createTestAccount(program, { clients: CLIENTS, groups: 50 });
  const service = await program.serve();
  const pid = service.process.pid ?? 0;
  const { data } = await exchange(service.production, key.api_key);
  // Its percentiles are those of the responses, whereas wrk estimates those of requests that it would have sent.
  const generator = new LoadGenerator(new Autocannon());
  onTestFinished(() => generator.stop());
  const load = (seed: number, seconds: number) => {
    const headers = { authorization: `Bearer ${data.access_token}` };
    const choices = [randomPage(LIST_PATH, CLIENTS / 10)];
    const requests = { address: service.production, choices, seed, headers, connections: CONNECTIONS, seconds };
    return generator.run(requests, { pid });
  };

  await load(1, 10);
  const undisturbed = await load(2, 15);
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  await searchRepeatedly(service);
  await stallExports(service, session.cookie);
  await pipelineUnread(service, data.access_token);
  const disturbed = await load(3, 15);
  const memory = residentMb(pid);
  process.stdout.write(`${JSON.stringify({ undisturbed, disturbed, memory })}\n`);
  expect(memory?.peak).toBeLessThan(MEMORY_MAX_MB);
  expect(disturbed.p99Ms / undisturbed.p99Ms).toBeLessThan(SLOWER_AT_MOST);
});
