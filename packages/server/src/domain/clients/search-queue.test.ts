import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { SearchQueue } from './search-queue.ts';

const LIMITS = { atOnce: 2, waitingPerMember: 2, waitingInAll: 3, waitMs: 60_000 };
const NEVER = new AbortController().signal;
const [ADA, BOB, CEM] = [1, 2, 3];

/** Searches that run until they are ended, and the names of those that have begun. */
function open(limits = LIMITS) {
  const queue = new SearchQueue(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const search = (memberId: number, name: string, left = NEVER) =>
    queue.run(memberId, left, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { search, end, begun };
}

test('one search per member and a few in total run at the same time, and all of them run in the end', async () => {
  const { search, end, begun } = open();
  const all = [search(ADA, 'a1'), search(ADA, 'a2'), search(BOB, 'b1'), search(CEM, 'c1')];
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  // Ada was earlier in the queue, but is already searching.
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  await end('a2');
  await end('c1');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('a search that leaves the queue never begins, and the next one does', async () => {
  const { search, end, begun } = open();
  const reason = new Failure('conflict', 'gone');
  const caller = new AbortController();
  const first = search(ADA, 'a1');
  const left = search(ADA, 'a2', caller.signal);
  const last = search(ADA, 'a3');
  caller.abort(reason);
  await expect(left).rejects.toBe(reason);
  await end('a1');
  expect(begun).toEqual(['a1', 'a3']);
  await end('a3');
  expect(await Promise.all([first, last])).toEqual(['a1', 'a3']);
  await expect(search(ADA, 'a4', AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('a search that fails lets the next one begin', async () => {
  const queue = new SearchQueue(LIMITS);
  const broken = () => Promise.reject(new Error('broken'));
  await expect(queue.run(ADA, NEVER, broken)).rejects.toThrow('broken');
  expect(await queue.run(ADA, NEVER, async () => 'found')).toBe('found');
});

test('the number of waiting searches and their waiting time are limited', async () => {
  const { search, end } = open();
  const all = [search(ADA, 'a1'), search(ADA, 'a2'), search(ADA, 'a3')];
  await expect(search(ADA, 'a4')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  all.push(search(BOB, 'b1'), search(BOB, 'b2'));
  await expect(search(CEM, 'c1')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);

  const impatient = open({ ...LIMITS, waitMs: 20 });
  const first = impatient.search(ADA, 'a1');
  await expect(impatient.search(ADA, 'a2')).rejects.toMatchObject({ code: 'unavailable' });
  expect(impatient.begun).toEqual(['a1']);
  await impatient.end('a1');
  await first;
});
