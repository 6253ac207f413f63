import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { queryString } from '../api.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCanEdit } from '../session.ts';
import { BulkChangeStatus } from './bulk-change-status.tsx';
import { ClientTable } from './client-table.tsx';
import { useFormerListPlace, useKeepSelection } from './list-place.ts';
import { focusRow } from './list-rows.ts';
import { OtherEnvironmentHint } from './other-environment-hint.tsx';
import { clientFilters, clientsQuery, groupsQuery, pageOf } from './queries.ts';
import { type ClientsSearch, DEFAULT_PAGE_SIZE, hasFilters, isReversed, namedGroup, PAGE_SIZES } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useDockHeight } from './use-dock-height.ts';
import { useFormerRow } from './use-former-row.ts';
import { useRowPlace } from './use-row-place.ts';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/$environment/clients');

interface ClientListProps {
  search: ClientsSearch;
  /** Whether the first client gets the focus as soon as the list is there. */
  isFirstWanted: boolean;
  onFirstWanted(text: undefined): void;
  /** What adds clients, for members who may. */
  add: ReactNode;
}

/** A page of the clients that match, and what can be done with those that are selected. */
export function ClientList({ search, isFirstWanted, onFirstWanted, add }: ClientListProps) {
  const environment = useEnvironment();
  const navigate = route.useNavigate();
  const canEdit = useCanEdit();
  const clients = useQuery(clientsQuery(environment, search));
  const filters = { fields: clientFilters(search), query: queryString(clientFilters(search)).slice(1) };
  const former = useFormerListPlace(search);
  const selection = useSelection(`${environment}?${filters.query}`, former.selection);
  useKeepSelection(selection.state);
  const dock = useDockHeight();
  const isThere = clients.data !== undefined && !clients.isPlaceholderData;
  const ids = useMemo(() => clients.data?.results.map((client) => client.reference_id), [clients.data]);
  const place = useRowPlace(pageOf(search), ids);
  useFormerRow(former.place, { ids: isThere ? ids : undefined, isFetching: clients.isFetching });
  useEffect(() => {
    if (!isFirstWanted || !isThere) return;
    focusRow(0);
    onFirstWanted(undefined);
  }, [isFirstWanted, isThere, onFirstWanted]);
  return (
    <>
      <QueryContent query={clients} lines={12}>
        {({ results, page_number, total_pages, total_count }) => (
          <>
            {results.length === 0 ? (
              <NoClients
                group={search.group}
                filtered={hasFilters(search)}
                searched={search.search !== undefined}
                reversed={isReversed(search)}
                pastLastPage={total_count > 0}
                add={add}
              />
            ) : (
              <ClientTable
                clients={results}
                search={search}
                selection={canEdit ? selection : undefined}
                place={place}
                stale={clients.isPlaceholderData}
              />
            )}
            {total_count > 0 && (
              <Pager
                page={page_number}
                pages={total_pages}
                total={total_count}
                onPage={(page) => navigate({ search: { ...search, page: page > 1 ? page : undefined } })}
              >
                <PageSizeSelect
                  size={search.size}
                  onChange={(size) => navigate({ search: { ...search, size, page: undefined } })}
                />
              </Pager>
            )}
          </>
        )}
      </QueryContent>
      <div className="dock" ref={dock}>
        <BulkChangeStatus />
        {clients.data && !selection.isEmpty && (
          <SelectionBar selection={selection} list={clients.data} filters={filters} onChanged={place.focus} />
        )}
      </div>
    </>
  );
}

function PageSizeSelect({ size, onChange }: { size: number | undefined; onChange(size: number): void }) {
  return (
    <Select
      aria-label="Clients per page"
      size="xs"
      w={120}
      data={PAGE_SIZES.map((each) => ({ value: String(each), label: `${each} per page` }))}
      value={String(size ?? DEFAULT_PAGE_SIZE)}
      onChange={(value) => onChange(Number(value))}
      allowDeselect={false}
    />
  );
}

interface NoClientsProps {
  filtered: boolean;
  /** The name of a group that is looked for. */
  group: string | undefined;
  /** Whether one of the filters is a search for words. */
  searched: boolean;
  /** Whether the last day is before the first. */
  reversed: boolean;
  /** The page number in the address is higher than that of the last page. */
  pastLastPage: boolean;
  add: ReactNode;
}

function NoClients({ filtered, group, searched, reversed, pastLastPage, add }: NoClientsProps) {
  if (pastLastPage) {
    return <EmptyState title="This page does not exist">Choose one of the pages below.</EmptyState>;
  }
  if (filtered) {
    return (
      <EmptyState title="No clients found">
        {group !== undefined && <UnknownGroup name={group} />}
        {reversed && 'The last day you chose is before the first. '}
        {searched &&
          'A client must have all words, or words that begin with them, in its name, email, reference or external ID. '}
        Clear the filters or search for something else.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No clients yet" action={add}>
      {add
        ? 'Add your first client here, or import all of them from a file.'
        : 'Owners and admins can add or import them.'}
      <OtherEnvironmentHint to="/$environment/clients" />
    </EmptyState>
  );
}

/** Says so if a link names a group that is not there any more. */
function UnknownGroup({ name }: { name: string }) {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  if (!data || namedGroup({ group: name }, data.groups)) return null;
  return `There is no group ${quoted(name)} any more. It may have been renamed, merged or deleted. `;
}
