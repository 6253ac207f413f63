import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_TYPE_LABELS } from '../labels.ts';

export function ClientDetails({ client }: { client: ClientRecord }) {
  const environment = useEnvironment();
  const group = (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/$environment/clients" params={{ environment }} search={{ group: client.group_name }} {...props} />
      )}
    >
      {client.group_name}
    </Anchor>
  );
  return (
    <dl className="description-list">
      <Detail name="Type">{CLIENT_TYPE_LABELS[client.client_type]}</Detail>
      <Detail name="Group">{group}</Detail>
      <Detail name="Added">
        <Time value={client.created_at} />
      </Detail>
      <Detail name="Reference ID">
        <code>{client.reference_id}</code>
      </Detail>
      <Detail name="Group token">
        <code>{client.group_token}</code>
      </Detail>
    </dl>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}
