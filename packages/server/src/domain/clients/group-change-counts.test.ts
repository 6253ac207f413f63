import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GroupChangeCounts, NO_GROUP_CHANGES, withGroupChanges } from './group-change-counts.ts';

const NAMES = Array.from({ length: 8 }, (_, index) => `Group ${index}`);
const row = fc.record({ from: fc.constantFrom(...NAMES), to: fc.constantFrom(...NAMES), isNew: fc.boolean() });

function summaryOf(batches: readonly (readonly { from: string; to: string; isNew: boolean; line: number }[])[]) {
  return batches.reduce((soFar, rows) => {
    const batch = new GroupChangeCounts();
    for (const { from, to, isNew, line } of rows) {
      if (from !== to) batch.addMove({ from, to, rows: 1, lines: [line] });
      if (isNew) batch.addNewGroup(to);
    }
    return withGroupChanges(soFar, batch.summary());
  }, NO_GROUP_CHANGES);
}

test('what a file does to groups is the same however it is divided, has bounds, and counts every row', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 120, size: 'max' }), fc.integer({ min: 1, max: 60 }), (rows, size) => {
      const lines = rows.map((row, index) => ({ ...row, line: index + 2 }));
      const batches = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
        lines.slice(index * size, (index + 1) * size),
      );
      const summary = summaryOf(batches);
      expect(summary).toEqual(summaryOf([lines]));
      for (const move of summary.moves) {
        const moving = lines.filter(({ from, to }) => from === move.from && to === move.to);
        expect(move.lines).toEqual(moving.slice(0, 10).map(({ line }) => line));
      }
      expect(summary.moves.length).toBeLessThanOrEqual(20);
      expect(summary.newGroups.length).toBeLessThanOrEqual(10);
      const counted = summary.moves.reduce((sum, move) => sum + move.rows, summary.otherMoves);
      expect(counted).toBe(rows.filter(({ from, to }) => from !== to).length);
      expect(summary.newGroups.length + summary.otherNewGroups).toBe(rows.filter(({ isNew }) => isNew).length);
    }),
  );
});
