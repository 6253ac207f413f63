import type { GroupChanges } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';
import { quoted } from '../imported-from.ts';
import { linesText } from './lines-text.ts';

/** Between which groups an import has moved clients that existed, and which groups it has created, or would. */
export function groupChangeTexts(changes: GroupChanges | undefined, wouldBe: boolean): string[] {
  if (!changes) return [];
  const { moves, other_moves: otherMoves, new_groups: names, other_new_groups: otherNames } = changes;
  const moved = wouldBe ? 'would move' : 'moved';
  const texts = moves.map(
    ({ from, to, ...where }) =>
      `${countText(where.rows, 'client', 'clients')} ${moved} from ${quoted(from)} to ${quoted(to)}${linesText(where)}.`,
  );
  if (otherMoves > 0) texts.push(`${countText(otherMoves, 'more client', 'more clients')} ${moved} to another group.`);
  if (names.length > 0) {
    const shown = [...names.map(quoted), ...(otherNames > 0 ? [`${otherNames.toLocaleString()} more`] : [])];
    const created = wouldBe ? ['group would be', 'groups would be'] : ['group was', 'groups were'];
    const groups = countText(names.length + otherNames, created[0] ?? '', created[1] ?? '');
    texts.push(`${groups} created: ${new Intl.ListFormat('en').format(shown)}.`);
  }
  return texts;
}
