import { useState } from 'react';
import { type ClientRecord, SELECTED_MAX } from '#contract/clients/clients.ts';

export interface SelectionState {
  /** The list that the selection belongs to. */
  list: string;
  clients: ReadonlyMap<string, ClientRecord>;
  everything: boolean;
  isFull: boolean;
  /** The client that was selected last, from which a range extends. */
  anchor: string | undefined;
}

export interface Selection {
  /** What is kept while the list is not shown. */
  state: SelectionState | undefined;
  /** Those that are selected one by one, on all pages, as they were shown then. */
  clients: ReadonlyMap<string, ClientRecord>;
  /** Whether all clients are selected that the filters match. */
  everything: boolean;
  /** Whether some were not selected, because there would be too many. */
  isFull: boolean;
  isEmpty: boolean;
  isSelected(client: ClientRecord): boolean;
  /** Selects a client of the page or takes it back, with those between it and the previous one if `range` is true. */
  select(page: readonly ClientRecord[], client: ClientRecord, checked: boolean, range: boolean): void;
  selectPage(page: readonly ClientRecord[], checked: boolean): void;
  selectEverything(): void;
  clear(): void;
}

/**
 * The clients that are selected in a list. They stay selected on its other pages, but not when the filters change. `former` is
 * what was selected before, for a member who comes back to the list.
 */
export function useSelection(list: string, former: SelectionState | undefined): Selection {
  const [stored, setState] = useState(former);
  // At once, so that the selection does not come back with the filters.
  if (stored && stored.list !== list) setState(undefined);
  const state = stored?.list === list ? stored : emptyFor(list);
  const { clients, everything } = state;

  const change = (page: readonly ClientRecord[], some: readonly ClientRecord[], checked: boolean, anchor?: string) => {
    // Taking one client back leaves the others of the page selected, which are in sight.
    const next = new Map(everything ? page.map((each) => [each.reference_id, each]) : clients);
    for (const each of some) {
      if (!checked) next.delete(each.reference_id);
      else if (next.size < SELECTED_MAX) next.set(each.reference_id, each);
    }
    const isFull = checked && some.some((each) => !next.has(each.reference_id));
    setState({ list, clients: next, everything: false, isFull, anchor });
  };
  return {
    state: stored,
    clients,
    everything,
    isFull: state.isFull,
    isEmpty: !everything && clients.size === 0,
    isSelected: (client) => everything || clients.has(client.reference_id),
    select: (page, client, checked, range) => {
      const some = range ? between(page, state.anchor, client) : [client];
      change(page, some, checked, client.reference_id);
    },
    selectPage: (page, checked) => change(page, page, checked),
    selectEverything: () => setState({ ...emptyFor(list), everything: true }),
    clear: () => setState(undefined),
  };
}

function emptyFor(list: string): SelectionState {
  return { list, clients: new Map(), everything: false, isFull: false, anchor: undefined };
}

/** The clients from one to the other in the order of the page, or only the other if the first is on another page. */
function between(page: readonly ClientRecord[], anchor: string | undefined, client: ClientRecord): ClientRecord[] {
  const from = page.findIndex((each) => each.reference_id === anchor);
  const to = page.findIndex((each) => each.reference_id === client.reference_id);
  return from < 0 ? [client] : page.slice(Math.min(from, to), Math.max(from, to) + 1);
}
