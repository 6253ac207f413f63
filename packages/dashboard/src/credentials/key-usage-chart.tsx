import { Box, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { KeyDetails } from '#contract/credentials/keys.ts';
import { type Column, ColumnChart } from '../components/column-chart.tsx';
import { ColumnTable } from '../components/column-table.tsx';
import { Fold } from '../components/fold.tsx';
import { countText } from '../count-text.ts';
import { callsByDay, callsByHour } from './usage-columns.ts';

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const HOUR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', ...CLOCK });
const HOUR_OF_DAY = new Intl.DateTimeFormat(undefined, CLOCK);

const PERIODS = {
  hours: { label: '24 hours', heading: 'Hour from', columns: 24, of: callsByHour, text: HOUR, axis: HOUR_OF_DAY },
  days: { label: '30 days', heading: 'Day', columns: 30, of: callsByDay, text: DAY, axis: DAY },
};
type Period = keyof typeof PERIODS;

const OPTIONS = Object.entries(PERIODS).map(([value, { label }]) => ({ value: value as Period, label }));

/** How often the key was used, as a chart and as a table. */
export function KeyUsageChart({ usage }: { usage: Pick<KeyDetails, 'calls_per_hour' | 'last_hour_at'> }) {
  const [period, setPeriod] = useState<Period>('hours');
  const { heading, columns: count, of, text, axis } = PERIODS[period];
  const columns = of(usage, count);
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed" role="status">
          {summaryText(columns, text)}
        </Text>
        <SegmentedControl size="xs" aria-label="Period" data={OPTIONS} value={period} onChange={setPeriod} />
      </Group>
      {/* The table below says the same in a form that can be read aloud. */}
      <Box aria-hidden>
        <ColumnChart
          columns={columns}
          axisText={axis.format}
          tooltip={({ from, count }) => `${text.format(from)}: ${callsText(count)}`}
          renderColumn={({ from }, bar) => <span key={from.getTime()}>{bar}</span>}
        />
      </Box>
      <Box mt="md">
        <Fold label="Show as a table">
          <ColumnTable
            columns={columns}
            heading={heading}
            text={({ from }) => text.format(from)}
            counts={{ Calls: ({ count }) => count }}
          />
        </Fold>
      </Box>
    </>
  );
}

function summaryText(columns: readonly Column[], text: Intl.DateTimeFormat): string {
  const total = columns.reduce((sum, { count }) => sum + count, 0);
  const since = columns[0] ? text.format(columns[0].from) : '';
  return `${total === 0 ? 'No calls' : callsText(total)} since ${since}`;
}

function callsText(count: number): string {
  return countText(count, 'call', 'calls');
}
