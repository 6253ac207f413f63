import { expect, onTestFinished, test, vi } from 'vitest';
import { Trouble, TroubleNews } from './engines/trouble.ts';
import { type Outage, OutageWatch } from './outage-watch.ts';

const FULL = new Trouble('the disk is full');
const GONE = new Trouble('the server is gone');
const BUSY = new Trouble('it is busy', { passing: true });

function aWatch() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const news = new TroubleNews();
  const database: { trouble: Trouble | undefined; writes: number } = { trouble: undefined, writes: 0 };
  const tryWriting = async () => {
    database.writes++;
    if (!database.trouble) return;
    news.tell(database.trouble);
    throw database.trouble;
  };
  const watch = new OutageWatch({ onTrouble: news.subscribe, tryWriting });
  onTestFinished(() => watch.stop());
  const told: Outage[] = [];
  watch.subscribe((outage) => told.push(outage));
  return { news, database, watch, told };
}

test('an outage is told when it begins, once for each reason, and when it ends, with how long it lasted', async () => {
  const { news, database, told } = aWatch();
  database.trouble = FULL;
  for (let each = 0; each < 100; each++) news.tell(FULL);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([{ reason: FULL.reason }]);
  news.tell(GONE);
  news.tell(FULL);
  expect(told).toEqual([{ reason: FULL.reason }, { reason: GONE.reason }]);
  database.trouble = undefined;
  await vi.advanceTimersByTimeAsync(3000);
  const all = `${FULL.reason}; ${GONE.reason}`;
  expect(told.slice(2)).toEqual([{ reason: all, endedAfterMs: expect.closeTo(11_000, -3) }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(3);
});

test('while others fail, a small write that works does not end it', async () => {
  const { news, told, watch } = aWatch();
  for (let each = 0; each < 40; each++) {
    news.tell(FULL);
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(told).toEqual([{ reason: FULL.reason }]);
  await expect(watch.requireWritable()).rejects.toBe(FULL);
});

test('what only was in the way is no outage, and is tried again a second later', async () => {
  const { news, database, told, watch } = aWatch();
  news.tell(BUSY);
  database.trouble = BUSY;
  for (let each = 0; each < 50; each++) await expect(watch.requireWritable()).rejects.toBe(BUSY);
  expect(database.writes).toBe(1);
  database.trouble = undefined;
  await vi.advanceTimersByTimeAsync(1000);
  await watch.requireWritable();
  expect(database.writes).toBe(2);
  expect(told).toEqual([]);
});

test('an outage that begins at the very moment in which another ends is over in the end, too', async () => {
  const { news, told, watch } = aWatch();
  let hasFailedAgain = false;
  watch.subscribe(({ endedAfterMs }) => {
    if (endedAfterMs === undefined || hasFailedAgain) return;
    hasFailedAgain = true;
    // When what has just been told is done, and before anything else is.
    queueMicrotask(() => news.tell(GONE));
  });
  news.tell(FULL);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told.map(({ reason }) => reason)).toEqual([FULL.reason, FULL.reason, GONE.reason, GONE.reason]);
  await watch.requireWritable();
});
