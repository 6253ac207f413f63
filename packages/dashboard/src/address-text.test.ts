import { expect, test } from 'vitest';
import { addressText } from './address-text.ts';

test.each(['::1', '127.0.0.1', '127.8.0.1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
  expect(addressText(address)).toBe('this machine');
});

test.each(['203.0.113.7', '2001:db8::1', '::ffff:203.0.113.7', '12.127.0.1'])('%s is shown as it is', (address) => {
  expect(addressText(address)).toBe(address);
});
