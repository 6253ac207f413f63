import { expect, test } from 'vitest';
import { expectMoreTyping, isTypedOn } from './typed-on.ts';

const press = (key: string, timeStamp: number) => isTypedOn({ key, timeStamp });

test('what is typed on after a reason was sent belongs to it, until nothing has been typed for a moment', () => {
  expectMoreTyping(10_000);
  const typed = [...' and checked', 'Enter', 'd'].map((key, index) => press(key, 10_100 + 200 * index));
  expect(typed).not.toContain(false);
  expect(press('c', 14_000)).toBe(false);
  expect(press('Enter', 14_001)).toBe(false);
});

test.each(['ArrowDown', 'Escape', 'Tab'])('%s is no text and works at once', (key) => {
  expectMoreTyping(20_000);
  expect(press(key, 20_001)).toBe(false);
});
