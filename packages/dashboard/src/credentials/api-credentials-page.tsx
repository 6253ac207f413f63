import { Badge, Box, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyRecord } from '#contract/credentials/keys.ts';
import { parseTime } from '#contract/times.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { ACTOR_LABELS, ENVIRONMENT_NAMES } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { keysQuery } from './queries.ts';

export function ApiCredentialsPage() {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const keys = useQuery(keysQuery(environment));
  const [creating, setCreating] = useState(false);
  const create = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      Create API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API credentials"
        description={`API keys that your programs exchange for access tokens. These work only in ${ENVIRONMENT_NAMES[environment]}.`}
        actions={create}
      />
      <QueryContent query={keys}>
        {({ keys }) =>
          keys.length === 0 ? (
            <EmptyState title={`No API keys in ${ENVIRONMENT_NAMES[environment]} yet`} action={create}>
              A program needs an API key to read your clients. Copy the key when you create it, because it is shown only
              once.
            </EmptyState>
          ) : (
            <KeyTable keys={keys} canEdit={canEdit} />
          )
        }
      </QueryContent>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function KeyTable({ keys, canEdit }: { keys: KeyRecord[]; canEdit: boolean }) {
  const [revoking, setRevoking] = useState<KeyRecord>();
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md" className="stacked-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th className="right">Calls in 30 days</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <KeyRow key={key.key_id} record={key} onRevoke={canEdit ? () => setRevoking(key) : undefined} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {revoking && <RevokeDialog record={revoking} onClose={() => setRevoking(undefined)} />}
    </Box>
  );
}

function KeyRow({ record, onRevoke }: { record: KeyRecord; onRevoke: (() => void) | undefined }) {
  const ended = endedLabel(record);
  return (
    <Table.Tr>
      <Table.Td className="wide">
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
      <Table.Td data-label="Created">
        <Stack gap={0}>
          <Time value={record.created_at} as="date" />
          <Text size="xs" c="dimmed">
            {record.created_by ?? ACTOR_LABELS.operator}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td data-label="Last used">
        {record.last_used_at ? <Time value={record.last_used_at} as="relative" /> : 'Never'}
      </Table.Td>
      <Table.Td className="numeric right" data-label="Calls in 30 days">
        {record.recent_calls.toLocaleString()}
      </Table.Td>
      <Table.Td data-label="Expires">
        {record.expires_at ? <Time value={record.expires_at} as="date" /> : 'Never'}
      </Table.Td>
      <Table.Td className="right actions">
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
  const sendChange = useSendChange();
  return (
    <ConfirmDialog
      title="Revoke this API key?"
      requiredText={record.name}
      action="Revoke API key"
      onClose={onClose}
      onConfirm={() => sendChange('DELETE', `/${environment}/keys/${record.key_id}`)}
    >
      The key <b>{record.name}</b> and every access token created with it stop working within a second. This cannot be
      undone.
    </ConfirmDialog>
  );
}

/** Why a key no longer works, or `undefined` while it does. */
function endedLabel(record: KeyRecord): string | undefined {
  if (record.revoked_at) return 'Revoked';
  const expiresAt = parseTime(record.expires_at ?? '');
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'Expired' : undefined;
}
