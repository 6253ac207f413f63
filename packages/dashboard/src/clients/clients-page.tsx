import { Box, Button, Group } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queryString } from '../api.ts';
import { EXPORT_BUTTON_ID } from '../components/command-palette.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { useCanEdit } from '../session.ts';
import { AddClientDialog } from './add-client-dialog.tsx';
import { ClientFilters } from './client-filters.tsx';
import { ClientList } from './client-list.tsx';
import { ExportButton } from './export-button.tsx';
import { clientFilters, clientsQuery } from './queries.ts';
import { SavedViews } from './saved-views.tsx';
import { type ClientsSearch, rememberClientsSearch, takeLeftOut } from './search.ts';
import { StatusTabs } from './status-tabs.tsx';
import { TableOptionsButton } from './table-options-button.tsx';

const route = getRouteApi('/$environment/clients');

export function ClientsPage() {
  const environment = useEnvironment();
  const search = route.useSearch();
  const canEdit = useCanEdit();
  useEffect(() => rememberClientsSearch(environment, search), [environment, search]);
  const filters = clientFilters(search);
  const query = queryString(filters);
  // Until other filters are chosen.
  const [opened] = useState(() => ({ query, leftOut: takeLeftOut() }));
  const leftOut = opened.query === query ? opened.leftOut : [];
  const [adding, setAdding] = useState(false);
  const [wanted, setWanted] = useState<string>();
  const add = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      Add client
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Clients"
        description={<Total search={search} />}
        actions={
          <>
            <ExportOfSome search={search} />
            {canEdit && <ImportButton />}
            {add}
          </>
        }
      />
      <ClientFilters search={search} onLeaveSearch={setWanted}>
        <SavedViews search={search} />
        <TableOptionsButton />
      </ClientFilters>
      {leftOut.length > 0 && <LeftOut filters={leftOut} />}
      <StatusTabs search={search} />
      <ClientList
        search={search}
        isFirstWanted={wanted !== undefined && wanted === (search.search ?? '')}
        onFirstWanted={setWanted}
        add={
          add && (
            <Group gap="xs">
              {add}
              <ImportButton />
            </Group>
          )
        }
      />
      {adding && <AddClientDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** Above the list, because it is what people look for first. A line is kept free for it while the first page loads. */
function Total({ search }: { search: ClientsSearch }) {
  const { data: page } = useQuery(clientsQuery(useEnvironment(), search));
  return (
    <span className="numeric" role="status">
      {page
        ? `${page.total_is_exact ? '' : 'More than '}${countText(page.total_count, 'client', 'clients')}`
        : '\u00a0'}
    </span>
  );
}

/** Nothing is exported from an empty list. */
function ExportOfSome({ search }: { search: ClientsSearch }) {
  const { data: page } = useQuery(clientsQuery(useEnvironment(), search));
  return page?.total_count !== 0 && <ExportButton id={EXPORT_BUTTON_ID} filters={clientFilters(search)} />;
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
