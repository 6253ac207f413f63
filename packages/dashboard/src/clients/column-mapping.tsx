import { NativeSelect, Table, Text } from '@mantine/core';
import { COLUMNS, type Column, type Fields, type FilePreview, REQUIRED_COLUMNS } from '#contract/clients/files.ts';
import { COLUMN_LABELS } from './column-labels.ts';

const VALUES_SHOWN = 3;
const LEFT_OUT = '';

const OPTIONS = [
  { value: LEFT_OUT, label: 'Leave out' },
  { group: 'Required', items: REQUIRED_COLUMNS.map(toOption) },
  { group: 'Optional', items: COLUMNS.filter((column) => !isRequired(column)).map(toOption) },
];

function toOption(column: Column) {
  return { value: column, label: COLUMN_LABELS[column] };
}

function isRequired(column: Column): boolean {
  return (REQUIRED_COLUMNS as readonly Column[]).includes(column);
}

interface ColumnMappingProps {
  preview: FilePreview;
  fields: Fields;
  onChange(fields: Fields): void;
  disabled: boolean;
}

/** The columns of a file with their first values, and the field that each is imported as. */
export function ColumnMapping({ preview, fields, onChange, disabled }: ColumnMappingProps) {
  const { columns, rows } = preview;
  const choose = (chosen: number, field: Column | null) =>
    // Another column cannot be the same field any more.
    onChange(fields.map((each, index) => (index === chosen ? field : each === field ? null : each)));
  return (
    <Table className="stacked-table flush-table column-mapping" verticalSpacing={8} aria-label="Columns of the file">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Column in the file</Table.Th>
          <Table.Th>First rows</Table.Th>
          <Table.Th w={220}>Import as</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map((column, index) => {
          const name = column || `Column ${index + 1}, without a name`;
          return (
            <Table.Tr key={index}>
              <Table.Td fw={600} className="wide" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Td>
              <Table.Td data-label="First rows" style={{ overflowWrap: 'anywhere' }}>
                <Values values={rows.flatMap(({ cells }) => cells[index] || [])} />
              </Table.Td>
              <Table.Td data-label="Import as">
                <NativeSelect
                  size="sm"
                  aria-label={`Import ${name} as`}
                  data={OPTIONS}
                  value={fields[index] ?? LEFT_OUT}
                  onChange={({ currentTarget: { value } }) => choose(index, (value || null) as Column | null)}
                  disabled={disabled}
                />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function Values({ values }: { values: string[] }) {
  if (values.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Empty
      </Text>
    );
  }
  return values.slice(0, VALUES_SHOWN).map((value, index) => (
    <Text key={index} size="sm" lineClamp={2}>
      {value}
    </Text>
  ));
}
