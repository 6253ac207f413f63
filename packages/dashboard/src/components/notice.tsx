import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface NoticeProps {
  tone: 'error' | 'warning' | 'success' | 'plain';
  title?: string;
  children: ReactNode;
}

/** A message within the page. Screen readers announce errors at once; the meaning never depends on the colour alone. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      {title && (
        <Text size="sm" fw={600} mb={2}>
          {title}
        </Text>
      )}
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}
