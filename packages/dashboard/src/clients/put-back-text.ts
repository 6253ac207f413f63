import type { BulkAnswer } from '#contract/clients/bulk-changes.ts';
import { countText } from '../count-text.ts';
import { withFieldLabel } from '../field-label.ts';
import { withFullStop } from '../full-stop.ts';

/** What became of clients whose change was undone, such as `Put back: 2 clients.`, with the reasons of those that were not. */
export function putBackText({ changed, refused }: Pick<BulkAnswer, 'changed' | 'refused'>, onlyName?: string): string {
  const reasons = [...Map.groupBy(refused, ({ reason }) => reason)];
  if (changed === 0) return ['Nothing was put back.', ...reasons.map(([reason]) => withFieldLabel(reason))].join(' ');
  const whom = changed === 1 && onlyName !== undefined ? onlyName : countText(changed, 'client', 'clients');
  const others = reasons.map(([reason, some]) => `${some.length.toLocaleString()} not: ${withFieldLabel(reason)}`);
  return [withFullStop(`Put back: ${whom}`), ...others].join(' ');
}
