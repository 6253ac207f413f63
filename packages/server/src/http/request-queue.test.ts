import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RequestQueue } from './request-queue.ts';

interface Seen {
  caller: string;
  waitedMs: number;
  isRefused: boolean;
}

/** Passes as between two requests that Node has read. */
const nextRequest = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** When most of the work of an answer is done. In the service, many answers wait for the same look at the database. */
const WORK = {
  'at once': () => Promise.resolve(),
  'after one look at the database': () => turnOfTheLoop(),
};

/** A queue whose time passes only while it answers requests: a millisecond for each, and a tenth for each that it refuses. */
function newQueueOf(work: () => Promise<unknown>) {
  const time = { now: 0 };
  const seen: Seen[] = [];
  const queue = new RequestQueue({ now: () => time.now });
  const send = async (count: number, caller: string, connections: object[] = []) => {
    for (let each = 0; each < count; each++) {
      const sentAt = time.now;
      queue.add(
        () => caller,
        connections[each] ?? {},
        async (isRefused) => {
          seen.push({ caller, waitedMs: time.now - sentAt, isRefused });
          if (!isRefused) await work();
          time.now += isRefused ? 0.1 : 1;
        },
      );
      await nextRequest();
    }
  };
  const until = async (isDone: () => boolean) => {
    for (let turns = 0; turns < 10_000 && !isDone(); turns++) await turnOfTheLoop();
  };
  return { queue, time, seen, send, until };
}

const callersOf = (seen: readonly Seen[]) => seen.map(({ caller }) => caller);

