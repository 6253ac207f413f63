import { expect, test } from 'vitest';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { filterTexts } from './filter-texts.ts';
import { clientFilters } from './queries.ts';
import { type ClientsSearch, notUnderstood, parseClientsSearch } from './search.ts';
import { isSameView, toSearch, toViewFilters } from './view-filters.ts';

const NORTH = '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90';
const SOUTH = '1c9f7a1b-4d8e-4a1f-8b62-6a7e3a2d8fa1';
const GROUPS = [
  { group_token: NORTH, group_name: 'North' },
  { group_token: SOUTH, group_name: 'South' },
] as CountedGroup[];

const given = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(parseClientsSearch(query)).filter(([, value]) => value !== undefined));

test.each([
  [{ status: 'declined,pending,pending' }, { status: 'pending,declined' }],
  [{ status: 'bogus' }, {}],
  [{ status: 'requested,accepted,pending,completed,declined' }, {}],
  [{ groups: `${NORTH},North,${SOUTH}` }, { groups: `${NORTH},${SOUTH}` }],
  [{ days: '7', from: '2026-01-01', until: '2026-02-01' }, { days: 7 }],
  [{ days: '0' }, {}],
  [{ days: '1.5', from: '2026-01-01' }, { from: '2026-01-01' }],
  [{ page: '1', size: '7', order: 'newest' }, {}],
])('of the address %j, %j is understood', (address, understood) => {
  expect(given(address)).toEqual(understood);
});

test.each([
  [{ status: 'bogus,pending', type: 'x', from: 'yesterday' }, ['status=bogus', 'type=x', 'from=yesterday']],
  [{ stauts: 'pending', order: 'up', groups: 'North' }, ['stauts=pending', 'order=up', 'groups=North']],
  [{ status: 'requested,accepted,pending,completed,declined', order: 'newest', page: 1, size: 7, type: '' }, []],
  [{ days: 7, from: '2026-01-01', search: 'ada', group: 'North', groups: NORTH }, []],
])('of the address %j, %j is said to be left out', (address, unknown) => {
  expect(notUnderstood(address)).toEqual(unknown);
});

test('the filters are named, with the names that groups have now', () => {
  const search = { search: 'ada', status: 'pending,declined', groups: `${NORTH},${SOUTH}`, days: 7 };
  expect(filterTexts(search, GROUPS)).toEqual([
    { text: '“ada”', without: { search: undefined } },
    { text: 'Request status: Pending, Declined', without: { status: undefined } },
    { text: 'Group: North', without: { groups: SOUTH } },
    { text: 'Group: South', without: { groups: NORTH } },
    { text: 'Added in the last 7 days', without: { from: undefined, until: undefined, days: undefined } },
  ]);
  expect(filterTexts({ groups: NORTH }, [])[0]?.text).toBe('Group: one that does not exist here');
  expect(filterTexts({ groups: NORTH }, undefined)[0]?.text).toBe('Group: …');
});

test.each([
  [{ days: 1 }, 'Added today'],
  [{ from: '2026-01-31', until: '2026-02-01' }, 'Added on Jan 31, 2026'],
  [{ from: '2026-01-01', until: '2026-02-01' }, 'Added Jan 1\u2009–\u200931, 2026'],
  [{ from: '2026-01-01' }, 'Added since Jan 1, 2026'],
  [{ until: '2026-01-01' }, 'Added until Dec 31, 2025'],
])('the days %j are shown as “%s”', (search, text) => {
  expect(filterTexts(search, []).map((each) => each.text)).toEqual([text]);
});

test('the last days begin at the start of a day and have no end', () => {
  const { created_from: from, created_until: until } = clientFilters({ days: 7 });
  const first = new Date(Number(from));
  expect([first.getHours(), first.getMinutes(), until]).toEqual([0, 0, undefined]);
  const today = new Date();
  today.setHours(12, 0, 0, 0);
  expect(Math.round((today.getTime() - first.getTime()) / 86_400_000 - 0.5)).toBe(6);
});

test('a view has the filters of the page, whichever group a link has named, and not its page', () => {
  const search = { status: 'pending', group: 'north', groups: SOUTH, order: 'oldest', page: 3, size: 50 } as const;
  const viewOf = (shown: ClientsSearch) => toViewFilters(shown, GROUPS) ?? {};
  const filters = viewOf(search);
  expect(filters).toEqual({ statuses: ['pending'], groups: [NORTH, SOUTH], order: 'oldest' });
  expect(isSameView(filters, viewOf({ ...toSearch(filters), page: 2 }))).toBe(true);
  expect(isSameView(filters, { ...filters, groups: [SOUTH, NORTH] })).toBe(true);
  expect(isSameView(filters, { ...filters, order: 'newest' })).toBe(false);
  expect(toViewFilters(search, GROUPS.slice(1)), 'a group that is not known').toBeUndefined();
});
