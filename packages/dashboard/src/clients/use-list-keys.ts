import { useEffect, useEffectEvent } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { hasNothingOpen } from '../components/page-keys.ts';
import { usePageKeys } from '../components/use-page-keys.ts';
import { SEARCH_FIELD_ID } from '../components/use-shortcuts.ts';
import { focusedRow } from './list-rows.ts';
import type { RowPlace } from './use-row-place.ts';
import type { Selection } from './use-selection.ts';

/** Where Esc leads back to the list. */
const BESIDE_LIST = '.selection-bar, [role=combobox]';

/**
 * The keys of the list: `j` and `k` move the focus from client to client, so that Enter opens the one that has it, `x` selects
 * it, and `s` leads to what can be done with those that are selected, which is far away with Tab. Esc leads back from there, and
 * in the list it clears the selection.
 */
export function useListKeys(page: readonly ClientRecord[], selection: Selection | undefined, place: RowPlace): void {
  const select = () => {
    const client = page[focusedRow()];
    if (client) selection?.select(page, client, !selection.isSelected(client), false);
  };
  usePageKeys([
    ['j', () => place.step(1)],
    ['k', () => place.step(-1)],
    ['x', select],
    ['s', focusActions],
  ]);
  useEscape(({ target }) => {
    if (!(target instanceof Element) || target.id === SEARCH_FIELD_ID) return;
    if (target.closest(BESIDE_LIST)) place.focus();
    else selection?.clear();
  });
}

/** Before the fields of the page get the key, so that it is known what was open. */
function useEscape(run: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && hasNothingOpen(event)) run(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

function focusActions(): void {
  document.querySelector<HTMLElement>('.selection-actions :is(input, button):enabled')?.focus();
}
