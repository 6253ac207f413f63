import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Facts about one thing, each with its name beside it. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="description-list">{children}</dl>;
}

export function Description({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}
