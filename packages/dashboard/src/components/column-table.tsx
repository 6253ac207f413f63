import { Table } from '@mantine/core';
import type { Column } from './column-chart.tsx';

interface ColumnTableProps<Each extends Column> {
  columns: readonly Each[];
  /** The heading of the times, and the text of each. */
  heading: string;
  text(column: Each): string;
  /** What is counted, by its heading. */
  counts: Record<string, (column: Each) => number>;
}

/** The same as a chart, in a form that can be read aloud. The latest time is first. */
export function ColumnTable<Each extends Column>({ columns, heading, text, counts }: ColumnTableProps<Each>) {
  return (
    <Table maw={160 + 160 * Object.keys(counts).length}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{heading}</Table.Th>
          {Object.keys(counts).map((name) => (
            <Table.Th key={name} className="right">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.toReversed().map((column) => (
          <Table.Tr key={column.from.getTime()}>
            <Table.Td>{text(column)}</Table.Td>
            {Object.entries(counts).map(([name, of]) => (
              <Table.Td key={name} className="numeric right">
                {of(column).toLocaleString()}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
