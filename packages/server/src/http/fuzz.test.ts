import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { type ApiCaller, openCaller } from '../testing/api-caller.ts';
import { type DrawnConnection, drawConnection } from '../testing/fuzz/draw-bytes.ts';
import { splitAnswers } from '../testing/fuzz/split-answers.ts';
import { openTestApi } from '../testing/test-api.ts';
import { FailureEnvelope } from './envelope.ts';

/** `npm run fuzz` may open more. The seed of a failure is in the name of the test; with it, the same bytes are sent again. */
const CONNECTIONS = Number(process.env.ROLLCALL_FUZZ_REQUESTS ?? 500);
const SEED = Number(process.env.ROLLCALL_FUZZ_SEED ?? Date.now() % 2 ** 31);
const AT_ONCE = 8;
const PAUSE_MS = 2;
/** A caller that has said everything is answered, or its connection is closed, within this time. */
const ANSWERED_WITHIN_MS = 30_000;

test(`whatever bytes arrive, every answer is in the envelope, none is a 5xx, and others are served (seed ${SEED})`, async () => {
  const api = await openTestApi();
  const caller = await openCaller(api, 'a@firm.example');
  const token = caller.authorization().slice('Bearer '.length);
  const drawn = fc.sample(drawConnection(token), { numRuns: CONNECTIONS, seed: SEED });
  const seen = new Map<number, number>();
  for (let start = 0; start < drawn.length; start += AT_ONCE) {
    await Promise.all(
      drawn.slice(start, start + AT_ONCE).map(async (connection, index) => {
        const what = `connection ${start + index}: ${JSON.stringify(connection.parts.map(String)).slice(0, 2000)}`;
        for (const status of await statusesOf(api.address.production, connection, what)) {
          seen.set(status, (seen.get(status) ?? 0) + 1);
        }
      }),
    );
    expect((await caller.call('GET', '/api/v1/clients-list/?page_limit=1')).status).toBe(200);
  }
  expect(await clientsOf(caller)).toBe(1);
  expect(seen.get(201) ?? 0).toBeLessThanOrEqual(1);
  expect((await api.store.checkConsistency()).problems).toEqual([]);
  // Otherwise what is drawn would no longer be understood, or never be refused.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 204, 400, 404, 405, 409]));
});

/** The email is always the same one, so one client was created, whatever was cut off, repeated or not waited for. */
const clientsOf = async ({ call }: ApiCaller) => (await call('GET', '/api/v1/clients-list/')).data.total_count;

async function statusesOf(address: string, connection: DrawnConnection, what: string): Promise<number[]> {
  const answers = splitAnswers(await exchange(address, connection, what));
  for (const { status, type, body } of answers) {
    expect(status, `${what}\n${body}`).toBeLessThan(500);
    if (status < 400) continue;
    expect(type, what).toBe('application/json; charset=utf-8');
    const parsed = JSON.parse(body);
    expect([...Value.Errors(FailureEnvelope, parsed)], what).toEqual([]);
    expect(parsed.status_code, what).toBe(status);
  }
  return answers.map(({ status }) => status);
}

/** Sends the parts and returns everything that came back until the connection was closed. */
function exchange(address: string, { parts, ending }: DrawnConnection, what: string): Promise<Buffer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.setTimeout(ANSWERED_WITHIN_MS, () => socket.destroy(new Error(`not closed: ${what}`)));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    // The service may close a connection while more is being sent.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part);
        await sleep(PAUSE_MS);
      }
      if (ending === 'wait') await sleep(10 * PAUSE_MS);
      if (ending === 'break off') socket.resetAndDestroy();
      else socket.end();
    });
  });
}
