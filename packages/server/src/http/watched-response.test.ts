import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { closeStalledConnections } from './watched-response.ts';

const IDLE_MS = 300;
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('a request that arrives while the service is busy is answered, although its connection has been idle for too long meanwhile', async () => {
  const options = { keepAliveTimeout: IDLE_MS, keepAliveTimeoutBuffer: 0 };
  const server = createServer(options, (_request, response) => void response.end('answer'));
  closeStalledConnections(server, 10_000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void caller.destroy());
  onTestFinished(() => void server.close());
  let received = '';
  caller.on('data', (data) => {
    received += data;
  });
  const answers = () => received.split('answer').length - 1;

  caller.write(REQUEST);
  await expect.poll(answers).toBe(1);
  // Nothing else runs meanwhile, as when a large answer is computed, and what is due is done before anything is read.
  setImmediate(() => {
    caller.write(REQUEST);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, IDLE_MS * 2);
  });
  await expect.poll(answers).toBe(2);
  await sleep(IDLE_MS);
  await expect
    .poll(() => caller.closed || caller.readableEnded, { message: 'idle connections are still closed' })
    .toBe(true);
});
