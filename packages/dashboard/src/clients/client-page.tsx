import { Anchor, Badge, Button, Grid, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ClientDetail, ClientRecord } from '#contract/clients/clients.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Section } from '../components/section.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { useMayChange } from '../permissions.ts';
import { clientQuery } from '../queries.ts';
import { useChange } from '../use-change.ts';
import { ClientHistory } from './client-history.tsx';
import { CorrectClientDialog } from './correct-client-dialog.tsx';
import { NextSteps } from './next-steps.tsx';
import { StatusLabel } from './status-label.tsx';

const route = getRouteApi('/$environment/clients/$referenceId');

export function ClientPage() {
  const environment = useEnvironment();
  const { referenceId } = route.useParams();
  const detail = useQuery(clientQuery(environment, referenceId));
  return (
    <>
      <Text size="sm" mb={6}>
        <Link to="/$environment/clients" params={{ environment }} className="text-link">
          ← All clients
        </Link>
      </Text>
      <Loaded query={detail} lines={8}>
        {(data) => <Detail {...data} />}
      </Loaded>
    </>
  );
}

function Detail({ client, next_statuses: next, history }: ClientDetail) {
  const mayChange = useMayChange();
  return (
    <>
      <PageHeader
        title={client.client_name}
        description={client.email}
        actions={mayChange && <ClientActions client={client} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Where it stands">
            <Group mb="md" gap="sm">
              <Text fw={600} size="lg" component="div">
                <StatusLabel status={client.request_status} />
              </Text>
              {client.client_status === 'inactive' && (
                <Badge variant="default" tt="none">
                  inactive
                </Badge>
              )}
            </Group>
            {mayChange && <NextSteps client={client} next={next} />}
          </Section>
          <Section title="Details" mt="lg">
            <ClientFacts client={client} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="History">
            <ClientHistory events={history} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function ClientFacts({ client }: { client: ClientRecord }) {
  const environment = useEnvironment();
  return (
    <Facts
      facts={[
        ['Type', client.client_type],
        [
          'Group',
          <Anchor
            key="group"
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/$environment/clients"
                params={{ environment }}
                search={{ group: client.group_name }}
                {...props}
              />
            )}
          >
            {client.group_name}
          </Anchor>,
        ],
        ['Client status', client.client_status],
        ['Added', <Time key="added" value={client.created_at} />],
        ['Reference', <code key="reference">{client.reference_id}</code>],
        ['Group token', <code key="token">{client.group_token}</code>],
      ]}
    />
  );
}

function ClientActions({ client }: { client: ClientRecord }) {
  const environment = useEnvironment();
  const change = useChange();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'correct' | 'erase'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button variant="default" onClick={() => setOpen('correct')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setOpen('erase')}>
        Erase…
      </Button>
      {open === 'correct' && <CorrectClientDialog client={client} onClose={close} />}
      {open === 'erase' && (
        <ConfirmDialog
          title="Erase this client?"
          typed={client.email}
          action="Erase for good"
          onClose={close}
          onConfirm={async () => {
            await change('DELETE', `/${environment}/clients/${client.reference_id}`);
            await navigate({ to: '/$environment/clients', params: { environment } });
          }}
        >
          Name, email and history of <b>{client.client_name}</b> are removed for good; only the fact that somebody was
          erased stays. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}
