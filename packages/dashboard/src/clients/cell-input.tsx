import { NativeSelect, TextInput } from '@mantine/core';
import { type Column, findWord, isWordColumn, type toValueMapping } from '#contract/clients/files.ts';
import { REJECTED_CELL_MAX_LENGTH } from '#contract/clients/imports.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import { WORD_OPTIONS } from './word-options.ts';

interface CellInputProps {
  column: Column;
  'aria-label': string;
  value: string;
  /** What was chosen for values of the file. */
  meanings: ReturnType<typeof toValueMapping>;
  onChange(value: string): void;
  error: boolean;
}

/** A cell of a rejected row, to be corrected. */
export function CellInput({ column, value, meanings, onChange, ...props }: CellInputProps) {
  const common = {
    ...props,
    size: 'xs',
    label: COLUMN_LABELS[column],
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (!isWordColumn(column))
    return <TextInput {...common} value={value} maxLength={REJECTED_CELL_MAX_LENGTH} autoComplete="off" />;
  const choices = WORD_OPTIONS[column];
  const meant = choices.find((choice) => choice.value === findWord(column, value, meanings));
  const known = choices.find((choice) => choice.value === value.trim().toLowerCase());
  return (
    <NativeSelect
      {...common}
      value={known?.value ?? value}
      // What the file has stays in sight until something else is chosen.
      data={[
        ...(known || value === ''
          ? []
          : [{ value, label: meant ? `“${value}” = ${meant.label}` : `“${value}” (in the file)` }]),
        { value: '', label: column === 'client_type' ? 'Choose…' : 'Not given' },
        ...choices,
      ]}
    />
  );
}
