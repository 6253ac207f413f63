import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Description, DescriptionList } from '../components/description-list.tsx';
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
    <DescriptionList>
      <Description name="Type">{CLIENT_TYPE_LABELS[client.client_type]}</Description>
      <Description name="Group">{group}</Description>
      <Description name="Added">
        <Time value={client.created_at} />
      </Description>
      <Description name="Reference ID">
        <code>{client.reference_id}</code>
      </Description>
      {client.external_id !== '' && (
        <Description name="External ID">
          <code>{client.external_id}</code>
        </Description>
      )}
      <Description name="Group token">
        <code>{client.group_token}</code>
      </Description>
    </DescriptionList>
  );
}
