import { Button, Group, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OverviewRecord } from '#contract/clients/overview.ts';
import { BarList } from '../components/bar-list.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Figure } from '../components/figure.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Section } from '../components/section.tsx';
import { useEnvironment } from '../environment.ts';
import { useMayChange } from '../permissions.ts';
import { overviewQuery } from '../queries.ts';
import { ArrivalsChart } from './arrivals-chart.tsx';
import { capitalised, STATUS_COLOUR, STATUSES, TYPES } from './statuses.ts';

export function OverviewPage() {
  const environment = useEnvironment();
  const overview = useQuery(overviewQuery(environment));
  return (
    <>
      <PageHeader title="Overview" />
      <Loaded query={overview} lines={12}>
        {(data) => (data.clients === 0 ? <FirstSteps /> : <Figures data={data} />)}
      </Loaded>
    </>
  );
}

function FirstSteps() {
  const environment = useEnvironment();
  const mayChange = useMayChange();
  const to = (path: '/$environment/import' | '/$environment/settings/api-credentials') => (props: object) => (
    <Link to={path} params={{ environment }} {...props} />
  );
  return (
    <EmptyState
      title={`Nobody is on the ${environment} list yet`}
      action={
        mayChange && (
          <Group justify="center">
            <Button renderRoot={to('/$environment/import')}>Import clients</Button>
            <Button variant="default" renderRoot={to('/$environment/settings/api-credentials')}>
              Create an API key
            </Button>
          </Group>
        )
      }
    >
      Bring your clients in from a file, then create an API key for the program that will read them.
    </EmptyState>
  );
}

function Figures({ data }: { data: OverviewRecord }) {
  const clients = '/$environment/clients';
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="md">
        <Figure label="Clients" value={data.clients} to={clients} />
        <Figure label="Waiting for review" value={data.by_status.pending} to={clients} search={{ status: 'pending' }} />
        <Figure label="Groups" value={data.groups} to="/$environment/groups" />
        <Figure label="API calls today" value={data.calls_today} to="/$environment/settings/api-credentials" />
      </SimpleGrid>
      <Section title="Arrivals">
        <ArrivalsChart />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} spacing="md" mt="md">
        <Section title="By request status">
          <BarList
            items={STATUSES.map((status) => ({
              label: capitalised(status),
              value: data.by_status[status],
              colour: STATUS_COLOUR[status],
              search: { status },
            }))}
          />
        </Section>
        <Section title="Largest groups">
          <BarList
            items={data.largest_groups.map(({ group_name: group, clients }) => ({
              label: group,
              value: clients,
              search: { group },
            }))}
          />
        </Section>
        <Section title="By type">
          <BarList
            items={TYPES.map((type) => ({ label: capitalised(type), value: data.by_type[type], search: { type } }))}
          />
        </Section>
      </SimpleGrid>
    </>
  );
}
