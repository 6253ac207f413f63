import { Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageSize } from '../components/page-size.tsx';
import { Pager } from '../components/pager.tsx';
import { useEnvironment } from '../environment.ts';
import { useMayChange } from '../permissions.ts';
import { clientFilters, clientsQuery } from '../queries.ts';
import { hasFilters } from '../search.ts';
import { AddClientDialog } from './add-client-dialog.tsx';
import { ClientFilters } from './client-filters.tsx';
import { ClientTable } from './client-table.tsx';
import { ExportButton } from './export-button.tsx';

const route = getRouteApi('/$environment/clients');

export function ClientsPage() {
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const clients = useQuery(clientsQuery(environment, search));
  const [adding, setAdding] = useState(false);
  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      Add client
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Clients"
        actions={
          <>
            <ExportButton filters={clientFilters(search)} />
            {mayChange && <ImportButton />}
            {add}
          </>
        }
      />
      <ClientFilters search={search} onChange={(filters) => navigate({ search: { ...filters, size: search.size } })} />
      <Loaded query={clients} lines={12}>
        {({ results, page_number, total_pages, total_count }) => (
          <>
            {results.length === 0 ? (
              <NoClients filtered={hasFilters(search)} beyond={total_count > 0} add={add} />
            ) : (
              <ClientTable clients={results} mayChange={mayChange} stale={clients.isPlaceholderData} />
            )}
            <Pager
              page={page_number}
              pages={total_pages}
              total={total_count}
              noun={['client', 'clients']}
              onPage={(page) => navigate({ search: { ...search, page: page > 1 ? page : undefined } })}
            >
              <PageSize
                size={search.size}
                onChange={(size) => navigate({ search: { ...search, size, page: undefined } })}
              />
            </Pager>
          </>
        )}
      </Loaded>
      {adding && <AddClientDialog onClose={() => setAdding(false)} />}
    </>
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

function NoClients({ filtered, beyond, add }: { filtered: boolean; beyond: boolean; add: React.ReactNode }) {
  if (beyond)
    return <EmptyState title="This page is empty">There are fewer pages. Choose another one below.</EmptyState>;
  if (filtered)
    return <EmptyState title="No client matches">Take a filter away, or look for something else.</EmptyState>;
  return (
    <EmptyState title="No clients yet" action={add}>
      Add the first one by hand, or import a file with all of them.
    </EmptyState>
  );
}
