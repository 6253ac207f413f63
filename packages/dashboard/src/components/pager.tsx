import { Group, Pagination, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  noun: [one: string, many: string];
  onPage(page: number): void;
  /** The page size, where it can be chosen. */
  children?: ReactNode;
}

export function Pager({ page, pages, total, noun, onPage, children }: PagerProps) {
  return (
    <Group justify="space-between" mt="md">
      <Group gap="md">
        <Text size="sm" c="dimmed" className="numeric" role="status">
          {total.toLocaleString()} {total === 1 ? noun[0] : noun[1]}
        </Text>
        {children}
      </Group>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={onPage}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Group>
  );
}
