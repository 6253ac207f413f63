import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column {
  from: Date;
  count: number;
}

interface ColumnChartProps<Each extends Column> {
  columns: readonly Each[];
  /** The text below the first, the middle and the last column. */
  axisText(from: Date): string;
  /** Wraps the bar of a column, for example in a link. */
  renderColumn(column: Each, bar: ReactNode): ReactNode;
}

/** Counts over time, as bars that are as high as their share of the largest count, which is written at the top. */
export function ColumnChart<Each extends Column>({ columns, axisText, renderColumn }: ColumnChartProps<Each>) {
  const largest = Math.max(0, ...columns.map(({ count }) => count));
  return (
    <Box>
      {largest > 0 && (
        <Text size="xs" c="dimmed" className="numeric scale">
          {largest.toLocaleString()}
        </Text>
      )}
      <div className="columns">
        {columns.map((column) =>
          renderColumn(column, column.count > 0 && <i style={{ height: `${(100 * column.count) / largest}%` }} />),
        )}
      </div>
      <Group justify="space-between" mt={6}>
        {[columns[0], columns[Math.floor(columns.length / 2)], columns.at(-1)].map(
          (column) =>
            column && (
              <Text key={column.from.getTime()} size="xs" c="dimmed">
                {axisText(column.from)}
              </Text>
            ),
        )}
      </Group>
    </Box>
  );
}
