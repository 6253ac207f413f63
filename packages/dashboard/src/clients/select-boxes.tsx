import { Checkbox } from '@mantine/core';
import { useRef } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { Selection } from './use-selection.ts';

interface SelectBoxProps {
  selection: Selection;
  page: readonly ClientRecord[];
}

/** Selects all clients of the page. */
export function PageBox({ selection, page }: SelectBoxProps) {
  const selected = page.filter(selection.isSelected).length;
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      checked={selected === page.length}
      indeterminate={selected > 0 && selected < page.length}
      onChange={(event) => selection.selectPage(page, event.currentTarget.checked)}
    />
  );
}

/** Selects a client or, with the shift key, all from the one that was selected before. */
export function ClientBox({ selection, page, client }: SelectBoxProps & { client: ClientRecord }) {
  // Not all browsers say in the event of the change which keys were pressed.
  const shift = useRef(false);
  return (
    <input
      type="checkbox"
      aria-label={`Select ${client.client_name}`}
      className="select-box above-row-link"
      checked={selection.isSelected(client)}
      onKeyDown={(event) => {
        shift.current = event.shiftKey;
      }}
      onClick={(event) => {
        // The space bar also clicks, with a detail of 0.
        if (event.detail > 0) shift.current = event.shiftKey;
      }}
      onChange={(event) => selection.select(page, client, event.currentTarget.checked, shift.current)}
    />
  );
}
