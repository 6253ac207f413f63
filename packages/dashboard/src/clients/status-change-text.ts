import type { ImportRecord, StatusChange } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';
import { CLIENT_STATUS_LABELS, labelOf, REQUEST_STATUS_LABELS } from '../labels.ts';

const LABELS = { ...REQUEST_STATUS_LABELS, ...CLIENT_STATUS_LABELS };

/** What an import has done to a status of clients, or would do. */
export function statusChangeText({ from, to, rows }: StatusChange, wouldBe: boolean): string {
  const clients = countText(rows, 'client', 'clients');
  return `${clients} ${wouldBe ? 'would go' : 'went'} from ${labelOf(LABELS, from)} to ${labelOf(LABELS, to)}.`;
}

/** Whether an import changes the status of clients. A service of an earlier version does not tell. */
export function changesStatus({ status_changes: changes = [] }: ImportRecord): boolean {
  return changes.length > 0;
}
