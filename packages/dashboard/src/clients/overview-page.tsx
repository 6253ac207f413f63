import { Box, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OverviewRecord } from '#contract/clients/overview.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_TYPE_LABELS, ENVIRONMENT_NAMES, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { BarList } from './bar-list.tsx';
import { FirstSteps, hasFirstSteps } from './first-steps.tsx';
import { NewClientsChart } from './new-clients-chart.tsx';
import { OtherEnvironmentHint } from './other-environment-hint.tsx';
import { overviewQuery } from './queries.ts';
import { ReviewTimes } from './review-times.tsx';
import { StatCard } from './stat-card.tsx';
import { STATUS_COLOURS } from './status-appearance.ts';

export function OverviewPage() {
  const environment = useEnvironment();
  const overview = useQuery(overviewQuery(environment));
  return (
    <>
      <PageHeader title="Overview" />
      <QueryContent query={overview} lines={12}>
        {(data) => (data.clients === 0 ? <NoClients data={data} /> : <OverviewContent data={data} />)}
      </QueryContent>
    </>
  );
}

/** In place of the figures, as long as there are none. */
function NoClients({ data }: { data: OverviewRecord }) {
  const environment = useEnvironment();
  const hint = <OtherEnvironmentHint to="/$environment/overview" />;
  if (useCanEdit()) return <FirstSteps done={data} hint={hint} />;
  return (
    <EmptyState title={`No clients in ${ENVIRONMENT_NAMES[environment]} yet`}>
      Owners and admins can import clients from a file.
      {hint}
    </EmptyState>
  );
}

function OverviewContent({ data }: { data: OverviewRecord }) {
  const clients = '/$environment/clients';
  const canEdit = useCanEdit();
  return (
    <>
      {canEdit && hasFirstSteps(data) && (
        <Box mb="md">
          <FirstSteps done={data} hint="They disappear from here when all of them are done." />
        </Box>
      )}
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
      <ReviewTimes />
    </>
  );
}
