import { TextInput, type TextInputProps } from '@mantine/core';
import { parseDay } from '#contract/times.ts';
import { useSearchText } from './use-search-text.ts';

interface DayInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string | undefined;
  onChange(day: string | undefined): void;
}

/** A day such as `2026-01-31`. While a year is typed, the field holds years such as 0002, which are not passed on. */
export function DayInput({ value, onChange, ...props }: DayInputProps) {
  const [day, type] = useSearchText(value ?? '', (typed) => {
    if (typed === undefined || parseDay(typed) !== undefined) onChange(typed);
  });
  return (
    <TextInput
      type="date"
      min="1970-01-01"
      max="9999-12-30"
      {...props}
      value={day}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
