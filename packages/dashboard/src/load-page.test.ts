import { expect, test } from 'vitest';
import { sameOriginUrl } from './load-page.ts';

const OWN = 'https://own.example';

test.each([
  '//evil.example/',
  '///evil.example/',
  '////evil.example/',
  '\\\\evil.example/',
  '/\\evil.example/',
  '\\/evil.example/',
  '/\t/evil.example/',
  '\t//evil.example/',
  '/\n/evil.example/',
  '/\r\\evil.example/',
  ' //evil.example/',
  '\u0000//evil.example/',
  'https://evil.example/',
  'HTTPS:\\\\evil.example/',
  'http:evil.example',
  'http://own.example/',
  'https://own.example:8443/',
  'https://own.example.evil.example/',
  'https://own.example@evil.example/',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://own.example/%0aalert(1)',
  'data:text/html,x',
  'blob:https://own.example/1-2-3',
  'view-source:https://own.example/',
  'https://[',
  '//',
])('%j leads to the home page', (address) => {
  expect(sameOriginUrl(address, OWN)).toBe(`${OWN}/`);
});

test.each([
  ['/sandbox/clients?status=completed&page=2#x', '/sandbox/clients?status=completed&page=2#x'],
  ['https://own.example/production/groups', '/production/groups'],
  ['https://somebody:secret@own.example/production/groups', '/production/groups'],
  ['//own.example/production/groups', '/production/groups'],
  ['https:production/groups', '/production/groups'],
  ['production/groups', '/production/groups'],
  ['', '/'],
  ['/.//evil.example/', '//evil.example/'],
  ['/%2F/evil.example/', '/%2F/evil.example/'],
  ['%2F%2Fevil.example', '/%2F%2Fevil.example'],
  ['/%5Cevil.example', '/%5Cevil.example'],
  ['https://own.example\\@evil.example/', '/@evil.example/'],
])('%j stays on this site', (address, path) => {
  expect(sameOriginUrl(address, OWN)).toBe(OWN + path);
});

test('every page load goes through loadPage', () => {
  const files = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./load-page*'], {
    eager: true,
    query: 'raw',
    import: 'default',
  });
  const sinks = /location\.(assign|replace)\(|location(\.href)?\s*=[^=]|window\.open\(/;
  expect(Object.keys(files).length).toBeGreaterThan(50);
  expect(Object.keys(files).filter((file) => sinks.test(files[file] ?? ''))).toEqual([]);
});
