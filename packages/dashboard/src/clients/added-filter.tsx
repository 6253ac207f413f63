import { Button, type ButtonProps, Group, Popover, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { DayInput } from '../components/day-input.tsx';
import { nextDay } from '../days.ts';
import { addedText, shortAddedText } from './filter-texts.ts';
import { type ClientsSearch, isReversed } from './search.ts';

interface AddedFilterProps extends Pick<ButtonProps, 'w'>, Pick<ClientsSearch, 'from' | 'until' | 'days'> {
  onChange(filter: Partial<ClientsSearch>): void;
}

const ANY_TIME = { from: undefined, until: undefined, days: undefined };

/** The last days move on with time, so that a saved view or a link with them stays what it says. */
const LAST_DAYS = [1, 7, 30, 90, 365];

/** When clients were added: some last days, or from one day to another. */
export const AddedFilter = memo(function AddedFilter({ from, until, days, onChange, w }: AddedFilterProps) {
  const [opened, setOpened] = useState(false);
  const chosen = addedText({ from, until, days });
  const choose = (filter: Partial<ClientsSearch>) => {
    onChange({ ...ANY_TIME, ...filter });
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          px="sm"
          justify="space-between"
          rightSection={<IconChevronDown size={14} stroke={1.7} />}
          onClick={() => setOpened(!opened)}
          w={w}
          {...(chosen && { 'aria-label': chosen, title: chosen })}
        >
          <Text size="sm" truncate>
            {chosen ? shortAddedText(chosen) : 'Added at any time'}
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="When clients were added">
        <Stack gap="sm">
          <Group gap={6} maw={300}>
            {LAST_DAYS.map((each) => (
              <Button
                key={each}
                size="compact-sm"
                variant={each === days ? 'filled' : 'default'}
                aria-pressed={each === days}
                onClick={() => choose({ days: each })}
              >
                {each === 1 ? 'Today' : `${each} days`}
              </Button>
            ))}
          </Group>
          <Group gap="sm" align="flex-end">
            <DayInput
              label="First day"
              w={150}
              value={from}
              onChange={(first) => onChange({ days: undefined, from: first })}
            />
            <DayInput
              label="Last day"
              w={150}
              value={until && nextDay(until, -1)}
              onChange={(last) => onChange({ days: undefined, until: last && nextDay(last) })}
            />
          </Group>
          {isReversed({ from, until }) && (
            <Text size="sm" c="var(--mantine-color-error)">
              The last day is before the first, so nobody is found.
            </Text>
          )}
          <Group justify="space-between">
            <Button size="compact-sm" variant="subtle" onClick={() => choose({})} disabled={!chosen}>
              Any time
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setOpened(false)}>
              Close
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
});
