import { Box, Button, Group, Select } from '@mantine/core';
import { useResizeObserver } from '@mantine/hooks';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ClientsPage as ClientsPageRecord } from '#contract/clients/index.ts';
import { queryString } from '../api.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { useCanEdit } from '../session.ts';
import { AddClientDialog } from './add-client-dialog.tsx';
import { BulkChangeStatus } from './bulk-change-status.tsx';
import { ClientFilters } from './client-filters.tsx';
import { ClientTable } from './client-table.tsx';
import { ExportButton } from './export-button.tsx';
import { OtherEnvironmentHint } from './other-environment-hint.tsx';
import { clientFilters, clientsQuery } from './queries.ts';
import { SavedViews } from './saved-views.tsx';
import { DEFAULT_PAGE_SIZE, hasFilters, PAGE_SIZES, rememberClientsSearch, takeLeftOut } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StatusTabs } from './status-tabs.tsx';
import { TableOptionsButton } from './table-options-button.tsx';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/$environment/clients');

export function ClientsPage() {
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useCanEdit();
  const clients = useQuery(clientsQuery(environment, search));
  useEffect(() => rememberClientsSearch(environment, search), [environment, search]);
  const filters = { fields: clientFilters(search), query: queryString(clientFilters(search)).slice(1) };
  const selection = useSelection(`${environment}?${filters.query}`);
  // Until other filters are chosen.
  const [opened] = useState(() => ({ query: filters.query, leftOut: takeLeftOut() }));
  const leftOut = opened.query === filters.query ? opened.leftOut : [];
  const dock = useDockHeight();
  const [adding, setAdding] = useState(false);
  const add = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      Add client
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Clients"
        description={<Total page={clients.data} />}
        actions={
          <>
            {clients.data?.total_count !== 0 && <ExportButton filters={filters.fields} />}
            {canEdit && <ImportButton />}
            {add}
          </>
        }
      />
      <ClientFilters search={search} onChange={(filters) => navigate({ search: { ...filters, size: search.size } })}>
        <SavedViews search={search} />
        <TableOptionsButton />
      </ClientFilters>
      {leftOut.length > 0 && <LeftOut filters={leftOut} />}
      <StatusTabs search={search} />
      <QueryContent query={clients} lines={12}>
        {({ results, page_number, total_pages, total_count }) => (
          <>
            {results.length === 0 ? (
              <NoClients
                filtered={hasFilters(search)}
                searched={search.search !== undefined}
                pastLastPage={total_count > 0}
                actions={
                  add && (
                    <Group gap="xs">
                      {add}
                      <ImportButton />
                    </Group>
                  )
                }
              />
            ) : (
              <ClientTable
                clients={results}
                search={search}
                selection={canEdit ? selection : undefined}
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
          <SelectionBar selection={selection} list={clients.data} filters={filters} />
        )}
      </div>
      {adding && <AddClientDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** Lets messages know how much room is taken at the end of the page. */
function useDockHeight() {
  const [ref, { height }] = useResizeObserver<HTMLDivElement>();
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--dock-height', `${height}px`);
    return () => void style.removeProperty('--dock-height');
  }, [height]);
  return ref;
}

/** Above the list, because it is what people look for first. A line is kept free for it while the first page loads. */
function Total({ page }: { page: ClientsPageRecord | undefined }) {
  return (
    <span className="numeric" role="status">
      {page
        ? `${page.total_is_exact ? '' : 'More than '}${countText(page.total_count, 'client', 'clients')}`
        : '\u00a0'}
    </span>
  );
}

function LeftOut({ filters }: { filters: readonly string[] }) {
  return (
    <Box mb="md">
      <Notice tone="warning">
        {filters.length === 1 ? 'A filter in the address was' : 'Some filters in the address were'} not understood and
        left out: {filters.join(', ')}
      </Notice>
    </Box>
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

function ImportButton() {
  const environment = useEnvironment();
  return (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} />}
      renderRoot={(props) => <Link to="/$environment/import" params={{ environment }} {...props} />}
    >
      Import
    </Button>
  );
}

interface NoClientsProps {
  filtered: boolean;
  /** Whether one of the filters is a search for words. */
  searched: boolean;
  /** The page number in the address is higher than that of the last page. */
  pastLastPage: boolean;
  /** How clients come into the list, for those who may add them. */
  actions: React.ReactNode;
}

function NoClients({ filtered, searched, pastLastPage, actions }: NoClientsProps) {
  if (pastLastPage) {
    return <EmptyState title="This page does not exist">Choose one of the pages below.</EmptyState>;
  }
  if (filtered) {
    return (
      <EmptyState title="No clients found">
        {searched &&
          'A client must have all words, or words that begin with them, in its name, email, reference or external ID. '}
        Clear the filters or search for something else.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No clients yet" action={actions}>
      {actions
        ? 'Add your first client here, or import all of them from a file.'
        : 'Owners and admins can add or import them.'}
      <OtherEnvironmentHint to="/$environment/clients" />
    </EmptyState>
  );
}
