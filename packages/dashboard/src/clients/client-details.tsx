import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { CopyIcon } from '../components/copy-icon.tsx';
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
      <Description name="Email">
        {client.email} <CopyIcon label="Copy email" value={client.email} />
      </Description>
      <Identifier name="Reference ID" value={client.reference_id} />
      {client.external_id !== '' && <Identifier name="External ID" value={client.external_id} />}
      <Identifier name="Group token" value={client.group_token} />
    </DescriptionList>
  );
}

function Identifier({ name, value }: { name: string; value: string }) {
  return (
    <Description name={name}>
      <code>{value}</code> <CopyIcon label={`Copy ${name}`} value={value} />
    </Description>
  );
}
