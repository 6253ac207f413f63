import { Group, Pagination, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countText } from '../count-text.ts';

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  /** Without it, the total is shown elsewhere. */
  noun?: [one: string, many: string];
  onPage(page: number): void;
  /** A control for the page size, where there is one. */
  children?: ReactNode;
}

export function Pager({ page, pages, total, noun, onPage, children }: PagerProps) {
  return (
    <Group justify="space-between" mt="md">
      <Group gap="md">
        {noun && (
          <Text size="sm" c="dimmed" className="numeric" role="status">
            {countText(total, ...noun)}
          </Text>
        )}
        {children}
      </Group>
      {pages > 1 && (
        <Text size="sm" className="printed-only">
          Page {page.toLocaleString()} of {pages.toLocaleString()}
        </Text>
      )}
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={onPage}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}`, children: item.toLocaleString() })}
          getControlProps={(control) => ({
            'aria-label': `${control.charAt(0).toUpperCase()}${control.slice(1)} page`,
          })}
        />
      )}
    </Group>
  );
}
