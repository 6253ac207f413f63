import { expect, test } from 'vitest';
import { nextQuery } from './next-page.ts';

const page = { page_number: 2, total_count: 25, page_limit: 10, total_pages: 3, results: [] };

test.each([
  ['</api/v1/clients-list/?cursor=abc&page_limit=10>; rel="next"', 'cursor=abc&page_limit=10'],
  ['<http://[broken/?cursor=abc#part>; rel="next"', 'cursor=abc'],
  ['<https://other.example/x?cursor=a%2Bb>; rel=next', 'cursor=a%2Bb'],
  ['<?page_no=1>; rel="first", <?cursor=p>; rel="prev", <?cursor=n>; rel="next", <?page_no=9>; rel="last"', 'cursor=n'],
  ['<?cursor=n>; title="a, b"; REL="last next"', 'cursor=n'],
  ['<?page_no=1>; rel="first", <?cursor=p>; rel="prev"', undefined],
  ['<?cursor=x>; rel="nextish"', undefined],
  ['', undefined],
])('the link %s leads to %s', (link, expected) => {
  expect(nextQuery(new URLSearchParams('page_no=2'), page, link)?.toString()).toBe(expected);
});

test('without links, the next page has the next number, and none follows the last page', () => {
  const query = new URLSearchParams('page_limit=10&group_name=A');
  expect(nextQuery(query, page, null)?.toString()).toBe('page_limit=10&group_name=A&page_no=3');
  expect(nextQuery(query, { ...page, page_number: 3 }, null)).toBeUndefined();
  expect(nextQuery(new URLSearchParams('cursor=x'), page, null)).toBeUndefined();
});
