import { NativeSelect, Table, Text } from '@mantine/core';
import {
  COLUMNS,
  type Column,
  type DateForm,
  type Fields,
  type FilePreview,
  REQUIRED_COLUMNS,
} from '#contract/clients/files.ts';
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

/** With the sign that the file has between day and month. */
function dateOptions(values: readonly string[]): { value: DateForm; label: string }[] {
  const hasDots = values.some((value) => /^\d+\.\d/.test(value));
  return [
    { value: 'iso', label: '2026-01-31' },
    { value: 'day-first', label: hasDots ? '31.01.2026' : '31/01/2026' },
    { value: 'month-first', label: '01/31/2026' },
  ];
}

/** Of the field in which the form of dates is chosen. */
export const DATE_FORM_ID = 'form-of-dates';

/** Of the field in which it is chosen what a column is imported as. */
export function columnFieldId(index: number): string {
  return `import-column-${index}`;
}

interface ColumnMappingProps {
  preview: FilePreview;
  fields: Fields;
  onChange(fields: Fields): void;
  /** How the dates of the column are written that is imported as such, or null if that has to be chosen. */
  dates: DateForm | null;
  onDates(dates: DateForm): void;
  disabled: boolean;
}

/** The columns of a file with their first values, and the field that each is imported as. */
export function ColumnMapping({ preview, fields, onChange, dates, onDates, disabled }: ColumnMappingProps) {
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
          const values = rows.flatMap(({ cells }) => cells[index] || []);
          return (
            <Table.Tr key={index}>
              <Table.Td fw={600} className="wide" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Td>
              <Table.Td data-label="First rows" style={{ overflowWrap: 'anywhere' }}>
                <Values values={values} />
              </Table.Td>
              <Table.Td data-label="Import as">
                <NativeSelect
                  id={columnFieldId(index)}
                  size="sm"
                  aria-label={`Import ${name} as`}
                  data={OPTIONS}
                  value={fields[index] ?? LEFT_OUT}
                  onChange={({ currentTarget: { value } }) => choose(index, (value || null) as Column | null)}
                  disabled={disabled}
                />
                {fields[index] === 'created_at' && (
                  <DateFormSelect column={name} values={values} chosen={dates} onChange={onDates} disabled={disabled} />
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

interface DateFormSelectProps {
  column: string;
  /** The first ones of the column. */
  values: readonly string[];
  chosen: DateForm | null;
  onChange(form: DateForm): void;
  disabled: boolean;
}

/** Asked for once for all dates of a column. */
function DateFormSelect({ column, values, chosen, onChange, disabled }: DateFormSelectProps) {
  return (
    <NativeSelect
      id={DATE_FORM_ID}
      size="sm"
      mt={6}
      label="Its dates look like"
      aria-label={`The dates of ${column} look like`}
      data={[...(chosen ? [] : [{ value: '', label: 'Choose…' }]), ...dateOptions(values)]}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(value as DateForm)}
      disabled={disabled}
    />
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
