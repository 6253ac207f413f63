import { Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ColumnChart } from '../components/column-chart.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { newClientsQuery } from './queries.ts';

const RANGES = [
  { value: '7', label: '7 days', bars: 7, daysPerBar: 1 },
  { value: '30', label: '30 days', bars: 30, daysPerBar: 1 },
  { value: '364', label: '52 weeks', bars: 52, daysPerBar: 7 },
];

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** New clients over time, by days in the reader's time zone. Each bar links to the clients that it counts. */
export function NewClientsChart() {
  const environment = useEnvironment();
  const [period, setPeriod] = useState('30');
  const range = RANGES.find(({ value }) => value === period) ?? { bars: 30, daysPerBar: 1 };
  const days = useMemo(() => barBoundaries(range.bars, range.daysPerBar), [range]);
  const newClients = useQuery(newClientsQuery(environment, days.map(Number)));
  return (
    <QueryContent query={newClients} lines={5}>
      {({ counts }) => (
        <>
          <Group justify="space-between" mb="sm">
            <Text size="sm" c="dimmed" role="status">
              {newClientsText(counts.reduce((sum, count) => sum + count, 0))}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label="Period"
              data={RANGES.map(({ value, label }) => ({ value, label }))}
              value={period}
              onChange={setPeriod}
            />
          </Group>
          <Bars counts={counts} days={days} />
        </>
      )}
    </QueryContent>
  );
}

/** The columns, each of which ends where the next day of the list begins. */
function Bars({ counts, days }: { counts: number[]; days: Date[] }) {
  const environment = useEnvironment();
  const columns = counts.flatMap((count, index) => {
    const [from, until] = [days[index], days[index + 1]];
    return from && until ? [{ from, until, count }] : [];
  });
  return (
    <ColumnChart
      columns={columns}
      axisText={DAY.format}
      renderColumn={({ from, until, count }, bar) => {
        const label = `${dateRangeText(from, until)}: ${newClientsText(count)}`;
        return (
          <Link
            key={from.getTime()}
            to="/$environment/clients"
            params={{ environment }}
            search={{ from: isoDate(from), until: isoDate(until) }}
            title={label}
            aria-label={label}
          >
            {bar}
          </Link>
        );
      }}
    />
  );
}

function newClientsText(count: number): string {
  return countText(count, 'new client', 'new clients');
}

/** The start of each bar, and the end of the last one, which is the coming midnight. */
function barBoundaries(bars: number, daysPerBar: number): Date[] {
  const today = new Date();
  return Array.from({ length: bars + 1 }, (_, index) => {
    const daysAgo = (bars - index) * daysPerBar - 1;
    return new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo);
  });
}

function dateRangeText(from: Date, until: Date): string {
  const last = new Date(until.getFullYear(), until.getMonth(), until.getDate() - 1);
  return last <= from ? DAY.format(from) : `${DAY.format(from)} to ${DAY.format(last)}`;
}

function isoDate(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
