import { Badge, Box, Checkbox, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../labels.ts';
import { BulkActions } from './bulk-actions.tsx';
import { StatusLabel } from './status-label.tsx';

interface ClientTableProps {
  clients: ClientRecord[];
  canEdit: boolean;
  /** True while these are still the clients of the previous page and the next one is loading. */
  stale: boolean;
}

export function ClientTable({ clients, canEdit, stale }: ClientTableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectedClients = clients.filter((client) => selected.has(client.reference_id));
  const select = (ids: readonly string[], checked: boolean) => {
    const next = new Set(selected);
    for (const id of ids) checked ? next.add(id) : next.delete(id);
    setSelected(next);
  };
  const all = clients.map((client) => client.reference_id);
  return (
    <Box className="surface" style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale}>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing={9} horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {canEdit && (
                <Table.Th w={44}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all on this page"
                    checked={selectedClients.length === clients.length}
                    indeterminate={selectedClients.length > 0 && selectedClients.length < clients.length}
                    onChange={(event) => select(all, event.currentTarget.checked)}
                  />
                </Table.Th>
              )}
              <Table.Th>Client</Table.Th>
              <Table.Th>Request status</Table.Th>
              <Table.Th visibleFrom="lg">Type</Table.Th>
              <Table.Th visibleFrom="sm">Group</Table.Th>
              <Table.Th visibleFrom="sm">Added</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {clients.map((client) => (
              <ClientRow
                key={client.reference_id}
                client={client}
                selected={selected.has(client.reference_id)}
                onSelect={canEdit ? (checked) => select([client.reference_id], checked) : undefined}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {/* Below the rows and always in sight, so that it moves none of them. */}
      {selectedClients.length > 0 && <BulkActions clients={selectedClients} onDone={() => setSelected(new Set())} />}
    </Box>
  );
}

interface ClientRowProps {
  client: ClientRecord;
  selected: boolean;
  onSelect: ((checked: boolean) => void) | undefined;
}

function ClientRow({ client, selected, onSelect }: ClientRowProps) {
  const environment = useEnvironment();
  return (
    <Table.Tr className="row">
      {onSelect && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`Select ${client.client_name}`}
            checked={selected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
            className="above-row-link"
          />
        </Table.Td>
      )}
      <Table.Td maw={{ base: 190, sm: 320, md: 240, lg: 320 }}>
        <Link
          to="/$environment/clients/$referenceId"
          params={{ environment, referenceId: client.reference_id }}
          className="row-link"
        >
          {client.client_name}
        </Link>
        <Group gap={8} wrap="nowrap">
          {client.client_status === 'inactive' && (
            <Badge variant="default" size="sm" tt="none" fw={500} flex="none">
              {CLIENT_STATUS_LABELS.inactive}
            </Badge>
          )}
          <Text size="xs" c="dimmed" truncate>
            {client.email}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td>
        <StatusLabel status={client.request_status} />
      </Table.Td>
      <Table.Td visibleFrom="lg">{CLIENT_TYPE_LABELS[client.client_type]}</Table.Td>
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
