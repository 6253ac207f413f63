import { expect, test } from 'vitest';
import { Overload } from './overload.ts';

/** Something that has waited for this time, among many others, each on a connection of its own. */
const waited = (waitMs: number, { isAlone = false, stillWaiting = 100, connection = {} } = {}) => ({
  waitMs,
  isAlone,
  stillWaiting,
  connection,
});

/** Asks every ten milliseconds, about what has waited for the same time. Returns how much was refused. */
function refusals(overload: Overload, waitMs: number, { from, to }: { from: number; to: number }): number {
  let refused = 0;
  for (let now = from; now <= to; now += 10) if (overload.refuses(waited(waitMs), now)) refused++;
  return refused;
}

test('nothing is refused as long as waits are short', () => {
  expect(refusals(new Overload(), 49, { from: 0, to: 5000 })).toBe(0);
});

test('a burst that is over within a fifth of a second is waited for', () => {
  const overload = new Overload();
  for (let waitMs = 0; waitMs < 200; waitMs += 10) expect(overload.refuses(waited(waitMs), waitMs)).toBe(false);
});

test('bursts are waited for when nothing was waiting between them', () => {
  const overload = new Overload();
  for (let from = 0; from < 5000; from += 200) {
    overload.reportEmpty(from);
    for (let waitMs = 0; waitMs < 200; waitMs += 10)
      expect(overload.refuses(waited(waitMs), from + waitMs)).toBe(false);
  }
});

test('when waits are long and nothing has been empty for a fifth of a second, only what has hardly waited is accepted', () => {
  const overload = new Overload();
  expect(overload.refuses(waited(60), 60)).toBe(false);
  expect(overload.refuses(waited(60), 199)).toBe(false);
  expect(overload.refuses(waited(60), 200)).toBe(true);
  expect(overload.refuses(waited(6), 201)).toBe(true);
  expect(overload.refuses(waited(4), 202)).toBe(false);
  expect(overload.refused).toBe(2);
});

test('refusals go on while waits are short because of them, and end when none was needed for a tenth of a second', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 250 });
  expect(refusals(overload, 9, { from: 260, to: 2000 })).toBe(175);
  expect(overload.refuses(waited(4), 2050)).toBe(false);
  expect(overload.refuses(waited(9), 2060)).toBe(true);
  expect(overload.refuses(waited(4), 2161)).toBe(false);
  expect(overload.refuses(waited(9), 2162)).toBe(false);
});

test('an overload is forgotten when nothing waits any more', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 250 });
  overload.reportEmpty(300);
  expect(overload.refuses(waited(9), 301)).toBe(true);
  overload.reportEmpty(500);
  expect(overload.refuses(waited(9), 501)).toBe(false);
});

test('under overload, what waits alone is refused later than what waits with more of the same caller', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 250 });
  expect(overload.refuses(waited(30), 260)).toBe(true);
  expect(overload.refuses(waited(30, { isAlone: true }), 261)).toBe(false);
  expect(overload.refuses(waited(51, { isAlone: true }), 262)).toBe(true);
});

test('few that wait are never refused, however slow everything is, and many are', () => {
  const overload = new Overload();
  for (let now = 500; now < 5000; now += 500) {
    expect(overload.refuses(waited(500, { stillWaiting: 15 }), now)).toBe(false);
  }
  expect(overload.refuses(waited(500, { stillWaiting: 16 }), 5000)).toBe(true);
});

test('an overload is over when only few connections are left, even if they try again at once', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 250 });
  const connections = Array.from({ length: 15 }, () => ({}));
  const refused = Array.from({ length: 100 }, (_, index) =>
    overload.refuses(waited(60, { stillWaiting: 14, connection: connections[index % 15] ?? {} }), 260 + index),
  );
  expect(refused.slice(0, 10)).toContain(true);
  expect(refused.slice(64)).not.toContain(true);
});

test('what came during an earlier overload does not end a later one', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 200 });
  const connection = {};
  for (let now = 201; now < 231; now++) overload.refuses(waited(4, { connection }), now);
  overload.reportEmpty(400);
  // Refused from the first one on, at 1600.
  expect(refusals(overload, 60, { from: 1460, to: 1650 })).toBe(6);
});

test('for half a second after its end, an overload begins again as soon as many wait for longer than what is accepted', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 250 });
  expect(overload.refuses(waited(4), 360)).toBe(false);
  overload.reportEmpty(400);
  expect(overload.refuses(waited(9), 410)).toBe(false);
  expect(overload.refuses(waited(20, { stillWaiting: 15 }), 420)).toBe(false);
  expect(overload.refuses(waited(10), 430)).toBe(true);
  expect(overload.refuses(waited(4), 540)).toBe(false);
  expect(overload.refuses(waited(10), 1031)).toBe(false);
});

test('when nothing waited for a tenth of a second, an overload does not begin again before waits are long', () => {
  const overload = new Overload();
  refusals(overload, 60, { from: 60, to: 250 });
  expect(overload.refuses(waited(4), 360)).toBe(false);
  overload.reportEmpty(461);
  expect(overload.refuses(waited(49), 510)).toBe(false);
});

test('under overload, the newest come first, after those that have waited too long', () => {
  const overload = new Overload();
  expect(overload.isNewestFirst(0)).toBe(false);
  refusals(overload, 60, { from: 60, to: 250 });
  expect([overload.isNewestFirst(5), overload.isNewestFirst(6)]).toEqual([true, false]);
});
