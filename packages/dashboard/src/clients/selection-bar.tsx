import { Button, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { BulkPatch, SelectionForm } from '#contract/clients/bulk-changes.ts';
import { type ClientRecord, SELECTED_MAX } from '#contract/clients/clients.ts';
import type { ClientsPage, RequestStatus } from '#contract/clients/index.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { selectionCountsQuery } from './bulk-queries.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { GroupSelect } from './group-inputs.tsx';
import { countsOf, possibleStatuses } from './planned-change.ts';
import type { Selection } from './use-selection.ts';

interface SelectionBarProps {
  selection: Selection;
  /** The page that is shown. */
  list: ClientsPage;
  /** Those of the list, as in its address and as fields of a form. */
  filters: { query: string; fields: Record<string, string | number | undefined> };
  /** When the bar is about to go, because the clients were changed. */
  onChanged(): void;
}

/** What can be done with the selected clients. It is always in sight below the list, and moves none of its rows. */
export function SelectionBar({ selection, list, filters, onChanged }: SelectionBarProps) {
  const { clients, everything } = selection;
  const { results: page, total_count: total } = list;
  const [change, setChange] = useState<BulkPatch>();
  const bar = useRef<HTMLElement>(null);
  const known = useKnown(selection, page);
  const form: SelectionForm = everything ? { filters: filters.query } : { reference_ids: [...clients.keys()] };
  const counts = useCounts(known, form);
  const statuses = counts ? possibleStatuses(counts) : [];
  return (
    <section ref={bar} className="selection-bar" aria-label="Selected clients" tabIndex={-1}>
      <Group gap={8}>
        <Text size="sm" fw={600} role="status">
          {everything ? `All ${total.toLocaleString()}` : clients.size.toLocaleString()} selected
        </Text>
        {!everything && page.every(selection.isSelected) && (
          <SelectEverything
            total={total}
            isExact={list.total_is_exact}
            selected={clients.size}
            onSelect={() => {
              selection.selectEverything();
              // The button goes.
              bar.current?.focus({ preventScroll: true });
            }}
          />
        )}
        <Button size="compact-xs" variant="subtle" onClick={selection.clear}>
          Clear selection
        </Button>
        <Text size="xs" c="dimmed" className="keyboard-only">
          Press <kbd>s</kbd> to get here, <kbd>Esc</kbd> to go back
        </Text>
      </Group>
      {selection.isFull && (
        <Text size="xs">
          At most {countText(SELECTED_MAX, 'client', 'clients')} can be selected one by one. The others were not
          selected.
        </Text>
      )}
      <Group gap={8} className="selection-actions">
        <Select
          aria-label="Set request status of the selected clients"
          placeholder="Set request status…"
          size="xs"
          data={statuses.map((value) => ({ value, label: REQUEST_STATUS_LABELS[value] }))}
          disabled={statuses.length === 0}
          value={null}
          onChange={(status) => status && setChange({ request_status: status as RequestStatus })}
        />
        <GroupSelect
          aria-label="Move the selected clients to a group"
          placeholder="Move to group…"
          size="xs"
          value={null}
          onChange={(group) => group && setChange({ group_name: group })}
        />
        {counts && counts.by_client_status.active > 0 && (
          <Button size="xs" variant="default" onClick={() => setChange({ client_status: 'inactive' })}>
            Deactivate
          </Button>
        )}
        {counts && counts.by_client_status.inactive > 0 && (
          <Button size="xs" variant="default" onClick={() => setChange({ client_status: 'active' })}>
            Activate
          </Button>
        )}
        <ExportButton
          label="Export selected"
          size="xs"
          filters={everything ? filters.fields : { reference_ids: [...clients.keys()].join(',') }}
        />
      </Group>
      {change && (
        <ChangeDialog
          selection={form}
          known={known}
          change={change}
          onChanged={() => {
            selection.clear();
            onChanged();
          }}
          onClose={() => setChange(undefined)}
        />
      )}
    </section>
  );
}

/** The selected clients, as they are now if they are on the page that is shown. If all that match are selected, those of the page. */
function useKnown({ clients, everything }: Selection, page: readonly ClientRecord[]): readonly ClientRecord[] {
  return useMemo(() => {
    if (everything) return page;
    const now = new Map(page.map((client) => [client.reference_id, client]));
    return Array.from(clients.values(), (client) => now.get(client.reference_id) ?? client);
  }, [clients, everything, page]);
}

/** Those that were selected one by one are counted here. */
function useCounts(known: readonly ClientRecord[], form: SelectionForm) {
  const everything = form.reference_ids === undefined;
  const shown = useMemo(() => countsOf(known), [known]);
  const { data } = useQuery({ ...selectionCountsQuery(useEnvironment(), form), enabled: everything });
  return everything ? data : shown;
}

interface SelectEverythingProps {
  total: number;
  isExact: boolean;
  selected: number;
  onSelect(): void;
}

function SelectEverything({ total, isExact, selected, onSelect }: SelectEverythingProps) {
  if (total <= selected) return null;
  if (!isExact) {
    return (
      <Text size="xs" c="dimmed">
        More than {total.toLocaleString()} match. To select all, search for less.
      </Text>
    );
  }
  return (
    <Button size="compact-xs" variant="light" onClick={onSelect}>
      Select all {total.toLocaleString()} that match
    </Button>
  );
}
