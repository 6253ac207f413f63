import { Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { chartScale } from './chart-scale.ts';

export interface Column {
  from: Date;
  count: number;
  /** Of what the column consists, from the bottom, if not of one thing. */
  parts?: readonly { count: number; colour: string }[];
}

interface ColumnChartProps<Each extends Column> {
  columns: readonly Each[];
  /** The text below a column. */
  axisText(from: Date): string;
  /** What is shown when a column is pointed at. */
  tooltip(column: Each): ReactNode;
  /** Wraps the bar of a column, for example in a link. */
  renderColumn(column: Each, bar: ReactNode): ReactNode;
}

const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Up to this many columns, each has a text below it; otherwise the first, the middle and the last. */
const TEXTS_MAX = 8;

/** Counts over time, as bars of a height in proportion to the scale on the left. */
export function ColumnChart<Each extends Column>(props: ColumnChartProps<Each>) {
  const { columns, axisText, tooltip, renderColumn } = props;
  const scale = chartScale(Math.max(0, ...columns.map(({ count }) => count)));
  const top = scale.at(-1) ?? 0;
  return (
    <div className="chart" style={{ '--parts': Math.max(1, scale.length - 1) } as CSSProperties}>
      <Text size="xs" c="dimmed" className="chart-scale numeric" component="div" aria-hidden>
        {scale.toReversed().map((value) => (
          <span key={value}>{value < 10_000 ? value.toLocaleString() : COMPACT.format(value)}</span>
        ))}
      </Text>
      <div className="columns">
        {columns.map((column, index) =>
          renderColumn(
            column,
            <>
              {column.count > 0 && <Bar column={column} top={top} />}
              <span
                className="chart-tooltip"
                style={{ '--at': index / Math.max(1, columns.length - 1) } as CSSProperties}
              >
                {tooltip(column)}
              </span>
            </>,
          ),
        )}
      </div>
      <Text
        size="xs"
        c="dimmed"
        className="chart-axis"
        component="div"
        aria-hidden
        data-each={columns.length <= TEXTS_MAX}
      >
        {axisColumns(columns).map(({ from }) => (
          <span key={from.getTime()}>{axisText(from)}</span>
        ))}
      </Text>
    </div>
  );
}

function Bar({ column: { count, parts }, top }: { column: Column; top: number }) {
  return (
    <i style={{ height: `${(100 * count) / top}%` }}>
      {parts?.map((part) => (
        <span key={part.colour} style={{ flexGrow: part.count, background: part.colour }} />
      ))}
    </i>
  );
}

function axisColumns<Each extends Column>(columns: readonly Each[]): Each[] {
  if (columns.length <= TEXTS_MAX) return [...columns];
  const places = [0, Math.floor(columns.length / 2), columns.length - 1];
  return columns.filter((_, index) => places.includes(index));
}
