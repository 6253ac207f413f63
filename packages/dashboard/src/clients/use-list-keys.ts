import { useHotkeys } from '@mantine/hooks';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { isDialogOpen, isGoing } from '../components/use-shortcuts.ts';
import type { Selection } from './use-selection.ts';

/** Where keys have a meaning of their own, which they keep. */
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=listbox], [role=menu]';

/**
 * The keys of the list: `j` and `k` move the focus from client to client, so that Enter opens the one that has it, and `x`
 * selects it.
 */
export function useListKeys(page: readonly ClientRecord[], selection: Selection | undefined): void {
  const move = (steps: number) => {
    const links = document.querySelectorAll<HTMLElement>('.row .row-link');
    const next = Math.max(0, Math.min(links.length - 1, focusedRow() + steps));
    links[next]?.focus();
  };
  const select = () => {
    const client = page[focusedRow()];
    if (client) selection?.select(page, client, !selection.isSelected(client), false);
  };
  const keys: [string, () => void][] = [
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', select],
  ];
  useHotkeys(
    keys.map(([key, run]) => [key, (event) => isMeant(event) && run(), { preventDefault: false }]),
    [],
  );
}

/** The place of the client that has the focus, or -1. */
function focusedRow(): number {
  const rows = [...document.querySelectorAll('.row')];
  return rows.findIndex((row) => row.contains(document.activeElement));
}

function isMeant({ target, isComposing }: KeyboardEvent): boolean {
  const isTyped = target instanceof Element && target.closest(TYPING) !== null;
  return !isTyped && !isComposing && !isGoing() && !isDialogOpen();
}
