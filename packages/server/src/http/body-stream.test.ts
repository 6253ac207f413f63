import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bodyStream, type LeastPace } from './body-stream.ts';

/** Sends a body of so many pieces, each after a pause. Returns how many bytes arrived, or why it was refused. */
async function send(pace: LeastPace, { pieces, bytes, pauseMs }: { pieces: number; bytes: number; pauseMs: number }) {
  const outcome = Promise.withResolvers<number | string>();
  const server = createServer(async (request, response) => {
    try {
      const chunks = await Array.fromAsync(bodyStream(request, 1024 * 1024, pace));
      outcome.resolve(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    } catch (error) {
      outcome.resolve((error as Error).message);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${pieces * bytes}\r\n\r\n`);
  for (let piece = 0; piece < pieces && socket.writable; piece++) {
    await sleep(pauseMs);
    socket.write('x'.repeat(bytes));
  }
  return outcome.promise;
}

const LATE = 'Request timeout: the body did not arrive in time.';

test('a body that goes on arrives, however long it takes', async () => {
  const pace = { progressBytes: 10, progressMs: 1000, bytesPerSecond: 10 };
  expect(await send(pace, { pieces: 30, bytes: 10, pauseMs: 50 })).toBe(300);
});

test('a body of which too little arrives in a while is refused', async () => {
  const pace = { progressBytes: 1000, progressMs: 300, bytesPerSecond: 1 };
  expect(await send(pace, { pieces: 30, bytes: 10, pauseMs: 50 })).toBe(LATE);
});

test('a body that makes some progress all the time, but is too slow on average, is refused soon', async () => {
  const pace = { progressBytes: 10, progressMs: 300, bytesPerSecond: 1000 };
  expect(await send(pace, { pieces: 30, bytes: 10, pauseMs: 50 })).toBe(LATE);
});
