import type { StatusChange } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';
import { CLIENT_STATUS_LABELS, labelOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { linesText } from './lines-text.ts';

const LABELS = { ...REQUEST_STATUS_LABELS, ...CLIENT_STATUS_LABELS };

/** What an import has done to a status of clients, or would do. */
export function statusChangeText({ from, to, ...where }: StatusChange, wouldBe: boolean): string {
  const clients = countText(where.rows, 'client', 'clients');
  const went = wouldBe ? 'would go' : 'went';
  return `${clients} ${went} from ${labelOf(LABELS, from)} to ${labelOf(LABELS, to)}${linesText(where)}.`;
}
