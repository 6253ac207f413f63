import { Badge, Box, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyRecord } from '#contract/credentials/keys.ts';
import { parseTime } from '#contract/times.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { useMayChange } from '../permissions.ts';
import { keysQuery } from '../queries.ts';
import { useChange } from '../use-change.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';

export function ApiCredentialsPage() {
  const environment = useEnvironment();
  const mayChange = useMayChange();
  const keys = useQuery(keysQuery(environment));
  const [creating, setCreating] = useState(false);
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      Create API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API credentials"
        description={`Keys that your programs exchange for access tokens, for ${environment} only.`}
        actions={create}
      />
      <Loaded query={keys}>
        {({ keys }) =>
          keys.length === 0 ? (
            <EmptyState title={`No ${environment} keys yet`} action={create}>
              A program needs an API key to read your clients. Create one, and copy it when it is shown: that happens
              once.
            </EmptyState>
          ) : (
            <KeyTable keys={keys} mayChange={mayChange} />
          )
        }
      </Loaded>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function KeyTable({ keys, mayChange }: { keys: KeyRecord[]; mayChange: boolean }) {
  const [revoking, setRevoking] = useState<KeyRecord>();
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={760} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th ta="right">Calls, 30 days</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <KeyRow key={key.key_id} record={key} onRevoke={mayChange ? () => setRevoking(key) : undefined} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {revoking && <RevokeDialog record={revoking} onClose={() => setRevoking(undefined)} />}
    </Box>
  );
}

function KeyRow({ record, onRevoke }: { record: KeyRecord; onRevoke: (() => void) | undefined }) {
  const ended = stateOf(record);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8}>
          <Text size="sm" fw={500}>
            {record.name}
          </Text>
          {ended && (
            <Badge variant="default" size="sm" tt="none" fw={500}>
              {ended}
            </Badge>
          )}
        </Group>
        <span className="secret">{record.preview}</span>
      </Table.Td>
      <Table.Td>
        <Stack gap={0}>
          <Time value={record.created_at} as="date" />
          <Text size="xs" c="dimmed">
            {record.created_by ?? 'command line'}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>{record.last_used_at ? <Time value={record.last_used_at} as="ago" /> : 'never'}</Table.Td>
      <Table.Td ta="right" className="numeric">
        {record.recent_calls.toLocaleString()}
      </Table.Td>
      <Table.Td>{record.expires_at ? <Time value={record.expires_at} as="date" /> : 'never'}</Table.Td>
      <Table.Td ta="right">
        {onRevoke && !ended && (
          <Button size="compact-sm" variant="default" onClick={onRevoke} aria-label={`Revoke ${record.name}`}>
            Revoke
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function RevokeDialog({ record, onClose }: { record: KeyRecord; onClose(): void }) {
  const environment = useEnvironment();
  const change = useChange();
  return (
    <ConfirmDialog
      title="Revoke this key?"
      typed={record.name}
      action="Revoke key"
      onClose={onClose}
      onConfirm={() => change('DELETE', `/${environment}/keys/${record.key_id}`)}
    >
      Programs that use <b>{record.name}</b> stop working within a second, and so does every access token made from it.
      This cannot be undone.
    </ConfirmDialog>
  );
}

function stateOf(record: KeyRecord): string | undefined {
  if (record.revoked_at) return 'revoked';
  const expiresAt = parseTime(record.expires_at ?? '');
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : undefined;
}
