import { Anchor, Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecentCallsRecord } from '#contract/credentials/recent-calls.ts';
import { comparisonText, percentText } from '../comparison-text.ts';
import { type Column, ColumnChart } from '../components/column-chart.tsx';
import { ColumnTable } from '../components/column-table.tsx';
import { Fold } from '../components/fold.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { recentCallsQuery } from './queries.ts';
import { callsByDay, callsInDaysBefore } from './usage-columns.ts';

const DAYS = 7;
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });

/** What can become of a call, in the order in which a column shows it from the bottom. */
const OUTCOMES = {
  answered: { label: 'Answered', colour: 'var(--mantine-color-ink-5)' },
  failed: { label: 'Answered with an error', colour: 'var(--mantine-color-red-6)' },
  limited: { label: 'Over the limit', colour: 'var(--mantine-color-yellow-6)' },
};
type Outcome = keyof typeof OUTCOMES;
const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

type Day = Column & Record<Outcome, number>;

/** The calls since midnight in the reader's time zone, as soon as they are known. */
export function useCallsToday(): number | undefined {
  const { data } = useQuery(recentCallsQuery(useEnvironment()));
  return data && callsByDay(data, 1)[0]?.count;
}

/** The calls of all API keys in the last days, with errors and limits, compared with the days before. */
export function ApiCallsSection() {
  const environment = useEnvironment();
  const calls = useQuery(recentCallsQuery(environment));
  return (
    <Section
      title="API calls"
      description="Calls with access tokens of your API keys, and the exchanges of secrets for these tokens."
    >
      <QueryContent query={calls} lines={5}>
        {(data) => <Calls data={data} />}
      </QueryContent>
      <Text size="sm" mt="md">
        <Anchor
          inherit
          renderRoot={(props) => (
            <Link to="/$environment/settings/api-credentials" params={{ environment }} {...props} />
          )}
        >
          Calls of each API key
        </Anchor>
      </Text>
    </Section>
  );
}

function Calls({ data }: { data: RecentCallsRecord }) {
  const days = daysOf(data);
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const before = callsInDaysBefore(data, DAYS);
  return (
    <>
      <Text size="sm" role="status">
        <b>{countText(total, 'call', 'calls')} in 7 days</b>, {comparisonText(total, before, '7 days')}
      </Text>
      {total > 0 && <CallsChart days={days} total={total} />}
    </>
  );
}

function CallsChart({ days, total }: { days: Day[]; total: number }) {
  const sumOf = (outcome: Outcome) => days.reduce((sum, day) => sum + day[outcome], 0);
  return (
    <>
      <Group component="ul" className="plain-list" gap="4px 16px" mt={6} mb="md" fz="sm">
        {OUTCOME_NAMES.map((outcome) => (
          <li key={outcome} className="status">
            <i style={{ background: OUTCOMES[outcome].colour }} />
            {OUTCOMES[outcome].label}: {sumOf(outcome).toLocaleString()} ({percentText(sumOf(outcome), total)})
          </li>
        ))}
      </Group>
      {/* The table below says the same in a form that can be read aloud. */}
      <Box aria-hidden>
        <ColumnChart
          columns={days}
          axisText={WEEKDAY.format}
          tooltip={tooltipOf}
          renderColumn={({ from }, bar) => <span key={from.getTime()}>{bar}</span>}
        />
      </Box>
      <Box mt="md">
        <Fold label="Show as a table">
          <ColumnTable
            columns={days}
            heading="Day"
            text={({ from }) => DAY.format(from)}
            counts={{
              Calls: ({ count }) => count,
              Errors: ({ failed }) => failed,
              'Over the limit': ({ limited }) => limited,
            }}
          />
        </Fold>
      </Box>
    </>
  );
}

function daysOf({ calls_per_hour, failed_per_hour, limited_per_hour, last_hour_at }: RecentCallsRecord): Day[] {
  const of = (perHour: number[]) => callsByDay({ calls_per_hour: perHour, last_hour_at }, DAYS);
  const [failures, refusals] = [of(failed_per_hour), of(limited_per_hour)];
  return of(calls_per_hour).map(({ from, count }, index) => {
    const [failed, limited] = [failures[index]?.count ?? 0, refusals[index]?.count ?? 0];
    const counts = { answered: count - failed - limited, failed, limited };
    const parts = OUTCOME_NAMES.map((outcome) => ({ count: counts[outcome], colour: OUTCOMES[outcome].colour }));
    return { from, count, ...counts, parts };
  });
}

function tooltipOf({ from, count, failed, limited }: Day): string {
  const lines = [`${DAY.format(from)}: ${countText(count, 'call', 'calls')}`];
  if (failed > 0) lines.push(countText(failed, 'error', 'errors'));
  if (limited > 0) lines.push(`${limited.toLocaleString()} over the limit`);
  return lines.join('\n');
}
