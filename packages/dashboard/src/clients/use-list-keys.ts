import type { ClientRecord } from '#contract/clients/clients.ts';
import { usePageKeys } from '../components/use-page-keys.ts';
import { focusedRow, focusRow } from './list-rows.ts';
import type { Selection } from './use-selection.ts';

/**
 * The keys of the list: `j` and `k` move the focus from client to client, so that Enter opens the one that has it, `x` selects
 * it, and `s` leads to what can be done with those that are selected, which is far away with Tab.
 */
export function useListKeys(page: readonly ClientRecord[], selection: Selection | undefined): void {
  const select = () => {
    const client = page[focusedRow()];
    if (client) selection?.select(page, client, !selection.isSelected(client), false);
  };
  usePageKeys([
    ['j', () => focusRow(focusedRow() + 1)],
    ['k', () => focusRow(focusedRow() - 1)],
    ['x', select],
    ['s', focusActions],
  ]);
}

function focusActions(): void {
  document.querySelector<HTMLElement>('.selection-actions :is(input, button):enabled')?.focus();
}
