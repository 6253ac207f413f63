import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  CLIENTS_KEPT_MAX,
  IMPORT_CLIENTS_PER_PAGE,
  type ImportClients as ImportClientsRecord,
  type ImportRecord,
} from '#contract/clients/imports.ts';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { useEnvironment } from '../environment.ts';
import type { ImportPlace } from './import-place.ts';
import { importClientsQuery } from './queries.ts';
import { StatusLabel } from './status-label.tsx';

interface ImportClientsProps {
  record: ImportRecord;
  /** How many of its clients are kept and still exist. */
  total: number;
}

/** The clients that an import has added or updated, as they are now. */
export function ImportClients({ record, total }: ImportClientsProps) {
  const { page, setPage } = usePage();
  const query = useQuery(importClientsQuery(useEnvironment(), record.import_id, page));
  const place = { importId: record.import_id, page };
  return (
    <Section title="Clients of this import" description={descriptionOf(record)}>
      <QueryContent query={query}>
        {({ results }) => (
          <>
            <Table className="stacked-table flush-table" aria-label="Clients of this import">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Client</Table.Th>
                  <Table.Th>Group</Table.Th>
                  <Table.Th>Request status</Table.Th>
                  <Table.Th>By the import</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {results.map((each) => (
                  <ClientRow key={each.client.reference_id} listed={each} place={place} />
                ))}
              </Table.Tbody>
            </Table>
            <Pager
              page={page}
              pages={Math.ceil(total / IMPORT_CLIENTS_PER_PAGE)}
              total={total}
              noun={['client', 'clients']}
              onPage={setPage}
            />
          </>
        )}
      </QueryContent>
    </Section>
  );
}

/** On a page of its own, the import has the page of its clients in the address, so that it is there after a visit to one of them. */
function usePage() {
  const search = useSearch({ from: '/$environment/import/$importId', shouldThrow: false });
  const [page, setPage] = useState(search?.page ?? 1);
  const navigate = useNavigate();
  const show = (next: number) => {
    setPage(next);
    if (search)
      void navigate({ to: '.', search: { page: next > 1 ? next : undefined }, replace: true, resetScroll: false });
  };
  return { page, setPage: show };
}

interface ClientRowProps {
  listed: ImportClientsRecord['results'][number];
  place: ImportPlace;
}

function ClientRow({ listed: { client, is_added: isAdded }, place }: ClientRowProps) {
  const environment = useEnvironment();
  // The address of the page of imports alone does not say which import it shows.
  const cameFrom = `/${environment}/import/${place.importId}${place.page > 1 ? `?page=${place.page}` : ''}`;
  const state = { cameFrom, importPlace: place };
  return (
    <Table.Tr>
      <Table.Td className="wide" style={{ overflowWrap: 'anywhere' }}>
        <Anchor
          size="sm"
          fw={500}
          renderRoot={(props) => (
            <Link
              to="/$environment/clients/$referenceId"
              params={{ environment, referenceId: client.reference_id }}
              state={state}
              {...props}
            />
          )}
        >
          {client.client_name}
        </Anchor>
        <Text size="sm" c="dimmed">
          {client.email}
        </Text>
      </Table.Td>
      <Table.Td data-label="Group" style={{ overflowWrap: 'anywhere' }}>
        {client.group_name}
      </Table.Td>
      <Table.Td data-label="Request status">
        <StatusLabel status={client.request_status} />
      </Table.Td>
      <Table.Td data-label="By the import">{isAdded ? 'Added' : 'Updated'}</Table.Td>
    </Table.Tr>
  );
}

function descriptionOf({ inserted, updated }: ImportRecord): string {
  const asTheyAre = 'As they are now, without those that were erased since.';
  if (inserted + updated <= CLIENTS_KEPT_MAX) return asTheyAre;
  return `Those of the first ${CLIENTS_KEPT_MAX.toLocaleString()} rows that added or updated one. ${asTheyAre}`;
}
