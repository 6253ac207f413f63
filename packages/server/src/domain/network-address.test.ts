import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callerNetwork, NetworkList, normaliseAddress } from './network-address.ts';

describe('an address', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:0DB8::0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('that is written %s is %s', (text, expected) => {
    expect(normaliseAddress(text)).toBe(expected);
  });

  test.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '1.2.3.4:80',
    '[::1]',
    '::ffff:999.1.1.1',
    '12345::',
    '_hidden',
  ])('cannot be "%s"', (text) => {
    expect(normaliseAddress(text)).toBeUndefined();
  });

  test('has one spelling, however it was written', () => {
    const property = fc.property(fc.ipV6(), (text) => {
      const normal = normaliseAddress(text) ?? '';
      expect(normaliseAddress(normal)).toBe(normal);
      expect(normaliseAddress(text.toUpperCase())).toBe(normal);
    });
    fc.assert(property);
  });

  test('is counted alone if it is IPv4, and with the other addresses of its /64 if it is IPv6', () => {
    expect(callerNetwork('192.0.2.7')).toBe('192.0.2.7');
    expect(callerNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(callerNetwork('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64');
    expect(callerNetwork('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(callerNetwork('::1')).toBe('0:0:0:0::/64');
  });
});

describe('a list of networks', () => {
  const list = NetworkList.parse(' 10.0.0.0/8, 192.0.2.7 ,2001:DB8::/32,');

  test.each(['10.0.0.0', '10.255.255.255', '192.0.2.7', '2001:db8:ffff::1'])('has %s', (address) => {
    expect(list.has(address)).toBe(true);
  });

  test.each(['9.255.255.255', '11.0.0.0', '192.0.2.8', '2001:db9::', '::1', '', 'a name'])(
    'has not "%s"',
    (address) => {
      expect(list.has(address)).toBe(false);
    },
  );

  test('says what it contains, each network in one spelling', () => {
    expect(list.networks).toEqual(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
    expect(NetworkList.parse(' ').isEmpty).toBe(true);
  });

  test('takes a network with no bits as all addresses of its family, and of no other', () => {
    expect(NetworkList.parse('0.0.0.0/0').has('203.0.113.9')).toBe(true);
    expect(NetworkList.parse('0.0.0.0/0').has('2001:db8::1')).toBe(false);
    expect(NetworkList.parse('::/0').has('2001:db8::1')).toBe(true);
    for (const network of ['::/0', '::1/64', '::1/80', '::/48']) {
      expect(NetworkList.parse(network).has('203.0.113.9'), network).toBe(false);
    }
  });

  test.each(['', ' ', ',', '10.0.0.1,'])('made of single networks has no place for "%s"', (item) => {
    expect(() => NetworkList.from(['10.0.0.2', item])).toThrow('is not an IP address or a network');
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    'intranet',
    '10.0.0.0/-1',
    '10.0.0.0/8.5',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0',
  ])('refuses "%s" by its name', (text) => {
    expect(() => NetworkList.parse(`10.0.0.1,${text}`)).toThrow(`"${text}" is not an IP address or a network`);
  });
});
