import { SimpleGrid, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PERIOD_DAYS, type PeriodRecord, type ReviewTimesRecord, TIMES_READ_MAX } from '#contract/clients/review.ts';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { durationText } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { reviewTimesQuery } from './queries.ts';
import { StatusLabel } from './status-label.tsx';

/** How many clients were decided about, and how long that took, compared with the period before. */
export function ReviewTimes() {
  const times = useQuery(reviewTimesQuery(useEnvironment()));
  return (
    <Section
      title="Reviews"
      mt="md"
      description={`The last ${PERIOD_DAYS} days, and the ${PERIOD_DAYS} days before. Changes by imports are not counted. How long a client had its status before it was added to Rollcall is not known.`}
    >
      <QueryContent query={times} lines={5}>
        {(data) => (hasChanges(data) ? <Figures {...data} /> : <Text size="sm">No status was changed yet.</Text>)}
      </QueryContent>
    </Section>
  );
}

function hasChanges({ current, previous }: ReviewTimesRecord): boolean {
  return [current, previous].some(
    (period) => period.declined > 0 || Object.values(period.in_status_ms).some((ms) => ms !== null),
  );
}

function Figures({ current, previous, is_sampled: isSampled }: ReviewTimesRecord) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md" mb="md">
        <Figure
          label="Completed"
          value={current.completed.toLocaleString()}
          before={previous.completed.toLocaleString()}
        />
        <Figure
          label="Declined"
          value={current.declined.toLocaleString()}
          before={previous.declined.toLocaleString()}
        />
        <Figure
          label="Median time from added to completed"
          value={textOf(current.completion_ms)}
          before={previous.completion_ms === null ? null : textOf(previous.completion_ms)}
        />
      </SimpleGrid>
      <StatusTimes current={current} previous={previous} />
      {isSampled && (
        <Text size="xs" c="dimmed" mt="sm">
          Medians are those of the last {TIMES_READ_MAX.toLocaleString()} changes of a status in each period.
        </Text>
      )}
    </>
  );
}

function Figure({ label, value, before }: { label: string; value: string; before: string | null }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="numeric" fz={20} fw={600} lh={1.4}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {before === null ? 'none' : before} before
      </Text>
    </div>
  );
}

/** The median time that clients had spent in a status when they left it. */
function StatusTimes({ current, previous }: { current: PeriodRecord; previous: PeriodRecord }) {
  return (
    <Table verticalSpacing={6} horizontalSpacing={0}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Median time in status</Table.Th>
          <Table.Th className="right">Last {PERIOD_DAYS} days</Table.Th>
          <Table.Th className="right">Before</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {optionsOf(REQUEST_STATUS_LABELS).map(({ value: status }) => (
          <Table.Tr key={status}>
            <Table.Td>
              <StatusLabel status={status} />
            </Table.Td>
            <Table.Td className="right numeric">{textOf(current.in_status_ms[status])}</Table.Td>
            <Table.Td className="right numeric">{textOf(previous.in_status_ms[status])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Nothing to measure is not a time of zero. */
function textOf(ms: number | null): string {
  return ms === null ? '–' : durationText(ms);
}
