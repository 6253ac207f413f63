import { Badge, Box, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../labels.ts';
import { ClientBox, PageBox } from './select-boxes.tsx';
import { StatusLabel } from './status-label.tsx';
import type { Selection } from './use-selection.ts';

interface ClientTableProps {
  clients: ClientRecord[];
  /** Missing for members who may not change clients. */
  selection: Selection | undefined;
  /** True while these are still the clients of the previous page and the next one is loading. */
  stale: boolean;
}

export function ClientTable({ clients, selection, stale }: ClientTableProps) {
  return (
    <Box className="surface" style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale}>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing={9} horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={44}>
                  <PageBox selection={selection} page={clients} />
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
                box={selection && <ClientBox selection={selection} page={clients} client={client} />}
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
  /** Selects the client. */
  box: ReactNode;
}

function ClientRow({ client, box }: ClientRowProps) {
  const environment = useEnvironment();
  return (
    <Table.Tr className="row">
      {box && <Table.Td>{box}</Table.Td>}
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
