import { expect, test } from 'vitest';
import { carryGroupFilter, missingGroupsText } from './carry-group-filter.ts';

const OURS = [
  { group_token: 'n1', group_name: 'North' },
  { group_token: 's1', group_name: 'South' },
];

test('a filter by groups follows their names into the other environment, and the other filters are kept', () => {
  const theirs = [{ group_token: 'n2', group_name: 'NORTH' }];
  const search = { status: 'pending', groups: 'n1,s1', size: 50 };
  expect(carryGroupFilter(search, OURS, theirs)).toEqual({
    search: { status: 'pending', groups: 'n2', size: 50 },
    missing: ['South'],
  });
  expect(carryGroupFilter({ group: 'East' }, OURS, theirs)).toEqual({ search: {}, missing: ['East'] });
  expect(carryGroupFilter({ group: 'north' }, OURS, theirs)).toEqual({ search: { groups: 'n2' }, missing: [] });
});

test('what was left out is said', () => {
  expect(missingGroupsText('Production', ['South'])).toBe(
    'Production has no group “South”, so this filter was left out.',
  );
  expect(missingGroupsText('Sandbox', ['A', 'B'])).toBe(
    'Sandbox has no groups “A” or “B”, so these filters were left out.',
  );
});
