import { Anchor, Box, List, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Environment } from '#contract/environments.ts';
import type { NamedClient } from '#contract/members/activity.ts';
import { useFromHere } from '../components/way-back.ts';
import { ERASED_CLIENT } from './activity-labels.ts';
import { Changes } from './changes.tsx';
import { listedClientsQuery } from './queries.ts';

interface ClientNameProps {
  client: NamedClient;
  environment: Environment;
  text: string;
}

/** Leads to the client. One that was erased has no page, and is told apart by its reference. */
export function ClientName({ client, environment, text }: ClientNameProps) {
  const { reference_id: referenceId, client_name: name } = client;
  const fromHere = useFromHere();
  if (name === null) {
    return (
      <>
        {text}{' '}
        <Text span size="xs" c="dimmed">
          {referenceId}
        </Text>
      </>
    );
  }
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => (
        <Link
          to="/$environment/clients/$referenceId"
          params={{ environment, referenceId }}
          state={fromHere}
          {...props}
        />
      )}
    >
      {text}
    </Anchor>
  );
}

interface ListedClientsProps {
  environment: Environment;
  number: number;
  /** How many were changed, of which some may be listed. */
  total: number;
}

/** The clients that were changed together, which are fetched when somebody wants to see them. */
export function ListedClients(props: ListedClientsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box mt={2}>
      <Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the clients' : 'Show the clients'}
      </Anchor>
      {isOpen && <Clients {...props} />}
    </Box>
  );
}

function Clients({ environment, number, total }: ListedClientsProps) {
  const { data, error } = useQuery(listedClientsQuery(environment, number));
  if (error) return <Text size="sm">{error.message}</Text>;
  if (!data) return <Loader size="xs" display="block" mt={4} />;
  return (
    <>
      {data.clients.length < total && (
        <Text size="sm" c="dimmed" mt={4}>
          {data.clients.length.toLocaleString()} of them are listed. What was changed of the others, and why, is in
          their histories.
        </Text>
      )}
      <List size="sm" mt={4}>
        {data.clients.map((client) => (
          <List.Item key={client.reference_id}>
            <ClientName client={client} environment={environment} text={client.client_name ?? ERASED_CLIENT} />
            {client.changed && <Changes {...client.changed} />}
          </List.Item>
        ))}
      </List>
    </>
  );
}
