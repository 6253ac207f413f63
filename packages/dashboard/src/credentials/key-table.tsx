import { Box, Button, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeyRecord } from '#contract/credentials/keys.ts';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { accessText } from './access.ts';
import { IDLE_WARNING } from './idle-warning.ts';
import { isUsable } from './key-state.ts';
import { KeyStateLabel, KeyStateTimes } from './key-state-label.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

/** The keys of an environment. Each row opens the page of its key. */
export function KeyTable({ keys, canEdit }: { keys: KeyRecord[]; canEdit: boolean }) {
  const [revoking, setRevoking] = useState<KeyRecord>();
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover className="stacked-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th w={150}>Access</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th className="right unwrapped">Calls in 30 days</Table.Th>
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
      {revoking && <RevokeKeyDialog record={revoking} onClose={() => setRevoking(undefined)} />}
    </Box>
  );
}

function KeyRow({ record, onRevoke }: { record: KeyRecord; onRevoke: (() => void) | undefined }) {
  const environment = useEnvironment();
  return (
    <Table.Tr className="row">
      <Table.Td className="wide key-name">
        <Link
          to="/$environment/settings/api-credentials/$keyId"
          params={{ environment, keyId: record.key_id }}
          className="row-link visible-link"
        >
          {record.name}
        </Link>
        <span className="secret">{record.preview}</span>
      </Table.Td>
      <Table.Td data-label="State">
        <KeyStateLabel record={record} />
        <Text size="xs" c="dimmed" component="div" className="separate-lines">
          <KeyStateTimes record={record} />
        </Text>
      </Table.Td>
      <Table.Td data-label="Access">{accessText(record.scopes)}</Table.Td>
      <Table.Td data-label="Last used">
        <div className="capitalised">
          {record.last_used_at ? <Time value={record.last_used_at} as="relative" /> : 'never'}
        </div>
        {record.idle && (
          <Text size="xs" c="dimmed" maw={220}>
            <IconAlertTriangle size={13} className="warning-icon" aria-hidden /> {IDLE_WARNING}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="numeric right" data-label="Calls in 30 days">
        {record.recent_calls.toLocaleString()}
      </Table.Td>
      <Table.Td className="right actions">
        {onRevoke && isUsable(record.state) && (
          <Button
            size="compact-sm"
            variant="default"
            className="above-row-link"
            onClick={onRevoke}
            aria-label={`Revoke ${record.name}`}
          >
            Revoke…
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
