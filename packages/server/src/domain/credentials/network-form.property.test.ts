import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NetworkList } from '../network-address.ts';
import { isNetwork } from './network-form.ts';

function isParsed(text: string): boolean {
  try {
    return NetworkList.parse(text).networks.length === 1;
  } catch {
    return false;
  }
}

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.ipV4().map((inner) => `::ffff:${inner}`),
  fc.string({ unit: fc.constantFrom('0', '1', 'f', 'F', ':', '::', '.', '255', '256'), maxLength: 12 }),
  fc.constantFrom(
    '::',
    '::ffff:a00:1',
    '::FFFF:10.0.0.1',
    '1:2:3:4:5:6:7::',
    '::1.2.3.04',
    '1.2.3',
    '1.2.3.4.',
    'fe80::1%eth0',
  ),
);
const bits = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 0, max: 140 }).map((number) => `/${number}`),
  fc.constantFrom('/', '/008', '/-1', '/1/2', '/x', ' '),
);

test('the browser accepts exactly the addresses and networks that the service accepts', () => {
  fc.assert(
    fc.property(fc.tuple(address, bits), (parts) => {
      const text = parts.join('');
      expect(isNetwork(text), text).toBe(isParsed(text));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  '',
  ' ',
  ',',
  'localhost',
  '10.0.0.1,10.0.0.2',
  '[::1]',
  '::1]@x',
  '1\n0.0.0.1',
  '10.0.0.0/33',
  '::ffff:10.0.0.1/33',
])('%j is not one address or network', (text) => {
  expect(isNetwork(text)).toBe(false);
});
