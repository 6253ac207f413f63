import { Box, Checkbox, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { BulkBar } from './bulk-bar.tsx';
import { StatusLabel } from './status-label.tsx';

interface ClientTableProps {
  clients: ClientRecord[];
  mayChange: boolean;
  /** True while the next page is on its way and this is still the one before. */
  stale: boolean;
}

export function ClientTable({ clients, mayChange, stale }: ClientTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = clients.filter((client) => chosen.has(client.reference_id));
  const choose = (ids: readonly string[], checked: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) checked ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const all = clients.map((client) => client.reference_id);
  return (
    <Box className="surface" style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale}>
      {shown.length > 0 && <BulkBar clients={shown} onDone={() => setChosen(new Set())} />}
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing={9} horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {mayChange && (
                <Table.Th w={44}>
                  <Checkbox
                    size="xs"
                    aria-label="Choose all on this page"
                    checked={shown.length === clients.length}
                    indeterminate={shown.length > 0 && shown.length < clients.length}
                    onChange={(event) => choose(all, event.currentTarget.checked)}
                  />
                </Table.Th>
              )}
              <Table.Th>Client</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th visibleFrom="md">Type</Table.Th>
              <Table.Th visibleFrom="sm">Group</Table.Th>
              <Table.Th visibleFrom="sm">Added</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {clients.map((client) => (
              <ClientRow
                key={client.reference_id}
                client={client}
                chosen={chosen.has(client.reference_id)}
                onChoose={mayChange ? (checked) => choose([client.reference_id], checked) : undefined}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}

interface ClientRowProps {
  client: ClientRecord;
  chosen: boolean;
  onChoose: ((checked: boolean) => void) | undefined;
}

function ClientRow({ client, chosen, onChoose }: ClientRowProps) {
  const environment = useEnvironment();
  return (
    <Table.Tr className="row">
      {onChoose && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`Choose ${client.client_name}`}
            checked={chosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
            className="above-row-link"
          />
        </Table.Td>
      )}
      <Table.Td maw={{ base: 190, sm: 320 }}>
        <Link
          to="/$environment/clients/$referenceId"
          params={{ environment, referenceId: client.reference_id }}
          className="row-link"
        >
          {client.client_name}
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {client.email}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusLabel status={client.request_status} />
      </Table.Td>
      <Table.Td visibleFrom="md">{client.client_type}</Table.Td>
      <Table.Td maw={200} visibleFrom="sm">
        <Text size="sm" truncate>
          {client.group_name}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Time value={client.created_at} as="date" />
      </Table.Td>
    </Table.Tr>
  );
}
