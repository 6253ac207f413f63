import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { throughProxy } from '../../../testing/tcp-proxy.ts';
import { newDatabase } from '../../../testing/test-store.ts';
import { BoundedPool, REQUEST_TIMEOUTS } from './bounded-pool.ts';

/** For tests of what happens in this time: long enough that a busy machine does something meanwhile. */
const TIMEOUT_MS = 2000;
const BUSY_MACHINE_MS = 10_000;

/** A new database at which all connections are accepted, and only those with these numbers are ever answered. */
async function answersOnly(...numbers: number[]): Promise<string> {
  let number = 0;
  return throughProxy(await newDatabase('postgres'), (inbound, open) => {
    if (!numbers.includes(++number)) return;
    const outbound = open();
    inbound.pipe(outbound).pipe(inbound);
  });
}

function openPool(url: string, size: number, connectionMs = REQUEST_TIMEOUTS.connectionMs): BoundedPool {
  const pool = new BoundedPool(url, size, { ...REQUEST_TIMEOUTS, connectionMs });
  // Not awaited, because a test that fails may not have released all connections.
  onTestFinished(() => void pool.end());
  return pool;
}

/** Connects when called, and says what became of it. */
async function connecting(pool: BoundedPool) {
  const startedAt = performance.now();
  return pool.connect().then(
    (client) => ({ client, error: undefined, waitedMs: performance.now() - startedAt }),
    (error) => ({ client: undefined, error, waitedMs: performance.now() - startedAt }),
  );
}

test('while no further connection can be opened, callers share those that there are', async () => {
  const pool = openPool(await answersOnly(1), 4);
  const ask = async () => {
    const client = await pool.connect();
    try {
      return (await client.query<{ one: number }>('select 1 as one', [])).rows;
    } finally {
      client.release();
    }
  };
  await ask();
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.allSettled(Array.from({ length: 10 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'));
  }
});

test('whoever waits gets a connection in the order of their arrival, also those for whom one is being opened', async () => {
  const pool = openPool(await answersOnly(1), 3);
  const first = await pool.connect();
  const served: number[] = [];
  const asking = [1, 2, 3, 4, 5].map(async (number) => {
    const client = await pool.connect();
    served.push(number);
    client.release();
  });
  await sleep(10);
  first.release();
  await Promise.all(asking);
  expect(served).toEqual([1, 2, 3, 4, 5]);
});

test('whoever waits is refused at their own time, also when what was opened for them went to another', async () => {
  const pool = openPool(await answersOnly(1), 2, TIMEOUT_MS);
  const first = await pool.connect();
  const second = connecting(pool);
  await sleep(TIMEOUT_MS / 2);
  const third = connecting(pool);
  await sleep(10);
  first.release();
  const { client } = await second;
  const { error, waitedMs } = await third;
  client?.release();
  expect(error).toMatchObject({ code: 'unavailable' });
  // Timers may be a millisecond early.
  expect(waitedMs).toBeGreaterThan(TIMEOUT_MS - 5);
  expect(waitedMs).toBeLessThan(TIMEOUT_MS + BUSY_MACHINE_MS);
});

test('whoever waits has a connection opened for them again when the one they rely on has failed', async () => {
  const pool = openPool(await answersOnly(1, 3), 2, TIMEOUT_MS);
  const first = await pool.connect();
  const second = connecting(pool);
  await sleep(TIMEOUT_MS / 2);
  const third = connecting(pool);
  await sleep(10);
  first.release();
  const clients = [(await second).client, (await third).client];
  for (const client of clients) client?.release();
  expect(clients.filter((client) => client)).toHaveLength(2);
});

test('a connection that is released just before somebody asks for one does not make the pool open another', async () => {
  const pool = openPool(await answersOnly(1), 3);
  const first = await pool.connect();
  const second = connecting(pool);
  await sleep(10);
  first.release();
  const third = connecting(pool);
  const { client } = await second;
  await sleep(10);
  // The first one, and the one that is being opened for the second caller.
  expect(pool.use('requests')).toMatchObject({ used: 2, idle: 0, waiting: 1 });
  client?.release();
  (await third).client?.release();
});
