import { expect, test } from 'vitest';
import { SignInAttempts } from './sign-in-attempts.ts';

const NOW = 1_763_164_954_692;

test('the failures of an email are not forgotten, however many other emails are tried in the meantime', () => {
  const attempts = new SignInAttempts();
  const guess = () => attempts.begin('victim@firm.example', '192.0.2.1', NOW);
  for (let failure = 0; failure < 6; failure++) guess();
  for (let other = 0; other < 25_000; other++) {
    attempts.begin(`other${other}@firm.example`, `2001:db8:${other.toString(16)}::1`, NOW);
    if (other % 1000 === 0) expect(guess).toThrow('Too many failed attempts');
  }
  expect(guess).toThrow('Too many failed attempts');
});

test('the addresses that one IPv6 subscriber can use count as one, and another subscriber is not slowed down', () => {
  const attempts = new SignInAttempts();
  const guess = (address: string, number: number) => attempts.begin(`member${number}@firm.example`, address, NOW);
  for (let number = 0; number < 6; number++) guess(`2001:db8:0:7::${number + 1}`, number);
  expect(() => guess('2001:db8:0:7:ffff::1', 6)).toThrow('Too many failed attempts');
  expect(() => guess('2001:db8:0:8::1', 7)).not.toThrow();
});
