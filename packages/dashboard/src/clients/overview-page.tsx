import { Button, Group, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OverviewRecord } from '#contract/clients/overview.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_TYPE_LABELS, ENVIRONMENT_NAMES, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { BarList } from './bar-list.tsx';
import { NewClientsChart } from './new-clients-chart.tsx';
import { OtherEnvironmentHint } from './other-environment-hint.tsx';
import { overviewQuery } from './queries.ts';
import { StatCard } from './stat-card.tsx';
import { STATUS_COLOURS } from './status-appearance.ts';

export function OverviewPage() {
  const environment = useEnvironment();
  const overview = useQuery(overviewQuery(environment));
  return (
    <>
      <PageHeader title="Overview" />
      <QueryContent query={overview} lines={12}>
        {(data) => (data.clients === 0 ? <FirstSteps /> : <OverviewContent data={data} />)}
      </QueryContent>
    </>
  );
}

function FirstSteps() {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const to = (path: '/$environment/import' | '/$environment/settings/api-credentials') => (props: object) => (
    <Link to={path} params={{ environment }} {...props} />
  );
  return (
    <EmptyState
      title={`No clients in ${ENVIRONMENT_NAMES[environment]} yet`}
      action={
        canEdit && (
          <Group justify="center">
            <Button renderRoot={to('/$environment/import')}>Import clients</Button>
            <Button variant="default" renderRoot={to('/$environment/settings/api-credentials')}>
              Create API key
            </Button>
          </Group>
        )
      }
    >
      Import your clients from a file, then create an API key for the program that will read them.
      <OtherEnvironmentHint to="/$environment/overview" />
    </EmptyState>
  );
}

function OverviewContent({ data }: { data: OverviewRecord }) {
  const clients = '/$environment/clients';
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="md">
        <StatCard label="Clients" value={data.clients} to={clients} />
        <StatCard
          label={REQUEST_STATUS_LABELS.pending}
          value={data.by_status.pending}
          to={clients}
          search={{ status: 'pending' }}
        />
        <StatCard label="Groups" value={data.groups} to="/$environment/groups" />
        <StatCard label="API calls today" value={data.calls_today} to="/$environment/settings/api-credentials" />
      </SimpleGrid>
      <Section title="New clients">
        <NewClientsChart />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} spacing="md" mt="md">
        <Section title="By request status">
          <BarList
            items={optionsOf(REQUEST_STATUS_LABELS).map(({ value: status, label }) => ({
              label,
              value: data.by_status[status],
              colour: STATUS_COLOURS[status],
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
            items={optionsOf(CLIENT_TYPE_LABELS).map(({ value: type, label }) => ({
              label,
              value: data.by_type[type],
              search: { type },
            }))}
          />
        </Section>
      </SimpleGrid>
    </>
  );
}
