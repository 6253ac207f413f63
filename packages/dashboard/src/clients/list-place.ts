import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Environment } from '#contract/environments.ts';
import { useEnvironment } from '../environment.ts';
import type { CurrentClient } from './current-client.ts';
import { clientsQuery, pageOf } from './queries.ts';
import type { ClientSearch, ClientsSearch } from './search.ts';
import type { SelectionState } from './use-selection.ts';

interface ListPlace extends CurrentClient {
  /** The page of the list, as it is asked for. */
  page: string;
}

// One of each per environment, for the way back from a client to the list.
const places = new Map<Environment, ListPlace>();
const selections = new Map<Environment, SelectionState | undefined>();

/** Keeps the place of the client in the list from which it was opened, if that was the list of clients. */
export function useKeepListPlace(id: string, { queue, ...search }: ClientSearch): void {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const page = pageOf(search);
  useEffect(() => {
    if (queue) return;
    const former = places.get(environment);
    const list = queries.getQueryData(clientsQuery(environment, search).queryKey);
    const ids = list?.results.map((client) => client.reference_id) ?? former?.ids ?? [];
    // Whoever has gone on to the clients of another page comes back to the last one of this page.
    if (!former || ids.includes(id)) places.set(environment, { page, ids, id });
  }, [queries, environment, id, page, queue]);
  // The list that is opened next has read it by then. Whoever goes elsewhere before begins anew.
  useEffect(() => () => void places.delete(environment), [environment]);
}

interface FormerPlace {
  place?: ListPlace;
  selection?: SelectionState | undefined;
}

/** The place in the list from which the member has opened a client, and what was selected then, if they come back from it. */
export function useFormerListPlace(search: ClientsSearch): FormerPlace {
  const environment = useEnvironment();
  const [former] = useState((): FormerPlace => {
    const place = places.get(environment);
    return place?.page === pageOf(search) ? { place, selection: selections.get(environment) } : {};
  });
  return former;
}

export function useKeepSelection(selection: SelectionState | undefined): void {
  const environment = useEnvironment();
  useEffect(() => void selections.set(environment, selection), [environment, selection]);
}

/** A client that was erased is not selected any more. */
export function deselectErased(environment: Environment, referenceId: string): void {
  const selection = selections.get(environment);
  if (!selection?.clients.has(referenceId)) return;
  const clients = new Map(selection.clients);
  clients.delete(referenceId);
  selections.set(environment, { ...selection, clients });
}
