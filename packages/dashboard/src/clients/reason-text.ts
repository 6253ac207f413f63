import { problemsIn } from '#contract/clients/files.ts';
import { fieldsOf, withFieldLabel } from '../field-label.ts';
import { COLUMN_LABELS } from './column-labels.ts';

/** Why a row is rejected, with all that is wrong with it, as people read it. */
export function reasonText(reason: string): string {
  return problemsIn(reason)
    .map((problem) => withFieldLabel(problem, COLUMN_LABELS))
    .map((text, index) => (index === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)))
    .join('; ');
}

/** The columns of all cells that are wrong. */
export function wrongColumns(reason: string): string[] {
  return problemsIn(reason).flatMap(fieldsOf);
}
