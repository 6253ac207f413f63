import { Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dateTimeText } from '../components/time.tsx';
import type { InputProps } from '../use-checked-form.ts';
import { dayOf, endOfDay, inDays, LIFETIMES } from './expiry.ts';

const NEVER = { value: 'never', label: 'Never' };
const ON_A_DAY = { value: 'day', label: 'On a day of your choice' };

/** When a key expires: never, after a usual time or at the end of a day. An expiry that is already set can be kept. */
export function ExpiryInput({ value, onChange, error }: InputProps<string | null>) {
  const [before] = useState(value);
  const [choice, setChoice] = useState(before === null ? NEVER.value : 'keep');
  const [day, setDay] = useState(() => dayOf(new Date(inDays(30))));
  const keep = before === null ? [] : [{ value: 'keep', label: `${dateTimeText(before)} (unchanged)` }];

  const choose = (nextChoice: string, nextDay = day) => {
    setChoice(nextChoice);
    setDay(nextDay);
    if (nextChoice === 'keep') onChange(before);
    else if (nextChoice === NEVER.value) onChange(null);
    else onChange(nextChoice === ON_A_DAY.value ? endOfDay(nextDay) : inDays(Number(nextChoice)));
  };

  const onADay = choice === ON_A_DAY.value;
  return (
    <Stack gap="xs">
      <Select
        label="Expiry"
        data={[...keep, NEVER, ...LIFETIMES, ON_A_DAY]}
        value={choice}
        onChange={(next) => next !== null && choose(next)}
        allowDeselect={false}
        error={onADay ? undefined : error}
      />
      {onADay && (
        <TextInput
          type="date"
          label="Last day"
          description="The key works until the end of this day, in your time zone."
          min={dayOf(new Date())}
          max="9999-12-31"
          value={day}
          onChange={({ currentTarget }) => choose(choice, currentTarget.value)}
          error={error && day === '' ? 'Choose a day.' : error}
        />
      )}
    </Stack>
  );
}
