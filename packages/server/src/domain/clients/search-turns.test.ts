import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { SearchTurns } from './search-turns.ts';

const LIMITS = { atOnce: 2, waitingPerMember: 2, waitingInAll: 3, waitMs: 60_000 };
const NEVER = new AbortController().signal;
const [ADA, BOB, CEM] = [1, 2, 3];

/** Searches that last until they are told to end, and the names of those that have begun. */
function open(limits = LIMITS) {
  const turns = new SearchTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const search = (memberId: number, name: string, left = NEVER) =>
    turns.take(memberId, left, async () => {
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

test('a member searches once at a time, few members at the same time, and all get their turn', async () => {
  const { search, end, begun } = open();
  const all = [search(ADA, 'a1'), search(ADA, 'a2'), search(BOB, 'b1'), search(CEM, 'c1')];
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  // Ada came earlier, but is searching already.
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  await end('a2');
  await end('c1');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('who leaves the queue never begins, and who comes next does', async () => {
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

test('a search that fails gives its turn away', async () => {
  const turns = new SearchTurns(LIMITS);
  const broken = () => Promise.reject(new Error('broken'));
  await expect(turns.take(ADA, NEVER, broken)).rejects.toThrow('broken');
  expect(await turns.take(ADA, NEVER, async () => 'found')).toBe('found');
});

test('only so many wait, and not for long', async () => {
  const { search } = open();
  const waiting = [search(ADA, 'a1'), search(ADA, 'a2'), search(ADA, 'a3')];
  await expect(search(ADA, 'a4')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  waiting.push(search(BOB, 'b1'), search(BOB, 'b2'));
  await expect(search(CEM, 'c1')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });

  const impatient = open({ ...LIMITS, waitMs: 20 });
  impatient.search(ADA, 'a1');
  await expect(impatient.search(ADA, 'a2')).rejects.toMatchObject({ code: 'unavailable' });
  expect(impatient.begun).toEqual(['a1']);
});
