import { expect, test } from 'vitest';
import { isThisMachine } from './this-machine.ts';

test('a link that works on one machine only is told from one that can be sent to others', () => {
  const local = ['http://localhost:8082', 'http://firm.localhost', 'http://127.0.0.1:8082', 'http://[::1]:8082'];
  expect(local.map((address) => isThisMachine(new URL(address).hostname))).toEqual([true, true, true, true]);
  const others = ['https://rollcall.firm.example', 'http://10.0.0.7:8082', 'https://127.0.0.1.firm.example'];
  expect(others.map((address) => isThisMachine(new URL(address).hostname))).toEqual([false, false, false]);
});
