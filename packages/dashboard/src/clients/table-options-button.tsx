import { ActionIcon, Button, Checkbox, Popover, Radio, Stack, Tooltip } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { memo } from 'react';
import { optionsOf } from '../labels.ts';
import { COLUMN_LABELS, COLUMNS, DEFAULT_OPTIONS, type TableOptions, useTableOptions } from './table-options.ts';

const DENSITY_LABELS: Record<TableOptions['density'], string> = {
  comfortable: 'Comfortable',
  compact: 'Compact',
};

/** Which columns the table of clients has, and how high its rows are. */
export const TableOptionsButton = memo(function TableOptionsButton() {
  const [{ columns, density }, setOptions] = useTableOptions();
  return (
    <Popover trapFocus returnFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <Tooltip label="Columns and density">
          <ActionIcon variant="default" size={36} aria-label="Columns and density">
            <IconAdjustmentsHorizontal size={18} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns and density">
        <Stack gap="md">
          <Checkbox.Group
            label="Columns"
            value={columns}
            onChange={(chosen) => setOptions({ density, columns: COLUMNS.filter((each) => chosen.includes(each)) })}
          >
            <Stack gap={10} mt={8}>
              {optionsOf(COLUMN_LABELS).map(({ value, label }) => (
                <Checkbox key={value} size="xs" value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Radio.Group
            label="Density"
            value={density}
            onChange={(value) => setOptions({ columns, density: value as TableOptions['density'] })}
          >
            <Stack gap={10} mt={8}>
              {optionsOf(DENSITY_LABELS).map(({ value, label }) => (
                <Radio key={value} size="xs" value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          <Button size="compact-xs" variant="subtle" onClick={() => setOptions(DEFAULT_OPTIONS)}>
            Reset to default
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
});