describe.each(Object.entries(WORK))('where most of the work is done %s', (_, work) => {
  const newQueue = () => newQueueOf(work);

  test('requests that can be answered within a turn are answered at once', async () => {
    const { seen, send } = newQueue();
    await send(2, 'a');
    expect(seen).toHaveLength(2);
  });

  test('a burst of requests is answered in full', async () => {
    const { seen, send, until } = newQueue();
    await send(90, 'a');
    expect(seen.length).toBeLessThan(10);
    await until(() => seen.length === 90);
    expect(seen.filter(({ isRefused }) => isRefused)).toEqual([]);
  });

  test('a caller that sends one request does not wait for those of another that sends many', async () => {
    const { seen, send, until } = newQueue();
    await send(90, 'noisy');
    await send(1, 'quiet');
    expect(callersOf(seen)).toContain('quiet');
    await turnOfTheLoop();
    await send(1, 'another');
    expect(callersOf(seen)).toContain('another');
    await until(() => seen.length === 92);
  });

  test('callers that wait take turns', async () => {
    const { seen, send, until } = newQueue();
    for (const caller of ['a', 'b', 'c']) await send(20, caller);
    await until(() => seen.length === 60);
    const [waited] = [seen.slice(10, 40)];
    for (const caller of ['a', 'b', 'c']) {
      const turns = callersOf(waited).filter((each) => each === caller).length;
      expect(turns).toBeGreaterThanOrEqual(9);
      expect(turns).toBeLessThanOrEqual(11);
    }
  });

  test('requests of one caller are answered in the order in which they arrived', async () => {
    const { seen, send, until } = newQueue();
    await send(30, 'a');
    await until(() => seen.length === 30);
    const waits = seen.map(({ waitedMs }) => waitedMs);
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
  });

  test('however many callers there are, a turn is bounded', async () => {
    const { seen, time, send } = newQueue();
    for (let caller = 0; caller < 1000; caller++) await send(1, `caller ${caller}`);
    expect(seen.length).toBeLessThan(20);
    await turnOfTheLoop();
    expect(time.now).toBeLessThan(20);
  });

  test('when more arrives than can be answered, some is refused, and the rest is answered almost at once', async () => {
    const { queue, seen, time, send } = newQueue();
    let sentUntil = 0;
    while (time.now < 2000) {
      // Two for each millisecond.
      const due = Math.floor(2 * (time.now - sentUntil)) || 1;
      sentUntil = time.now;
      await send(due, 'a');
      await turnOfTheLoop();
    }
    const later = seen.slice(seen.length / 2);
    const accepted = later.filter(({ isRefused }) => !isRefused);
    expect(accepted.length / later.length).toBeGreaterThan(0.3);
    expect(Math.max(...accepted.map(({ waitedMs }) => waitedMs))).toBeLessThanOrEqual(5);
    expect(queue.refused).toBe(seen.filter(({ isRefused }) => isRefused).length);
  });

  test('the rest is also answered almost at once if a caller takes the connection that became free last', async () => {
    const { queue, seen, time } = newQueue();
    const free = Array.from({ length: 200 }, () => ({}));
    const due: number[] = [];
    const waits: number[] = [];
    const send = (dueAt: number, connection: object) =>
      queue.add(
        () => 'a',
        connection,
        async (isRefused) => {
          seen.push({ caller: 'a', waitedMs: time.now - dueAt, isRefused });
          if (!isRefused) waits.push(time.now - dueAt);
          await Promise.resolve();
          time.now += isRefused ? 0.1 : 1;
          free.push(connection);
        },
      );
    // Two for each millisecond.
    for (let sent = 0; time.now < 10_000; await turnOfTheLoop()) {
      if (free.length === 200) time.now += 0.5;
      for (; sent < 2 * time.now; sent++) due.push(sent / 2);
      for (; due.length > 0 && free.length > 0; await nextRequest()) send(due.shift() ?? 0, free.pop() ?? {});
    }
    const later = waits.slice(waits.length / 4).sort((one, other) => one - other);
    expect(later.length).toBeGreaterThan(4000);
    expect(later[Math.floor(0.5 * later.length)]).toBeLessThanOrEqual(3);
    expect(later[Math.floor(0.99 * later.length)]).toBeLessThanOrEqual(12);
  });

  test('while one caller sends too much, another is neither refused nor delayed', async () => {
    const { seen, time, send } = newQueue();
    let sentUntil = 0;
    while (time.now < 2000) {
      const due = Math.floor(3 * (time.now - sentUntil)) || 1;
      sentUntil = time.now;
      await send(due, 'noisy');
      await send(1, 'quiet');
      await turnOfTheLoop();
    }
    const quiet = seen.filter(({ caller }) => caller === 'quiet');
    expect(quiet.length).toBeGreaterThan(100);
    for (const { isRefused, waitedMs } of quiet) expect([isRefused, waitedMs <= 5]).toEqual([false, true]);
    expect(seen.some(({ isRefused }) => isRefused)).toBe(true);
  });

  test('a caller that has few connections is never refused, however long each answer takes', async () => {
    const { seen, time, send } = newQueue();
    await send(10, 'a');
    for (let answered = 0; seen.length < 500; ) {
      time.now += 20;
      await turnOfTheLoop();
      // As soon as a connection has its answer, it sends the next request.
      const more = seen.length - answered;
      answered = seen.length;
      await send(more, 'a');
    }
    expect(Math.max(...seen.map(({ waitedMs }) => waitedMs))).toBeGreaterThan(50);
    expect(seen.filter(({ isRefused }) => isRefused)).toEqual([]);
  });

  test('a caller with few connections is answered again after a burst of others, although it tries again at once', async () => {
    const { seen, time, send, until } = newQueue();
    await send(2000, 'a');
    await until(() => seen.length === 2000);
    const connections = Array.from({ length: 10 }, () => ({}));
    await send(10, 'b', connections);
    for (let answered = 2000; seen.length < 3000; ) {
      time.now += 20;
      await turnOfTheLoop();
      const more = seen.length - answered;
      answered = seen.length;
      await send(more, 'b', connections);
    }
    const refused = seen.slice(2000).map(({ isRefused }) => isRefused);
    expect(refused.slice(0, 50)).toContain(true);
    expect(refused.slice(-900)).not.toContain(true);
  });

  test('after an overload, bursts with pauses between them are answered in full', async () => {
    const { seen, time, send, until } = newQueue();
    await send(2000, 'a');
    await until(() => seen.length === 2000);
    expect(seen.some(({ isRefused }) => isRefused)).toBe(true);
    seen.length = 0;
    for (let burst = 1; burst <= 5; burst++) {
      time.now += 400;
      await send(60, 'a');
      await until(() => seen.length === 60 * burst);
    }
    expect(seen.filter(({ isRefused }) => isRefused)).toEqual([]);
  });

  test('when the load is gone, everything is answered again', async () => {
    const { seen, time, send, until } = newQueue();
    await send(2000, 'a');
    await until(() => seen.length === 2000);
    expect(seen.some(({ isRefused }) => isRefused)).toBe(true);
    time.now += 700;
    seen.length = 0;
    await send(90, 'a');
    await until(() => seen.length === 90);
    expect(seen.filter(({ isRefused }) => isRefused)).toEqual([]);
  });
});
