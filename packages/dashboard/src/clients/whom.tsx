import { Text } from '@mantine/core';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { namesText } from './names-text.ts';

interface WhomProps {
  /** Those that are known. */
  clients: readonly ClientRecord[];
  /** How many there are, which may be more. */
  count?: number;
}

/** The clients that a dialog is about. Names are not unique, so that of a single client is not enough. */
export function Whom({ clients, count = clients.length }: WhomProps) {
  const [only] = clients;
  if (!only || count > 1) {
    const names = clients.map((client) => client.client_name);
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {namesText(names, count)}
      </Text>
    );
  }
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {only.email}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Group: {only.group_name}
      </Text>
    </div>
  );
}
