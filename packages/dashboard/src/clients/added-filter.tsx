import { Button, type ButtonProps, Group, Popover, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { DayInput } from '../components/day-input.tsx';
import { addedText, nextDay, shortAddedText } from './filter-texts.ts';
import type { ClientsSearch } from './search.ts';

interface AddedFilterProps extends Pick<ButtonProps, 'w'> {
  search: ClientsSearch;
  onChange(filter: Partial<ClientsSearch>): void;
}

const ANY_TIME = { from: undefined, until: undefined, days: undefined };

/** The last days move on with time, so that a saved view or a link with them stays what it says. */
const LAST_DAYS = [1, 7, 30, 90, 365];

/** When clients were added: some last days, or from one day to another. */
export function AddedFilter({ search, onChange, w }: AddedFilterProps) {
  const [opened, setOpened] = useState(false);
  const chosen = addedText(search);
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
            {LAST_DAYS.map((days) => (
              <Button
                key={days}
                size="compact-sm"
                variant={search.days === days ? 'filled' : 'default'}
                aria-pressed={search.days === days}
                onClick={() => choose({ days })}
              >
                {days === 1 ? 'Today' : `${days} days`}
              </Button>
            ))}
          </Group>
          <Group gap="sm" align="flex-end">
            <DayInput
              label="First day"
              w={150}
              value={search.from}
              onChange={(from) => onChange({ days: undefined, from })}
            />
            <DayInput
              label="Last day"
              w={150}
              value={search.until && nextDay(search.until, -1)}
              onChange={(last) => onChange({ days: undefined, until: last && nextDay(last) })}
            />
          </Group>
          {isReversed(search) && (
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
}

function isReversed({ from, until }: ClientsSearch): boolean {
  return from !== undefined && until !== undefined && until <= from;
}
