import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import type { FillableColumn, FilledColumns } from '#contract/clients/files.ts';
import { GROUP_NAME_MAX_LENGTH } from '#contract/clients/groups.ts';
import { CLIENT_TYPE_LABELS, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import { GroupNameInput } from './group-inputs.tsx';

export function forAllRowsFieldId(column: FillableColumn): string {
  return `for-all-rows-${column}`;
}

interface ValuesForAllRowsProps {
  /** Those that no column of the file is imported as. */
  columns: readonly FillableColumn[];
  values: FilledColumns;
  onChange(values: FilledColumns): void;
  disabled: boolean;
}

/** One value for all rows of a file, for each column that it does not have. */
export function ValuesForAllRows({ columns, values, onChange, disabled }: ValuesForAllRowsProps) {
  return (
    <section aria-label="For all rows">
      <Text size="sm" fw={600}>
        For all rows
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        If the file has no column for one of these, choose a value for all of its rows.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
        {columns.map((column) => (
          <ValueInput
            key={column}
            column={column}
            value={values[column] ?? ''}
            onChange={(value) => onChange({ ...values, [column]: value })}
            disabled={disabled}
          />
        ))}
      </SimpleGrid>
    </section>
  );
}

interface ValueInputProps {
  column: FillableColumn;
  value: string;
  onChange(value: string): void;
  disabled: boolean;
}

const OPTIONS = {
  client_type: [{ value: '', label: 'Choose…' }, ...optionsOf(CLIENT_TYPE_LABELS)],
  request_status: [
    { value: '', label: `${REQUEST_STATUS_LABELS.requested} if new, else as it is` },
    ...optionsOf(REQUEST_STATUS_LABELS),
  ],
};

function ValueInput({ column, value, onChange, disabled }: ValueInputProps) {
  const props = { id: forAllRowsFieldId(column), label: COLUMN_LABELS[column], size: 'sm', value, disabled };
  if (column === 'group_name') {
    return (
      <GroupNameInput
        {...props}
        placeholder="An existing group or a new one"
        maxLength={GROUP_NAME_MAX_LENGTH}
        onChange={onChange}
      />
    );
  }
  return (
    <NativeSelect
      {...props}
      data={OPTIONS[column]}
      onChange={({ currentTarget: { value: chosen } }) => onChange(chosen)}
    />
  );
}
