import { NativeSelect, TextInput } from '@mantine/core';
import type { Column } from '#contract/clients/files.ts';
import { REJECTED_CELL_MAX_LENGTH } from '#contract/clients/imports.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { COLUMN_LABELS } from './column-labels.ts';

interface CellInputProps {
  column: Column;
  'aria-label': string;
  value: string;
  onChange(value: string): void;
  error: boolean;
}

/** The columns that accept only a few words. */
const CHOICES: Partial<Record<Column, { value: string; label: string }[]>> = {
  client_type: optionsOf(CLIENT_TYPE_LABELS),
  request_status: optionsOf(REQUEST_STATUS_LABELS),
  client_status: optionsOf(CLIENT_STATUS_LABELS),
};

/** A cell of a rejected row, to be corrected. */
export function CellInput({ column, value, onChange, ...props }: CellInputProps) {
  const choices = CHOICES[column];
  const common = {
    ...props,
    size: 'xs',
    label: COLUMN_LABELS[column],
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (!choices) return <TextInput {...common} value={value} maxLength={REJECTED_CELL_MAX_LENGTH} autoComplete="off" />;
  const known = choices.find((choice) => choice.value === value.trim().toLowerCase());
  return (
    <NativeSelect
      {...common}
      value={known?.value ?? value}
      // What the file has stays in sight until something else is chosen.
      data={[
        ...(known || value === '' ? [] : [{ value, label: `“${value}”, which is not possible` }]),
        { value: '', label: column === 'client_type' ? 'Choose…' : 'Not given' },
        ...choices,
      ]}
    />
  );
}
