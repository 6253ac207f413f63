import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NetworkList } from '../domain/network-address.ts';
import { callerAddress } from './caller-address.ts';

const PROXIES = NetworkList.parse('10.0.0.0/8, 2001:db8:ff::/48, ::1');
const PROXY = '10.0.0.1';

const xff = (...values: string[]) => values.flatMap((value) => ['X-Forwarded-For', value]);
const forwarded = (...values: string[]) => values.flatMap((value) => ['Forwarded', value]);

test.each([
  ['one proxy', xff('192.0.2.7'), '192.0.2.7'],
  ['two proxies', xff('192.0.2.7, 10.0.0.9'), '192.0.2.7'],
  ['what the caller had sent to the proxy', xff('198.51.100.1, 192.0.2.7'), '192.0.2.7'],
  ['several lines', xff('198.51.100.1', '192.0.2.7', '10.2.2.2'), '192.0.2.7'],
  ['only trusted addresses', xff('10.0.0.3, 10.0.0.2'), '10.0.0.3'],
  ['an IPv6 caller', xff('2001:DB8::7'), '2001:db8::7'],
  ['an IPv4 address in IPv6 form', xff('::ffff:192.0.2.7'), '192.0.2.7'],
  ['a port', xff('192.0.2.7:4711'), '192.0.2.7'],
  ['an IPv6 address with a port', xff('[2001:db8::7]:4711'), '2001:db8::7'],
  ['no header', [], PROXY],
  ['an empty header', xff(''), PROXY],
  ['garbage', xff('unknown'), PROXY],
  ['garbage before a trusted proxy', xff('192.0.2.7, _hidden, 10.0.0.2'), '10.0.0.2'],
  ['an address that does not exist', xff('192.0.2.300'), PROXY],
  ['Forwarded', forwarded('for=192.0.2.7;proto=https;by=10.0.0.1'), '192.0.2.7'],
  ['Forwarded with other parameters first', forwarded('proto=https; FOR="192.0.2.7:80"'), '192.0.2.7'],
  ['Forwarded with IPv6', forwarded('for="[2001:db8::7]:4711", for=10.0.0.2'), '2001:db8::7'],
  ['Forwarded with a hidden caller', forwarded('for=_secret, for=10.0.0.2'), '10.0.0.2'],
  ['Forwarded with two callers in one element', forwarded('for=192.0.2.7;for=192.0.2.8'), PROXY],
  ['Forwarded without a caller', forwarded('proto=https'), PROXY],
  ['Forwarded with an open quote of the caller', forwarded('for="', 'for=192.0.2.7'), '192.0.2.7'],
  [
    'Forwarded with a host name that pretends to be an element',
    forwarded('for=192.0.2.7;host="a\\",for=198.51.100.1;x=\\"b"'),
    '192.0.2.7',
  ],
  ['both headers', [...forwarded('for=198.51.100.1'), ...xff('192.0.2.7')], '192.0.2.7'],
])('behind a trusted proxy the caller is found with %s', (_, headers, expected) => {
  expect(callerAddress(PROXY, headers, PROXIES)).toBe(expected);
});

test('headers of a caller that is not a trusted proxy are ignored, whatever they contain', () => {
  const value = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('unknown', '10.0.0.1', 'for=10.0.0.1', '"', ''));
  const name = fc.constantFrom('X-Forwarded-For', 'x-forwarded-for', 'Forwarded', 'X-Real-IP', 'Via');
  const headers = fc.array(fc.tuple(name, value)).map((pairs) => pairs.flat());
  const property = fc.property(headers, (sent) => {
    expect(callerAddress('::ffff:192.0.2.7', sent, PROXIES)).toBe('192.0.2.7');
    expect(callerAddress(PROXY, sent, NetworkList.parse(''))).toBe(PROXY);
  });
  fc.assert(property);
});

test('whatever a caller sends to the proxy, the address that the proxy adds is the one that counts', () => {
  const forged = fc.oneof(fc.string(), fc.ipV4(), fc.constantFrom('"', '\\"', ',', 'for="', 'unknown', '10.0.0.1,'));
  const property = fc.property(fc.array(forged), fc.boolean(), (lines, inOneLine) => {
    const usual = inOneLine ? [[...lines, '192.0.2.7'].join(', ')] : [...lines, '192.0.2.7'];
    expect(callerAddress(PROXY, xff(...usual), PROXIES)).toBe('192.0.2.7');
    const standard = inOneLine ? [[...lines, 'for=192.0.2.7'].join(', ')] : [...lines, 'for=192.0.2.7'];
    expect(callerAddress(PROXY, forwarded(...standard), PROXIES)).toBe('192.0.2.7');
  });
  fc.assert(property);
});

test('of a chain that is far too long, only the end is read', () => {
  const chain = xff(['192.0.2.7', ...Array<string>(3000).fill('10.0.0.2')].join(','));
  expect(callerAddress(PROXY, chain, PROXIES)).toBe('10.0.0.2');
  expect(callerAddress(PROXY, xff(`${','.repeat(16_000)}192.0.2.7`), PROXIES)).toBe('192.0.2.7');
  expect(callerAddress(PROXY, forwarded(`${'\\"'.repeat(8000)},for=192.0.2.7`), PROXIES)).toBe('192.0.2.7');
});

test('a connection that has been closed has no address', () => {
  expect(callerAddress('', xff('192.0.2.7'), PROXIES)).toBe('');
});
