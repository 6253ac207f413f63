import { Text } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

interface NoticeProps {
  tone: 'error' | 'warning' | 'success' | 'plain';
  title?: string;
  /** To put the focus on it. */
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A message within the page. Screen readers announce errors at once; the meaning never depends on the colour alone. */
export function Notice({ tone, title, ref, children }: NoticeProps) {
  return (
    <div
      className="notice"
      data-tone={tone}
      role={tone === 'error' ? 'alert' : 'status'}
      {...(ref && { ref, tabIndex: -1 })}
    >
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
