import { expect, test } from 'vitest';
import { groupChangeTexts } from './group-change-text.ts';

const NOTHING = { moves: [], other_moves: 0, new_groups: [], other_new_groups: 0 };

test('moves of clients and new groups are told as people say them, before an import and after it', () => {
  const changes = {
    moves: [
      { from: 'South', to: 'North', rows: 1, lines: [4] },
      { from: 'East', to: 'North', rows: 1200, lines: [2, 1003] },
    ],
    other_moves: 3,
    new_groups: ['North', 'West'],
    other_new_groups: 4,
  };
  expect(groupChangeTexts(changes, true)).toEqual([
    '1 client would move from “South” to “North”: line 4.',
    '1,200 clients would move from “East” to “North”: lines 2, 1,003, ….',
    '3 more clients would move to another group.',
    '6 groups would be created: “North”, “West”, and 4 more.',
  ]);
  expect(groupChangeTexts({ ...NOTHING, new_groups: ['North'] }, false)).toEqual(['1 group was created: “North”.']);
});

test('an import that does nothing to groups, or of which a service of an earlier version tells nothing, says nothing about them', () => {
  expect(groupChangeTexts(NOTHING, false)).toEqual([]);
  expect(groupChangeTexts(undefined, false)).toEqual([]);
});
