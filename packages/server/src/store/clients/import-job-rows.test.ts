import { expect, test } from 'vitest';
import { changedEffects, NO_EFFECTS, toEffects } from './import-job-rows.ts';

test('an import that an earlier version has begun, which stored no lines of changes and not all of its effects, is continued', () => {
  const status = { field: 'request_status', from: 'declined', to: 'pending' } as const;
  const move = { from: 'South', to: 'North' };
  const others = { otherMoves: 0, newGroups: [], otherNewGroups: 0 };
  const stored = toEffects({
    ...NO_EFFECTS,
    status_changes: JSON.stringify([{ ...status, rows: 2 }]),
    group_changes: JSON.stringify({ ...others, moves: [{ ...move, rows: 3 }] }),
  });
  expect(stored.statusChanges).toEqual([{ ...status, rows: 2, lines: [] }]);
  expect(stored.groupChanges.moves).toEqual([{ ...move, rows: 3, lines: [] }]);

  const more = {
    statusChanges: [{ ...status, rows: 1, lines: [9] }],
    groupChanges: { ...others, moves: [{ ...move, rows: 1, lines: [9] }] },
    emailChanges: { rows: 0, lines: [] },
    emailsElsewhere: { rows: 2, lines: [7, 9] },
    repeats: { rows: 1, lines: [9] },
  };
  const continued = toEffects({ ...NO_EFFECTS, ...changedEffects(stored, more) });
  expect(continued).toMatchObject({
    statusChanges: [{ ...status, rows: 3, lines: [9] }],
    groupChanges: { moves: [{ ...move, rows: 4, lines: [9] }] },
    emailsElsewhere: { rows: 2, lines: [7, 9] },
    repeats: { rows: 1, lines: [9] },
  });
});
