import { expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailable, UnavailableEvents } from './engines/database-unavailable.ts';
import { type Outage, OutageMonitor } from './outage-monitor.ts';

const FULL = new DatabaseUnavailable('the disk is full');
const GONE = new DatabaseUnavailable('the server is gone');
const BUSY = new DatabaseUnavailable('it is busy', { isTransient: true });

function aMonitor() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const events = new UnavailableEvents();
  const database: { failure: DatabaseUnavailable | undefined; writes: number } = { failure: undefined, writes: 0 };
  const tryWriting = async () => {
    database.writes++;
    if (!database.failure) return;
    events.emit(database.failure);
    throw database.failure;
  };
  const monitor = new OutageMonitor({ onUnavailable: events.subscribe, tryWriting });
  onTestFinished(() => monitor.stop());
  const reported: Outage[] = [];
  monitor.subscribe((outage) => reported.push(outage));
  return { events, database, monitor, reported };
}

test('an outage is reported when it begins, once for each reason, and when it ends, with its duration', async () => {
  const { events, database, reported } = aMonitor();
  database.failure = FULL;
  for (let each = 0; each < 100; each++) events.emit(FULL);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reported).toEqual([{ reason: FULL.reason }]);
  events.emit(GONE);
  events.emit(FULL);
  expect(reported).toEqual([{ reason: FULL.reason }, { reason: GONE.reason }]);
  database.failure = undefined;
  await vi.advanceTimersByTimeAsync(3000);
  const all = `${FULL.reason}; ${GONE.reason}`;
  expect(reported.slice(2)).toEqual([{ reason: all, endedAfterMs: expect.closeTo(11_000, -3) }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reported).toHaveLength(3);
});

test('while other writes fail, a successful small write does not end the outage', async () => {
  const { events, reported, monitor } = aMonitor();
  for (let each = 0; each < 40; each++) {
    events.emit(FULL);
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(reported).toEqual([{ reason: FULL.reason }]);
  await expect(monitor.requireWritable()).rejects.toBe(FULL);
});

test('a transient failure is not an outage, and is tried again a second later', async () => {
  const { events, database, reported, monitor } = aMonitor();
  events.emit(BUSY);
  database.failure = BUSY;
  for (let each = 0; each < 50; each++) await expect(monitor.requireWritable()).rejects.toBe(BUSY);
  expect(database.writes).toBe(1);
  database.failure = undefined;
  await vi.advanceTimersByTimeAsync(1000);
  await monitor.requireWritable();
  expect(database.writes).toBe(2);
  expect(reported).toEqual([]);
});

test('an outage that begins at the same moment as another one ends is ended as well', async () => {
  const { events, reported, monitor } = aMonitor();
  let hasFailedAgain = false;
  monitor.subscribe(({ endedAfterMs }) => {
    if (endedAfterMs === undefined || hasFailedAgain) return;
    hasFailedAgain = true;
    // After the current notification, and before anything else.
    queueMicrotask(() => events.emit(GONE));
  });
  events.emit(FULL);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reported.map(({ reason }) => reason)).toEqual([FULL.reason, FULL.reason, GONE.reason, GONE.reason]);
  await monitor.requireWritable();
});
