import { Box, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OverviewRecord } from '#contract/clients/overview.ts';
import { percentText } from '../comparison-text.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { ApiCallsSection, useCallsToday } from '../credentials/index.ts';
import { useEnvironment } from '../environment.ts';
import { CLIENT_TYPE_LABELS, ENVIRONMENT_NAMES, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { type Bar, BarList } from './bar-list.tsx';
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
  const callsToday = useCallsToday();
  const canEdit = useCanEdit();
  return (
    <>
      {canEdit && hasFirstSteps(data) && (
        <Box mb="md">
          <FirstSteps done={data} hint="These steps disappear from here when all of them are done." />
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
        <StatCard label="API calls today" value={callsToday} to="/$environment/settings/api-credentials" />
      </SimpleGrid>
      <Section title="New clients">
        <NewClientsChart />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} spacing="md" my="md">
        <Section title="By request status">
          <StatusFunnel data={data} />
        </Section>
        <Section title="Largest groups">
          <LargestGroups data={data} />
        </Section>
        <Section title="By type">
          <BarList
            whole={data.clients}
            items={optionsOf(CLIENT_TYPE_LABELS).map(({ value: type, label }) => ({
              label,
              value: data.by_type[type],
              search: { type },
            }))}
          />
        </Section>
      </SimpleGrid>
      <ReviewTimes />
      <Box mt="md">
        <ApiCallsSection />
      </Box>
    </>
  );
}

/** How the clients are spread over the steps of onboarding, and how those ended for which it is over. */
function StatusFunnel({ data: { clients, by_status: counts } }: { data: OverviewRecord }) {
  const decided = counts.completed + counts.declined;
  return (
    <>
      <BarList
        whole={clients}
        items={optionsOf(REQUEST_STATUS_LABELS).map(({ value: status, label }) => ({
          label,
          value: counts[status],
          colour: STATUS_COLOURS[status],
          search: { status },
        }))}
      />
      {decided > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          Of {countText(decided, 'decided client', 'decided clients')}, {percentText(counts.completed, decided)}{' '}
          {counts.completed === 1 ? 'was' : 'were'} completed.
        </Text>
      )}
    </>
  );
}

/** With what is in all other groups together, so that the list adds up. */
function LargestGroups({ data: { clients, groups, largest_groups: largest } }: { data: OverviewRecord }) {
  const shown = largest.reduce((sum, group) => sum + group.clients, 0);
  const others = groups - largest.length;
  const items: Bar[] = largest.map(({ group_name: group, clients }) => ({
    label: group,
    value: clients,
    search: { group },
  }));
  if (others > 0) {
    const value = clients - shown;
    const label =
      value === 0 ? countText(others, 'empty group', 'empty groups') : countText(others, 'other group', 'other groups');
    items.push({ label, value, colour: 'var(--mantine-color-gray-5)' });
  }
  return <BarList whole={clients} items={items} />;
}
