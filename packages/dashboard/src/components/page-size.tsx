import { Select } from '@mantine/core';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../search.ts';

export function PageSize({ size, onChange }: { size: number | undefined; onChange(size: number): void }) {
  return (
    <Select
      aria-label="Clients per page"
      size="xs"
      w={110}
      data={PAGE_SIZES.map((each) => ({ value: String(each), label: `${each} a page` }))}
      value={String(size ?? DEFAULT_PAGE_SIZE)}
      onChange={(value) => onChange(Number(value))}
      allowDeselect={false}
    />
  );
}
