import { Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
import { type ClientsSearch, rememberClientsSearch } from './search.ts';
import { StatusTabs } from './status-tabs.tsx';
import { TableOptionsButton } from './table-options-button.tsx';

const route = getRouteApi('/$environment/clients');

export function ClientsPage() {
  const environment = useEnvironment();
  const search = route.useSearch();
  const canEdit = useCanEdit();
  useEffect(() => rememberClientsSearch(environment, search), [environment, search]);
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
        description={<Total search={search} />}
        actions={
          <>
            <ExportButton filters={clientFilters(search)} />
            {canEdit && <ImportButton />}
            {add}
          </>
        }
      />
      <ClientFilters search={search}>
        <SavedViews search={search} />
        <TableOptionsButton />
      </ClientFilters>
      <StatusTabs search={search} />
      <ClientList search={search} add={add} />
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
