import { Box, Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { comparisonText } from '../comparison-text.ts';
import { type Column, ColumnChart } from '../components/column-chart.tsx';
import { ColumnTable } from '../components/column-table.tsx';
import { Fold } from '../components/fold.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useToday } from '../components/use-today.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { newClientsQuery } from './queries.ts';

const RANGES = [
  { value: '7', label: '7 days', bars: 7, daysPerBar: 1 },
  { value: '30', label: '30 days', bars: 30, daysPerBar: 1 },
  { value: '364', label: '52 weeks', bars: 52, daysPerBar: 7 },
] as const;
type Range = (typeof RANGES)[number];

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_OF_WEEK = new Intl.DateTimeFormat(undefined, { weekday: 'short' });

interface Bar extends Column {
  until: Date;
}

/** New clients over time, by days in the reader's time zone, compared with the same time before. Each bar links to the clients that it counts. */
export function NewClientsChart() {
  const environment = useEnvironment();
  const [range, setRange] = useState<Range>(RANGES[1]);
  const today = useToday();
  const timesNow = () => [...periodBefore(range), ...barBoundaries(range)].map(Number);
  const newClients = useQuery(newClientsQuery(environment, `${range.value} days until ${today}`, timesNow));
  return (
    <QueryContent query={newClients} lines={5}>
      {(data) => (
        <>
          <Group justify="space-between" mb="md">
            <Summary {...data} />
            <SegmentedControl
              size="xs"
              aria-label="Period"
              data={RANGES.map(({ value, label }) => ({ value, label }))}
              value={range.value}
              onChange={(value) => setRange(rangeOf((each) => each.value === value))}
            />
          </Group>
          <Bars bars={barsOf(data)} />
        </>
      )}
    </QueryContent>
  );
}

interface NewClients {
  /** The beginning and the end of the period before, and then the boundaries of the bars. */
  times: readonly number[];
  counts: readonly number[];
}

function Summary({ times, counts }: NewClients) {
  const bars = barsOf({ times, counts });
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const { label } = rangeOf((each) => each.bars === bars.length);
  return (
    <Text size="sm" role="status">
      <b>{newClientsText(total)}</b>, {comparisonText(total, counts[0] ?? 0, label)}
    </Text>
  );
}

function rangeOf(isWanted: (range: Range) => boolean): Range {
  return RANGES.find(isWanted) ?? RANGES[1];
}

/** Each bar ends where the next one begins. */
function barsOf({ times, counts }: NewClients): Bar[] {
  const bars = counts.map((count, index) => {
    return { from: new Date(times[index] ?? 0), until: new Date(times[index + 1] ?? 0), count };
  });
  return bars.slice(2);
}

function Bars({ bars }: { bars: Bar[] }) {
  const environment = useEnvironment();
  const textOf = ({ from, until, count }: Bar) => `${dateRangeText(from, until)}: ${newClientsText(count)}`;
  return (
    <>
      <ColumnChart
        columns={bars}
        axisText={bars.length === 7 ? DAY_OF_WEEK.format : DAY.format}
        tooltip={textOf}
        renderColumn={(bar, content) => (
          <Link
            key={bar.from.getTime()}
            to="/$environment/clients"
            params={{ environment }}
            search={{ from: isoDate(bar.from), until: isoDate(bar.until) }}
            aria-label={textOf(bar)}
          >
            {content}
          </Link>
        )}
      />
      <Box mt="md">
        <Fold label="Show as a table">
          <ColumnTable
            columns={bars}
            heading={bars.length === 52 ? 'Week' : 'Day'}
            text={({ from, until }) => dateRangeText(from, until)}
            counts={{ 'New clients': ({ count }) => count }}
          />
        </Fold>
      </Box>
    </>
  );
}

function newClientsText(count: number): string {
  return countText(count, 'new client', 'new clients');
}

/** The start of each bar, and the end of the last one, which is the coming midnight. */
function barBoundaries({ bars, daysPerBar }: Range): Date[] {
  const today = new Date();
  return Array.from({ length: bars + 1 }, (_, index) => {
    const daysAgo = (bars - index) * daysPerBar - 1;
    return new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo);
  });
}

/** As many days before, but only until this time of the day, because today is not over. */
function periodBefore({ bars, daysPerBar }: Range): [start: Date, end: Date] {
  const days = bars * daysPerBar;
  const end = new Date();
  end.setDate(end.getDate() - days);
  return [new Date(end.getFullYear(), end.getMonth(), end.getDate() - days + 1), end];
}

function dateRangeText(from: Date, until: Date): string {
  const last = new Date(until.getFullYear(), until.getMonth(), until.getDate() - 1);
  return last <= from ? DAY.format(from) : `${DAY.format(from)} to ${DAY.format(last)}`;
}

function isoDate(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
